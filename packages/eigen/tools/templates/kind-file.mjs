// One generated file: the class all maps of a storage kind share, the classes of its ranks, and its factory.
import { generalClasses } from "./general-class.mjs";
import { carried, dtypeUnion, generics } from "./kinds.mjs";
import { className, constClass, mutableClass, sizes } from "./rank-class.mjs";
import { makeStrided, stridedCall, stridedClasses } from "./strided-classes.mjs";

const RANKS = [0, 1, 2, 3, 4, 5, 6];
const MAKERS = ["scalar", "vec", "matrix", "tensor3", "tensor4", "tensor5", "tensor6"];
const list = (...names) => names.filter((name) => name !== null).join(", ");

/** Iteration and what follows from the kind alone. */
function kindClass(kind) {
  const last = carried(kind);
  const read = {
    plain: `const raw = this.array[this.base + n];\n      if (this.owner.refs === 0 || raw === undefined) throw goneError(this);\n      yield ${kind.read("raw")};`,
    complex: `const place = (this.base + n) * 2;\n      const re = this.array[place];\n      if (this.owner.refs === 0 || re === undefined) throw goneError(this);\n      yield [re, this.array[place + 1] as number];`,
    object: `if (this.owner.refs === 0 || this.base + n >= this.array.length) throw goneError(this);\n      yield this.array[this.base + n];`,
    unaligned: `const place = this.base + n * this.codec.bytes;\n      if (this.owner.refs === 0 || place >= this.array.length) throw goneError(this);\n      yield this.codec.read(place);`,
  }[kind.form];
  const dtype =
    {
      dtype: `  declare readonly dtype: ${dtypeUnion(kind)};\n`,
      format: getter("dtype", dtypeUnion(kind), "this.format.dtype"),
      codec: getter("dtype", "D", "this.codec.dtype"),
    }[kind.carries] ?? getter("dtype", dtypeUnion(kind), dtypeUnion(kind));
  const declared = [`  declare readonly array: ${kind.array};\n`];
  if (kind.carries === "dtype") declared.push(dtype);
  else if (last !== null) declared.push(`  declare readonly ${last.name}: ${last.type};\n`);
  const getters = kind.carries === "dtype" ? [] : [dtype];
  if (kind.form === "plain" && kind.dtypes.length === 1)
    getters.unshift(`  static {\n    Object.defineProperty(this.prototype, kCode, { value: dtypeNumber(${dtypeUnion(kind)}) });\n  }\n`);
  if (kind.form === "complex") getters.push(getter("slots", "number", "2", true));
  if (kind.form === "unaligned") {
    getters.push(getter("slots", "number", "this.codec.bytes", true));
    getters.push(getter("start", "number", "this.base", true));
    getters.push(`  protected ${getter("bytewise", "boolean", "true", true).trimStart()}`);
  }
  return `/** What the maps of this storage kind share. */
abstract class Map${kind.id}<${kind.form === "unaligned" ? "D extends RawDType, " : ""}R extends number> extends TensorMapBase<${dtypeUnion(kind)}, R> {
${declared.join("")}
${getters.join("\n")}${getters.length > 0 ? "\n" : ""}  /** The elements in row-major order. */
  *[Symbol.iterator](): IterableIterator<${kind.element}> {
    const size = this.size;
    checkAlive(this);
    for (let n = 0; n < size; n++) {
      ${read}
    }
  }

  protected override withStrides(offset: number, dims: readonly number[], strides: readonly number[]): StridedMap<${dtypeUnion(kind)}, number> {
    return ${stridedCall(kind)}, "set" in this);
  }
}\n`;
}

function getter(name, type, value, override = false) {
  return `  ${override ? "override " : ""}get ${name}(): ${type} {\n    return ${value};\n  }\n`;
}

