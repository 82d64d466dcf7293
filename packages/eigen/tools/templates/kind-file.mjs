// Template of one generated file: the map classes of a storage kind for the ranks 0 to 4, the kind's rules, and its factory.
//
// All of it stands in one function, which runs when a dtype is first used. So a program has only the classes of the dtypes that it uses,
// and minifiers give the names in it anew for each kind: the twenty functions are then nearly the same text and compress well. Dtypes of
// one kind, such as int8 and qint8, have the same source but classes of their own; few programs use both.
import { atMethod, setMethod } from "./access.mjs";
import { dtypeUnion, isShared } from "./kinds.mjs";

const kRanks = [0, 1, 2, 3, 4];
const kRankNames = ["Scalar", "Vec", "Matrix", "Tensor3", "Tensor4"];
const kFactoryMethods = ["scalar", "vec", "matrix", "tensor3", "tensor4"];

const sizes = (rank) => Array.from({ length: rank }, (_, d) => `d${d}`);
const steps = (rank) => Array.from({ length: rank }, (_, d) => `s${d}`);

/** Returns the dtype of the maps as a type: the type parameter `D` of the function if the kind has several dtypes. */
const dtypeOf = (kind) => (isShared(kind) ? "D" : dtypeUnion(kind));

/** The parameter of constructors that unaligned maps have after the sizes and strides. */
const kCodec = { name: "codec", type: "Bytewise<RawDType>" };
const lastOf = (kind) => (kind.form === "unaligned" ? kCodec : null);

/** Returns the name of a writable class, such as `MatrixF32` or `StridedMatrixF32`. The read-only class has the prefix `Const`. */
const className = (kind, rank, strided) => `${strided ? "Strided" : ""}${kRankNames[rank]}${kind.id}`;

/** Returns the constructor's parameters in the fixed order of the fields: array, base, owner, sizes, strides, the codec of unaligned maps. */
function fields(kind, rank, strided) {
  const last = lastOf(kind);
  return [
    { name: "array", type: kind.array },
    { name: "base", type: "number" },
    { name: "owner", type: "MemoryOwner" },
    ...[...sizes(rank), ...(strided ? steps(rank) : [])].map((name) => ({ name, type: "number" })),
    ...(last === null ? [] : [last]),
  ];
}

/** Returns the method `chip`. It constructs a chip of dimension 0 directly and calls chipOf for everything else. */
function chipMethod(kind, rank, isConst) {
  if (rank === 0) return "";
  const last = lastOf(kind);
  const start = `this.base + ${[
    "offset",
    ...sizes(rank)
      .slice(1)
      .map((d) => `this.${d}`),
  ].join(" * ")}`;
  const row = [
    "this.array",
    start,
    "this.owner",
    ...sizes(rank)
      .slice(1)
      .map((d) => `this.${d}`),
    ...(last === null ? [] : [`this.${last.name}`]),
  ];
  return `  override chip(offset: number, dim: number = 0): never {
    return (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0
      ? new ${isConst ? "Const" : ""}${className(kind, rank - 1, false)}(${row.join(", ")})
      : this.chipOf(offset, dim)) as never;
  }
`;
}

/** Returns both classes of a rank: the read-only class `Const…` and its writable subclass. */
function rankClasses(kind, rank, strided) {
  const name = className(kind, rank, strided);
  const own = fields(kind, rank, strided);
  const parameters = own.map(({ name: field, type }) => `${field}: ${type}`).join(", ");
  const parent = `${strided ? "Strided" : "Dense"}${kRankNames[rank]}<${dtypeOf(kind)}>`;
  return `class Const${name} extends ${parent} {
  ${own.map(({ name: field, type }) => `declare readonly ${field}: ${type};`).join(" ")}
  constructor(${parameters}) {
    super();
    ${own.map(({ name: field }) => `this.${field} = ${field};`).join(" ")}
  }
${atMethod(kind, rank, strided)}${strided ? "" : chipMethod(kind, rank, true)}}

class ${name} extends Const${name} {
${setMethod(kind, rank, strided)}${strided ? "" : chipMethod(kind, rank, false)}}
`;
}

/** Returns the types of the maps that the rules take, with only the members that the rules use. */
function ruleTypes(kind) {
  const last = lastOf(kind);
  const extra = last === null ? "" : ` & { readonly ${last.name}: ${last.type} }`;
  return `type Dense = KindMap & { readonly array: ${kind.array} }${extra};
type Strided = StridedKindMap & { readonly array: ${kind.array} }${extra};
`;
}

