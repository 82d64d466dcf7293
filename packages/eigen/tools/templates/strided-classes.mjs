// The strided maps of a storage kind: what they share, two classes per rank, two of general rank, and the function that
// chooses among them. Views, questions and text stand in StridedMapBase.
import { atMethod, setMethod } from "./access.mjs";
import { carried, dtypeUnion, generics } from "./kinds.mjs";
import { dimensionMethod, rankName, sizes } from "./rank-class.mjs";

const steps = (rank) => Array.from({ length: rank }, (_, d) => `s${d}`);
const className = (kind, rank, isConst) => `${isConst ? "Const" : ""}Strided${rankName(rank)}${kind.id}`;
const generalName = (kind, isConst) => `${isConst ? "Const" : ""}StridedGeneral${kind.id}`;
const typeArgument = (kind) => (generics(kind).use === "" ? "" : "D, ");

/** A place in elements as a place of the array, and as what `base` counts. */
const scaled = (kind, place) => ({ complex: `${place} * 2`, unaligned: `${place} * this.codec.bytes` })[kind.form] ?? place;

/** `makeStridedF32(array, offset, owner, dims, strides[, what the kind carries]`, without the last argument, `writable`. */
export function makeStrided(kind, carry, geometry) {
  const array = kind.dtypes.length > 1 && kind.form !== "object" ? `array as ${kind.array}` : "array";
  return call(kind, [array, `${geometry}offset`, "owner", `${geometry}dims`, `${geometry}strides`], carry);
}

/** The same from within a map. */
export function stridedCall(kind) {
  const last = carried(kind);
  const base = kind.form === "unaligned" ? "offset * this.codec.bytes" : "offset";
  return call(kind, ["this.array", base, "this.owner", "dims", "strides"], last === null ? null : `this.${last.name}`);
}

const call = (kind, list, carry) => `makeStrided${kind.id}(${[...list, ...(carry === null ? [] : [carry])].join(", ")}`;

/** The constructor's parameters in the fixed order of the fields: array, base, owner, sizes, strides, what the kind carries. */
function fields(kind, rank) {
  const last = carried(kind);
  return [
    { name: "array", type: kind.array },
    { name: "base", type: "number" },
    { name: "owner", type: "MemoryOwner" },
    ...[...sizes(rank), ...steps(rank)].map((name) => ({ name, type: "number" })),
    ...(last === null ? [] : [last]),
  ];
}

const generalFields = (kind) => {
  const last = carried(kind);
  return [
    { name: "array", type: kind.array },
    { name: "base", type: "number" },
    { name: "owner", type: "MemoryOwner" },
    { name: "dims", type: "readonly number[]" },
    { name: "steps", type: "readonly number[]" },
    ...(last === null ? [] : [last]),
  ];
};

const parameterList = (own) => own.map(({ name, type }) => `${name}: ${type}`).join(", ");

/** Fields and constructor of a read-only class. */
const constructed = (own) => `${own.map(({ name, type }) => `  declare readonly ${name}: ${type};\n`).join("")}
  constructor(${parameterList(own)}) {
    super();
${own.map(({ name }) => `    this.${name} = ${name};\n`).join("")}  }
`;

/** The class that all strided maps of the kind extend: iteration, and how views are made. */
function kindClass(kind) {
  const dtype = dtypeUnion(kind);
  const last = carried(kind);
  const dtypeOf = { format: "this.format.dtype", codec: "this.codec.dtype" }[kind.carries] ?? JSON.stringify(kind.dtypes[0]);
  const lines = [`  declare readonly array: ${kind.array};`];
  if (last !== null) lines.push(`  declare readonly ${last.name}: ${last.type};`);
  if (kind.carries !== "dtype") lines.push("", `  get dtype(): ${dtype} {`, `    return ${dtypeOf};`, "  }");
  const overrides = {
    complex: ["", "  override get slots(): number {", "    return 2;", "  }"],
    unaligned: [
      "",
      "  override get slots(): number {",
      "    return this.codec.bytes;",
      "  }",
      "",
      "  override get offset(): number {",
      "    return this.base / this.codec.bytes;",
      "  }",
    ],
  }[kind.form];
  if (overrides !== undefined) lines.push(...overrides);
  const gone = "throw goneError(this);";
  const read = {
    plain: [`const raw = this.array[walk.place];`, `if (this.owner.refs === 0 || raw === undefined) ${gone}`, `yield ${kind.read("raw")};`],
    complex: [
      "const place = walk.place * 2;",
      "const re = this.array[place];",
      `if (this.owner.refs === 0 || re === undefined) ${gone}`,
      "yield [re, this.array[place + 1] as number];",
    ],
    object: [`if (this.owner.refs === 0 || walk.place >= this.array.length) ${gone}`, "yield this.array[walk.place];"],
    unaligned: [
      "const place = walk.place * this.codec.bytes;",
      `if (this.owner.refs === 0 || place >= this.array.length) ${gone}`,
      "yield this.codec.read(place);",
    ],
  }[kind.form];
  const carry = last === null ? "" : `, this.${last.name}`;
  const general = kind.form === "unaligned" ? `make${kind.id}<D>` : `make${kind.id}`;
  return `/** What the strided maps of this storage kind share. */
abstract class Strided${kind.id}<${kind.form === "unaligned" ? "D extends RawDType, " : ""}R extends number> extends StridedMapBase<${dtype}, R> {
${lines.join("\n")}

  /** The elements in row-major order. */
  *[Symbol.iterator](): IterableIterator<${kind.element}> {
    const size = this.size;
    checkAlive(this);
    const walk = new StridedWalk(this.geometry);
    for (let n = 0; n < size; n++) {
      ${read.join("\n      ")}
      walk.next();
    }
  }

  protected override withStrides(
    offset: number, dims: readonly number[], strides: readonly number[], writable: boolean,
  ): StridedMap<${dtype}, number> {
    return ${stridedCall(kind)}, writable);
  }

  protected override withoutStrides(dims: readonly number[]): TensorMap<${dtype}, number> {
    return ${general}(this.array, this.base, this.owner, dims${carry});
  }
}\n`;
}