/** `store…` and `fill…`: writing without `set`, for the mutable classes only. */
function writers(kind) {
  const { parameters, use } = generics(kind);
  const map = `map: Map${kind.id}<${use === "" ? "" : "D, "}number>`;
  const value = `value: ${kind.input}`;
  const store = {
    plain: () => `  map.array[map.base + index] = ${kind.write("value", "map")};\n`,
    complex: () => `  const place = (map.base + index) * 2;\n  map.array[place] = value[0];\n  map.array[place + 1] = value[1];\n`,
    unaligned: () => `  map.codec.write(map.base + index * map.codec.bytes, value);\n`,
  }[kind.form];
  const fill =
    {
      plain: () => `  map.array.fill(${kind.write("value", "map")}, map.base, map.base + map.size);\n`,
      object: () =>
        `  // All copies are made first: the value may be an element of this very map.\n  storeObjects(map.array, map.base, map.dtype, new Array<unknown>(map.size).fill(value));\n`,
    }[kind.form] ?? (() => `  const size = map.size;\n  for (let index = 0; index < size; index++) store${kind.id}(map, index, value);\n`);
  const one =
    store === undefined
      ? ""
      : `/** Stores a checked value at a flat index. */
function store${kind.id}${parameters}(${map}, index: number, ${value}): void {
${store()}}

`;
  return `${one}/** Stores one value everywhere. */
function fill${kind.id}${parameters}(${map}, ${value}): void {
  checkStore(map, value);
${fill()}}\n`;
}

/** The function that makes a map of any rank, small or not, after checking its geometry. */
function makeFunction(kind) {
  const { parameters, use } = generics(kind);
  const last = carried(kind);
  const extra = last === null ? "" : `, ${last.name}: ${last.type}`;
  const slots = kind.form === "complex" ? "2" : kind.form === "unaligned" ? "codec.bytes" : "1";
  const unit = kind.form === "unaligned" ? "1" : slots;
  const cast = kind.form === "unaligned" ? " as unknown as TensorMap<D, number>" : "";
  const name = { dtype: "dtype", format: "format.dtype", codec: "codec.dtype" }[kind.carries] ?? JSON.stringify(kind.dtypes[0]);
  const carry = last === null ? null : last.name;
  const cases = RANKS.map(
    (rank) =>
      `    case ${rank}:\n      return new ${className(kind, rank, false)}(${list("array", "base", "owner", ...sizes(rank), carry)})${cast};\n`,
  ).join("");
  return `/** A map of any rank. Throws INVALID_ARGUMENT if it does not fit the array. */
${kind.form === "unaligned" ? "export " : ""}function make${kind.id}${parameters}(
  array: ${kind.array}, base: number, owner: MemoryOwner, dims: readonly number[]${extra},
): TensorMap<${dtypeUnion(kind)}, number> {
  const small = checkGeometry(${name}, array.length, base, ${unit}, ${slots}, dims);
  if (!small) return new General${kind.id}${use}(${list("array", "base", "owner", "dims.slice()", carry)})${cast};
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  switch (dims.length) {
${cases}    default:
      return new General${kind.id}${use}(${list("array", "base", "owner", "dims.slice()", carry)})${cast};
  }
}\n`;
}