/** Returns the kind's ElementRules: how elements are read, stored, filled and iterated. */
function rules(kind) {
  const gone = "throw goneError(this);";
  const yielded = {
    plain: (place) => [
      `const raw = this.array[${place}];`,
      `if (this.owner.refs === 0 || raw === undefined) ${gone}`,
      `yield ${kind.read("raw")};`,
    ],
    complex: (place) => [
      `const place = (${place}) * 2;`,
      "const re = this.array[place];",
      `if (this.owner.refs === 0 || re === undefined) ${gone}`,
      "yield [re, this.array[place + 1] as number];",
    ],
    unaligned: (place) => [
      `const place = (${place}) * bytes;`,
      `if (this.owner.refs === 0 || place >= this.array.length) ${gone}`,
      "yield this.codec.read(place);",
    ],
    object: (place) => [`if (this.owner.refs === 0 || ${place} >= this.array.length) ${gone}`, `yield this.array[${place}];`],
  }[kind.form];
  const load = {
    plain: `return ${kind.read(`(map.array[place] as ${kind.raw})`, "map")};`,
    complex: "return [map.array[place * 2] as number, map.array[place * 2 + 1] as number];",
    unaligned: "return map.codec.read(place * bytes);",
    object: "return map.array[place];",
  }[kind.form];
  const input = kind.input;
  const store = {
    plain: () => `store(map: Dense, place: number, value: ${input}): void {
    map.array[place] = ${kind.write("value", "map")};
  },`,
    complex: () => `store(map: Dense, place: number, value: ${input}): void {
    map.array[place * 2] = value[0];
    map.array[place * 2 + 1] = value[1];
  },`,
    unaligned: () => `store(map: Dense, place: number, value: ${input}): void {
    map.codec.write(place * bytes, value);
  },`,
    object: () => "store: null,",
  }[kind.form]();
  const stored = {
    plain: (place) => `map.array[${place}] = ${kind.write(`(values[n] as ${input})`, "map")};`,
    complex: (place) => `this.store(map, ${place}, values[n] as ${input});`,
    unaligned: (place) => `this.store(map, ${place}, values[n] as ${input});`,
  }[kind.form];
  const storeAll =
    stored === undefined
      ? "storeDense: null,\n  storeStrided: null,"
      : `storeDense(map: Dense, values: readonly ${input}[]): void {
    for (let n = 0; n < values.length; n++) ${stored("map.base + n")}
  },
  storeStrided(map: Strided, values: readonly ${input}[]): void {
    const next = map.places();
    for (let n = 0; n < values.length; n++) ${stored("next()")}
  },`;
  const one = [
    `const end = map.base + map.size;
    for (let place = map.base; place < end; place++) this.store(map, place, value);`,
    `forEachRow(map.geometry, (place, count, stride) => {
      for (let n = 0; n < count; n++) this.store(map, place + n * stride, value);
    });`,
  ];
  const fill = {
    plain: () => [
      `map.array.fill(${kind.write("value", "map")}, map.base, map.base + map.size);`,
      `const raw = ${kind.write("value", "map")};
    const array = map.array;
    forEachRow(map.geometry, (place, count, stride) => {
      if (stride === 1) array.fill(raw, place, place + count);
      else for (let n = 0; n < count; n++) array[place + n * stride] = raw;
    });`,
    ],
    complex: () => one,
    unaligned: () => one,
    // All copies are made first: the value may be an element of this very map.
    object: () => [
      "storeObjects(map.array, map.base, map.dtype as ObjectDType, new Array<unknown>(map.size).fill(value));",
      "storeObjectsAt(map.array, map.places(), map.dtype as ObjectDType, new Array<unknown>(map.size).fill(value));",
    ],
  }[kind.form]();
  const slots = { complex: 2, unaligned: "bytes" }[kind.form] ?? 1;
  return `{
  dtype,
  hasCodec: ${kind.form === "unaligned"},
  slots: ${slots},
  computes: ${kind.form === "plain" && kind.computes !== false},
  load(map: Dense, place: number): ${kind.element} {
    ${load}
  },
  ${store}
  ${storeAll}
  fillDense(map: Dense, value: ${input}): void {
    ${fill[0]}
  },
  fillStrided(map: Strided, value: ${input}): void {
    ${fill[1]}
  },
  *denseElements(this: Dense): IterableIterator<${kind.element}> {
    const size = this.size;
    checkAlive(this);
    for (let n = 0; n < size; n++) {
      ${yielded("this.base + n").join("\n      ")}
    }
  },
  *stridedElements(this: Strided): IterableIterator<${kind.element}> {
    const size = this.size;
    checkAlive(this);
    const walk = new StridedWalk(this.geometry);
    for (let n = 0; n < size; n++) {
      ${yielded("walk.place").join("\n      ")}
      walk.next();
    }
  },
} as const`;
}

/**
 * Returns the statements that make the MapKind from the rules and the classes of each rank, and the shared factory methods from it.
 *
 * Each maker declares three names after the classes: `rules`, `kind` and `shared`, or one or two constants instead of the first of these.
 * With another number of names minifiers give other names to everything in the methods, and the kinds resemble each other less.
 */
function kindRecord(kind) {
  const pairs = (strided) => kRanks.map((rank) => `[Const${className(kind, rank, strided)}, ${className(kind, rank, strided)}]`).join(", ");
  const constants = kind.constant?.match(/^const/gm)?.length ?? 0;
  const [named, used] = constants === 2 ? ["", rules(kind)] : [`const rules = ${rules(kind)};\n`, "rules"];
  const made = `completeKind(
  ${used},
  [${pairs(false)}],
  [${pairs(true)}],
)`;
  if (kind.form === "unaligned") return `${named}const kind = ${made};\n`;
  if (constants > 0) return `${named}const shared = sharedFactory<${dtypeOf(kind)}>(${made});\n`;
  return `${named}const kind = ${made};
const shared = sharedFactory<${dtypeOf(kind)}>(kind);
`;
}