/** `storeStrided…`, `fillStrided…` and `copyStrided…`: writing without `set`, for the mutable classes only. */
function writers(kind) {
  const { parameters, use } = generics(kind);
  const map = `map: Strided${kind.id}<${typeArgument(kind)}number>`;
  const value = `value: ${kind.input}`;
  const copyHead = `/** Stores the elements of a source in row-major order. */
function copyStrided${kind.id}${parameters}(${map}, source: CopySource<${dtypeUnion(kind)}>): void {\n`;
  const fillHead = `/** Stores one value everywhere. */
function fillStrided${kind.id}${parameters}(${map}, ${value}): void {
  checkStore(map, value);\n`;
  if (kind.form === "object") {
    return `${fillHead}  storeObjectsAt(map.array, map.places(), map.dtype, new Array<unknown>(map.size).fill(value));
}

${copyHead}  copyElements(map, source, null);
}\n`;
  }
  const store = {
    plain: () => `  map.array[place] = ${kind.write("value", "map")};\n`,
    complex: () => "  map.array[place * 2] = value[0];\n  map.array[place * 2 + 1] = value[1];\n",
    unaligned: () => "  map.codec.write(place * map.codec.bytes, value);\n",
  }[kind.form];
  const rows =
    kind.form === "plain"
      ? `  const raw = ${kind.write("value", "map")};
  const array = map.array;
  forEachRow(map.geometry, (place, count, stride) => {
    if (stride === 1) array.fill(raw, place, place + count);
    else for (let n = 0; n < count; n++) array[place + n * stride] = raw;
  });\n`
      : `  forEachRow(map.geometry, (place, count, stride) => {
    for (let n = 0; n < count; n++) storeStrided${kind.id}(map, place + n * stride, value);
  });\n`;
  return `/** Stores a checked value at a place, counted in elements. */
function storeStrided${kind.id}${parameters}(${map}, place: number, ${value}): void {
${store()}}

${fillHead}${rows}}

${copyHead}  const next = map.places();
  copyElements(map, source, (_: number, value: ${kind.input}) => storeStrided${kind.id}${use}(map, next(), value));
}\n`;
}

const writerMethods = (kind) => {
  const value = kind.form === "object" ? `ElementInput<${dtypeUnion(kind)}>` : kind.input;
  return `  fill(value: ${value}): void {
    fillStrided${kind.id}(this, value);
  }

  copyFrom(source: CopySource<${dtypeUnion(kind)}>): void {
    copyStrided${kind.id}(this, source);
  }
`;
};

/** Both classes of a rank. */
function rankClasses(kind, rank) {
  const { parameters, use } = generics(kind);
  const own = fields(kind, rank);
  const size =
    rank === 0
      ? "1"
      : sizes(rank)
          .map((name) => `this.${name}`)
          .join(" * ");
  const all = (names) => `[${names.map((name) => `this.${name}`).join(", ")}]`;
  const what = rank === 0 ? "One element" : `Rank ${rank} with strides`;
  return `/** ${what}, read-only. */
class ${className(kind, rank, true)}${parameters} extends Strided${kind.id}<${typeArgument(kind)}${rank}> implements ConstStridedMap<${dtypeUnion(kind)}, ${rank}> {
${constructed(own)}
  get rank(): ${rank} {
    return ${rank};
  }

  get size(): number {
    return ${size};
  }

  get dimensions(): readonly number[] {
    return ${all(sizes(rank))};
  }

  get strides(): readonly number[] {
    return ${all(steps(rank))};
  }

${dimensionMethod(rank)}
${atMethod(kind, rank, true)}}

/** ${what}. */
class ${className(kind, rank, false)}${parameters} extends ${className(kind, rank, true)}${use} implements StridedMap<${dtypeUnion(kind)}, ${rank}> {
${setMethod(kind, rank, true)}
${writerMethods(kind)}}\n`;
}