/** The TensorMapKind: a constant for one dtype, a function for several. */
function factory(kind) {
  if (kind.form === "unaligned") return "";
  const several = kind.dtypes.length > 1;
  const D = several ? "D" : JSON.stringify(kind.dtypes[0]);
  const carry = { dtype: "dtype", format: "format", table: "halfTable()" }[kind.carries] ?? null;
  const array = several && kind.form !== "object" ? `array as ${kind.array}` : "array";
  const cast = (rank) => (several ? ` as unknown as TensorMap<D, ${rank}>` : "");
  const width = kind.form === "complex" ? " * 2" : "";
  const methods = RANKS.map((rank) => {
    const own = sizes(rank);
    const whole = ["base", ...own].map((name) => `typeof ${name} !== "number" || (${name} & 0x3fffffff) !== ${name}`).join(" || ");
    const count = rank === 0 ? "1" : own.join(" * ");
    const fits = `!(${width === "" ? `base + ${count}` : `(base + ${count})${width}`} <= array.length)`;
    return `    ${MAKERS[rank]}(array, base, owner${own.map((name) => `, ${name}`).join("")}) {
      if (${whole} || ${fits} || array.length > 0x3ffffffe) {
        return make${kind.id}(${list(array, "base", "owner", `[${own.join(", ")}]`, carry)}) as unknown as TensorMap<${D}, ${rank}>;
      }
      return new ${className(kind, rank, false)}(${list(array, "base", "owner", ...own, carry)})${cast(rank)};
    },\n`;
  }).join("");
  const object = `{
    dtype${several ? "" : `: ${D}`},
${methods}    general(array, base, owner, dims) {
      return make${kind.id}(${list(array, "base", "owner", "dims", carry)})${cast("number")};
    },
    strided(array, offset, owner, dims, strides) {
      const g = checkStrides(${several ? "dtype" : JSON.stringify(kind.dtypes[0])}, array.length, offset, ${kind.form === "complex" ? 2 : 1}, dims, strides, true);
      return ${makeStrided(kind, carry, "g.")}, true)${cast("number").replace("TensorMap", "StridedMap")};
    },
    constStrided(array, offset, owner, dims, strides) {
      const g = checkStrides(${several ? "dtype" : JSON.stringify(kind.dtypes[0])}, array.length, offset, ${kind.form === "complex" ? 2 : 1}, dims, strides, false);
      return ${makeStrided(kind, carry, "g.")}, false)${cast("number").replace("TensorMap", "ConstStridedMap")};
    },
  }`;
  if (!several) return `/** Makes maps of ${kind.dtypes[0]}. */\nexport const kind${kind.id}: TensorMapKind<${D}> = ${object};\n`;
  const union = dtypeUnion(kind);
  return `/** Makes the factory of one of the dtypes of this kind. */
export function kind${kind.id}<D extends ${union}>(dtype: D): TensorMapKind<D> {
${kind.carries === "format" ? `  const format = smallFormat(dtype);\n` : ""}  return ${object};
}\n`;
}

/** The import lines: only what the body uses. */
function imports(kind, body) {
  const uses = (name) => new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(body);
  const line = (names, from, type = false) => {
    const used = names.filter(uses);
    return used.length === 0 ? "" : `import ${type ? "type " : ""}{ ${used.join(", ")} } from "${from}";\n`;
  };
  return [
    line(kind.imports, "@onebuffer/base"),
    line(["Complex", "ElementInput", "ElementOf", "RawDType"], "@onebuffer/base", true),
    line(["Bytewise"], "../bytewise.ts", true),
    line(["copyElements"], "../copy-elements.ts"),
    line(["isComplex", "isElementInput"], "../element-check.ts"),
    line(["dtypeNumber", "kCode"], "../expression/node-code.ts"),
    line(["accessError", "checkAlive", "checkStore", "dimensionError", "goneError", "storeError"], "../map-errors.ts"),
    line(["checkGeometry", "chipAxis", "chipStart", "flatIndex", "product"], "../map-geometry.ts"),
    line(["MemoryOwner"], "../memory-owner.ts", true),
    line(["storeObjectAt", "storeObjects", "storeObjectsAt"], "../object-element.ts"),
    line(["smallFormat"], "../small-format.ts"),
    line(["SmallFormat"], "../small-format.ts", true),
    line(["checkStrides", "stridedIndex"], "../strided-bounds.ts"),
    line(["isSmallStrided"], "../strided-geometry.ts"),
    line(["StridedMapBase"], "../strided-map-base.ts"),
    line(["StridedWalk", "forEachRow"], "../strided-walk.ts"),
    line(["ConstStridedMap", "ConstTensorMap", "CopySource", "StridedMap", "TensorMap"], "../tensor-map.ts", true),
    line(["TensorMapBase"], "../tensor-map-base.ts"),
    line(["TensorMapKind"], "../tensor-map-kind.ts", true),
  ].join("");
}

/** The text of generated/<file>.ts. */
export function kindFile(kind) {
  const dtypes = kind.dtypes.length === 0 ? "every raw dtype at any byte offset" : kind.dtypes.join(", ");
  const body = [
    kindClass(kind),
    writers(kind),
    ...RANKS.flatMap((rank) => [constClass(kind, rank), mutableClass(kind, rank)]),
    generalClasses(kind),
    makeFunction(kind),
    ...stridedClasses(kind, RANKS),
    factory(kind),
  ]
    .filter((part) => part !== "")
    .join("\n");
  const head = `// Maps of ${dtypes}. Written by tools/generate-tensor-maps.mjs: change the templates there, not this file.\n// The methods are documented in tensor-map.ts.\n`;
  return `${head}${imports(kind, body)}\n${body}`;
}