/** Returns the last statement of the maker, which returns the factory. */
function factory(kind) {
  if (kind.form === "unaligned") return "return kind;\n";
  const D = dtypeOf(kind);
  const width = kind.form === "complex" ? " * 2" : "";
  const array = D === "D" && kind.form !== "object" ? `array as ${kind.array}` : "array";
  const methods = kRanks
    .map((rank) => {
      const own = sizes(rank);
      const small = ["base", ...own].map((name) => `isSmall(${name})`).join(" && ");
      const end = `base + ${own.join(" * ") || "1"}`;
      const fits = `${width === "" ? end : `(${end})${width}`} <= array.length && array.length <= 0x3ffffffe`;
      return `  ${kFactoryMethods[rank]}(array, base, owner${own.map((name) => `, ${name}`).join("")}) {
    return (${small} && ${fits}
      ? new ${className(kind, rank, false)}(${[array, "base", "owner", ...own].join(", ")})
      : shared.general(array, base, owner, [${own.join(", ")}])) as unknown as TensorMap<${D}, ${rank}>;
  },\n`;
    })
    .join("");
  return `return {
  dtype,
  ...shared,
${methods}};
`;
}

/** Returns the function that makes the classes of a dtype when the first map of it is made. */
function maker(kind, statements) {
  const result = kind.form === "unaligned" ? "MapKind" : `TensorMapKind<${dtypeOf(kind)}>`;
  const [generic, type] = isShared(kind) ? [`<D extends ${dtypeUnion(kind)}>`, "D"] : ["", dtypeUnion(kind)];
  const indented = statements.replace(/^(?=.)/gm, "  ").trimEnd();
  return `/** Makes the map classes of a dtype and ${kind.form === "unaligned" ? "their storage kind" : "returns their factory"}. Called once for each dtype. */
export function make${kind.id}${generic}(dtype: ${type}): ${result} {
${indented}
}
`;
}

/** The functions and classes of `storage` that the bodies use. */
const kStorageNames = [
  "accessError",
  "checkAlive",
  "forEachRow",
  "goneError",
  "isComplex",
  "isElementInput",
  "isSmall",
  "smallFormat",
  "storeError",
  "storeObjectAt",
  "storeObjects",
  "storeObjectsAt",
  "StridedWalk",
];

/** Returns the import lines for the names that the body uses. */
function imports(kind, body) {
  const uses = (name) => new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(body);
  const line = (names, from, type = false) => {
    const used = names.filter(uses);
    return used.length === 0 ? "" : `import ${type ? "type " : ""}{ ${used.join(", ")} } from "${from}";\n`;
  };
  const rankNames = (prefix) => kRankNames.map((name) => prefix + name);
  return [
    line(kind.imports, "@onebuffer/base"),
    line(["bfloat16Bits", "bfloat16Value", "halfBits", "halfTable"], "@onebuffer/base/internal"),
    line(["Complex", "ObjectDType", "RawDType"], "@onebuffer/base", true),
    line(["DTypesWhere"], "@onebuffer/base/internal", true),
    line(["Bytewise"], "@onebuffer/storage/internal", true),
    line(["completeKind"], "../base/complete-kind.ts"),
    line(rankNames("Dense"), "../base/dense-maps.ts"),
    line(kStorageNames, "@onebuffer/storage/internal"),
    line(["sharedFactory"], "../base/map-factory.ts"),
    line(["KindMap", "MapKind", "StridedKindMap"], "../base/map-kind.ts", true),
    line(["MemoryOwner"], "@onebuffer/storage", true),
    line(rankNames("Strided"), "../base/strided-maps.ts"),
    line(["TensorMap"], "@onebuffer/expression", true),
    line(["TensorMapKind"], "@onebuffer/expression/internal", true),
  ].join("");
}

/** Returns the text of map/generated/<file>.ts. */
export function kindFile(kind) {
  const statements = [
    ...kRanks.map((rank) => rankClasses(kind, rank, false)),
    ...kRanks.map((rank) => rankClasses(kind, rank, true)),
    ...(kind.constant === undefined ? [] : [kind.constant]),
    kindRecord(kind),
    factory(kind),
  ];
  const body = [ruleTypes(kind), maker(kind, statements.join("\n"))].join("\n");
  const dtypes =
    kind.form === "unaligned" ? "every raw dtype at any byte offset" : kind.dtypes.join(", ") || `the dtypes of class ${kind.dtypeClass}`;
  const head = `// Maps of ${dtypes}. Generated by tools/generate-tensor-maps.mjs: edit the templates in tools/templates, not this file.
// The methods are documented in packages/expression/src/tree/tensor-map.ts. The parent classes are in map/base/dense-maps.ts and strided-maps.ts.
`;
  return `${head}${imports(kind, body)}\n${body}`;
}
