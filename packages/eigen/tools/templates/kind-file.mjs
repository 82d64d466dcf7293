// Template of one generated file: the map classes of a storage kind for the ranks 0 to 4, the kind's rules, and its factory.
//
// All of it stands in one function, which runs when the kind is first used. So a program loads only the classes of the dtypes that it
// uses, and minifiers give the names in it anew for each kind: the twenty functions are then nearly the same text and compress well.
import { atMethod, setMethod } from "./access.mjs";
import { extraParameter, dtypeUnion } from "./kinds.mjs";

const kRanks = [0, 1, 2, 3, 4];
const kRankNames = ["Scalar", "Vec", "Matrix", "Tensor3", "Tensor4"];
const kFactoryMethods = ["scalar", "vec", "matrix", "tensor3", "tensor4"];

const sizes = (rank) => Array.from({ length: rank }, (_, d) => `d${d}`);
const steps = (rank) => Array.from({ length: rank }, (_, d) => `s${d}`);
const list = (...names) => names.filter((name) => name !== null).join(", ");

/** Returns the name of a writable class, such as `MatrixF32` or `StridedMatrixF32`. The read-only class has the prefix `Const`. */
const className = (kind, rank, strided) => `${strided ? "Strided" : ""}${kRankNames[rank]}${kind.id}`;

/** Returns the constructor's parameters in the fixed order of the fields: array, base, owner, sizes, strides, the kind's extra field. */
function fields(kind, rank, strided) {
  const last = extraParameter(kind);
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
  const last = extraParameter(kind);
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
  const parent = `${strided ? "Strided" : "Dense"}${kRankNames[rank]}<${dtypeUnion(kind)}>`;
  return `class Const${name} extends ${parent} {
  ${own.map(({ name: field, type }) => `declare readonly ${field}: ${type};`).join(" ")}
  constructor(${parameters}) {
    super();
    ${own.map(({ name: field }) => `this.${field} = ${field};`).join(" ")}
  }
${atMethod(kind, rank, strided)}${strided ? "" : chipMethod(kind, rank, true)}}

class ${name} extends Const${name} {
  constructor(${parameters}) {
    super(${own.map(({ name: field }) => field).join(", ")});
  }
${setMethod(kind, rank, strided)}${strided ? "" : chipMethod(kind, rank, false)}}
`;
}

/** Returns the types of the maps that the rules take, with only the members that the rules use. */
function ruleTypes(kind) {
  const last = extraParameter(kind);
  const extra = last === null || kind.extraField === "dtype" ? "" : ` & { readonly ${last.name}: ${last.type} }`;
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
      `const place = (${place}) * this.codec.bytes;`,
      `if (this.owner.refs === 0 || place >= this.array.length) ${gone}`,
      "yield this.codec.read(place);",
    ],
    object: (place) => [`if (this.owner.refs === 0 || ${place} >= this.array.length) ${gone}`, `yield this.array[${place}];`],
  }[kind.form];
  const load = {
    plain: `return ${kind.read(`(map.array[place] as ${kind.raw})`, "map")};`,
    complex: "return [map.array[place * 2] as number, map.array[place * 2 + 1] as number];",
    unaligned: "return map.codec.read(place * map.codec.bytes);",
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
    map.codec.write(place * map.codec.bytes, value);
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
  const slots = { complex: 2, unaligned: 0 }[kind.form] ?? 1;
  return `const rules = {
  dtype: ${kind.dtypes.length === 1 ? JSON.stringify(kind.dtypes[0]) : "null"},
  extraField: ${JSON.stringify(kind.extraField)},
  slots: ${slots},
  computes: ${kind.form === "plain" && kind.dtypes.length === 1},
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
} as const;
`;
}

/** Returns the statement that makes the MapKind from the rules and the classes of each rank. */
function kindRecord(kind) {
  const pairs = (strided) => kRanks.map((rank) => `[Const${className(kind, rank, strided)}, ${className(kind, rank, strided)}]`).join(", ");
  return `const kind = completeKind(
  rules,
  [${pairs(false)}],
  [${pairs(true)}],
);
`;
}