/** Both classes of general rank, which also serve arrays of 2^30 places and more. */
function generalClasses(kind) {
  const { parameters, use } = generics(kind);
  const dtype = dtypeUnion(kind);
  const place = `    const flat = this.owner.refs === 0 ? -1 : stridedIndex(this.offset, this.dims, this.steps, indices);
    const place = flat < 0 ? -1 : ${scaled(kind, "flat")};\n`;
  const value = kind.form === "object" ? `ElementInput<${dtype}>` : kind.input;
  const test = kind.form === "unaligned" ? "" : ` || !(${kind.ok("value")})`;
  const read = {
    plain: kind.read("raw"),
    complex: "[this.array[place] as number, this.array[place + 1] as number]",
    object: "this.array[place]",
    unaligned: "this.codec.read(place)",
  }[kind.form];
  const raw = kind.form === "plain" ? `    const raw = this.array[place] as ${kind.raw};\n` : "";
  const write = {
    plain: () => `    this.array[place] = ${kind.write("value")};\n`,
    object: () => `    ${kind.store("place", "value")};\n`,
    complex: () => "    this.array[place] = value[0];\n    this.array[place + 1] = value[1];\n",
    unaligned: () => "    this.codec.write(place, value);\n",
  }[kind.form]();
  return `/** Any rank with strides, read-only. */
class ${generalName(kind, true)}${parameters} extends Strided${kind.id}<${typeArgument(kind)}number> implements ConstStridedMap<${dtype}, number> {
${constructed(generalFields(kind))}
  get rank(): number {
    return this.dims.length;
  }

  get size(): number {
    return product(this.dims);
  }

  get dimensions(): readonly number[] {
    return this.dims.slice();
  }

  get strides(): readonly number[] {
    return this.steps.slice();
  }

  dimension(i: number): number {
    const size = this.dims[i];
    if (size === undefined) throw dimensionError(i, this.dims.length);
    return size;
  }

  at(...indices: readonly number[]): ${kind.element} {
${place}    if (place < 0 || place >= this.array.length) throw accessError(this, indices);
${raw}    return ${read};
  }
}

/** Any rank with strides. */
class ${generalName(kind, false)}${parameters} extends ${generalName(kind, true)}${use} implements StridedMap<${dtype}, number> {
  set(...args: [...indices: readonly number[], value: ${value}]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as ${value};
${place.replace("this.owner.refs === 0", `this.owner.refs === 0${test}`)}    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
${write}  }

${writerMethods(kind)}}\n`;
}

/** The function that makes a strided map; the caller knows that it fits the array. */
function makeFunction(kind, ranks) {
  const { parameters } = generics(kind);
  const last = carried(kind);
  const carry = last === null ? "" : `, ${last.name}`;
  const dtype = dtypeUnion(kind);
  const cast = kind.form === "unaligned" ? " as unknown as StridedMap<D, number>" : "";
  const constCast = ` as unknown as StridedMap<${dtype}, number>`;
  const cases = ranks
    .map((rank) => {
      const list = ["array", "base", "owner", ...sizes(rank), ...steps(rank)].join(", ") + carry;
      return `    case ${rank}:
      if (!writable) return new ${className(kind, rank, true)}(${list})${constCast};
      return new ${className(kind, rank, false)}(${list})${cast};\n`;
    })
    .join("");
  const general = `array, base, owner, dims.slice(), strides.slice()${carry}`;
  return `/** A strided map over places known to lie in the array; without \`set\` unless writable. */
function makeStrided${kind.id}${parameters}(
  array: ${kind.array}, base: number, owner: MemoryOwner, dims: readonly number[], strides: readonly number[]${last === null ? "" : `, ${last.name}: ${last.type}`}, writable: boolean,
): StridedMap<${dtype}, number> {
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0] = strides;
  switch (isSmallStrided(array.length, dims, strides) ? dims.length : -1) {
${cases}    default:
      if (!writable) return new ${generalName(kind, true)}(${general})${constCast};
      return new ${generalName(kind, false)}(${general})${cast};
  }
}\n`;
}

/** Everything of a kind that has strides, in the order it stands in the file. */
export function stridedClasses(kind, ranks) {
  return [kindClass(kind), writers(kind), ...ranks.map((rank) => rankClasses(kind, rank)), generalClasses(kind), makeFunction(kind, ranks)];
}