/** Returns the last statement of the maker: it returns a function from a dtype of the kind to its TensorMapKind. */
function factory(kind) {
  if (kind.form === "unaligned") return "return kind;\n";
  const several = kind.dtypes.length > 1;
  const D = several ? "D" : JSON.stringify(kind.dtypes[0]);
  const extra = { dtype: "dtype", format: "format", table: "halfTable()" }[kind.extraField] ?? null;
  const width = kind.form === "complex" ? " * 2" : "";
  const array = several && kind.form !== "object" ? `array as ${kind.array}` : "array";
  const methods = kRanks
    .map((rank) => {
      const own = sizes(rank);
      const small = ["base", ...own].map((name) => `isSmall(${name})`).join(" && ");
      const end = `base + ${own.join(" * ") || "1"}`;
      const fits = `${width === "" ? end : `(${end})${width}`} <= array.length && array.length <= 0x3ffffffe`;
      return `    ${kFactoryMethods[rank]}(array, base, owner${own.map((name) => `, ${name}`).join("")}) {
      return (${small} && ${fits}
        ? new ${className(kind, rank, false)}(${list(array, "base", "owner", ...own, extra)})
        : shared.general(array, base, owner, [${own.join(", ")}])) as unknown as TensorMap<${D}, ${rank}>;
    },\n`;
    })
    .join("");
  const head = several ? `<D extends ${dtypeUnion(kind)}>(dtype: D): TensorMapKind<D>` : `(dtype: ${D}): TensorMapKind<${D}>`;
  return `return ${head} => {
${kind.extraField === "format" ? `  const format = smallFormat(dtype);\n` : ""}  const shared = sharedFactory<${D}>(kind, () => ${extra ?? "undefined"});
  return {
    dtype,
    ...shared,
${methods}  };
};
`;
}

/** Returns the function that makes the classes of the kind when the first map of it is made. Its type follows from what it returns. */
function maker(kind, statements) {
  const [what, type] =
    kind.form === "unaligned"
      ? ["Makes the storage kind of unaligned maps", "MapKind"]
      : kind.dtypes.length > 1
        ? ["Makes the map classes of these dtypes", `<D extends ${dtypeUnion(kind)}>(dtype: D) => TensorMapKind<D>`]
        : [`Makes the map classes of ${kind.dtypes[0]}`, `(dtype: ${dtypeUnion(kind)}) => TensorMapKind<${dtypeUnion(kind)}>`];
  const indented = statements.replace(/^(?=.)/gm, "  ").trimEnd();
  return `/** ${what}. Called once, by kind-table.ts or unaligned-tensor-map.ts. */
export function make${kind.id}(): ${type} {
${indented}
}
`;
}

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
    line(["halfTable"], "@onebuffer/base/internal"),
    line(["Complex", "ObjectDType", "RawDType"], "@onebuffer/base", true),
    line(["Bytewise"], "../../memory/bytewise.ts", true),
    line(["completeKind"], "../base/complete-kind.ts"),
    line(rankNames("Dense"), "../base/dense-maps.ts"),
    line(["isComplex", "isElementInput"], "../../memory/element-check.ts"),
    line(["isSmall"], "../../geometry/map-geometry.ts"),
    line(["accessError", "checkAlive", "goneError", "storeError"], "../../geometry/map-errors.ts"),
    line(["sharedFactory"], "../base/map-factory.ts"),
    line(["KindMap", "MapKind", "StridedKindMap"], "../base/map-kind.ts", true),
    line(["MemoryOwner"], "../../memory/memory-owner.ts", true),
    line(["storeObjectAt", "storeObjects", "storeObjectsAt"], "../../memory/object-element.ts"),
    line(["smallFormat"], "../../memory/small-format.ts"),
    line(["SmallFormat"], "../../memory/small-format.ts", true),
    line(rankNames("Strided"), "../base/strided-maps.ts"),
    line(["StridedWalk", "forEachRow"], "../../geometry/strided-walk.ts"),
    line(["TensorMap"], "../../expression/tree/tensor-map.ts", true),
    line(["TensorMapKind"], "../../expression/tree/tensor-map-kind.ts", true),
  ].join("");
}

/** Returns the text of map/generated/<file>.ts. */
export function kindFile(kind) {
  const statements = [
    ...kRanks.map((rank) => rankClasses(kind, rank, false)),
    ...kRanks.map((rank) => rankClasses(kind, rank, true)),
    rules(kind),
    kindRecord(kind),
    factory(kind),
  ];
  const body = [ruleTypes(kind), maker(kind, statements.join("\n"))].join("\n");
  const dtypes = kind.dtypes.length === 0 ? "every raw dtype at any byte offset" : kind.dtypes.join(", ");
  const head = `// Maps of ${dtypes}. Generated by tools/generate-tensor-maps.mjs: edit the templates in tools/templates, not this file.
// The methods are documented in expression/tree/tensor-map.ts. The parent classes are in map/base/dense-maps.ts and strided-maps.ts.
`;
  return `${head}${imports(kind, body)}\n${body}`;
}
