// The classes of general rank: sizes in an array, indices as a list. They also serve arrays of 2^30 places and more, whose
// offsets would not stay small integers in the fields of the rank-specialised classes.
import { carried, dtypeUnion, generics } from "./kinds.mjs";
import { writerMethods } from "./rank-class.mjs";

const lastField = (kind) => {
  const last = carried(kind);
  return last === null ? [] : [last];
};

/** `const place = …` from `flat`, which is -1 when the indices are wrong; -1 is inside no array. */
function place(kind) {
  const scaled =
    kind.form === "complex"
      ? "(this.base + flat) * 2"
      : kind.form === "unaligned"
        ? "this.base + flat * this.codec.bytes"
        : "this.base + flat";
  return `    const place = flat < 0 ? -1 : ${scaled};\n`;
}

function atMethod(kind) {
  const head = `  at(...indices: readonly number[]): ${kind.element} {
    const flat = this.owner.refs === 0 ? -1 : flatIndex(this.dims, indices);
${place(kind)}`;
  const fail = "throw accessError(this, indices);\n";
  if (kind.form === "object" || kind.form === "unaligned") {
    const value = kind.form === "object" ? "this.array[place]" : "this.codec.read(place)";
    return `${head}    if (place < 0 || place >= this.array.length) ${fail}    return ${value};\n  }\n`;
  }
  if (kind.form === "complex") {
    return `${head}    const re = this.array[place];\n    if (re === undefined) ${fail}    return [re, this.array[place + 1] as number];\n  }\n`;
  }
  return `${head}    const raw = this.array[place];\n    if (raw === undefined) ${fail}    return ${kind.read("raw")};\n  }\n`;
}

function setMethod(kind) {
  const value = kind.form === "object" ? `ElementInput<${dtypeUnion(kind)}>` : kind.input;
  const test = kind.form === "unaligned" ? "" : ` || !(${kind.ok("value")})`;
  const head = `  set(...args: [...indices: readonly number[], value: ${value}]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as ${value};
    const flat = this.owner.refs === 0${test} ? -1 : flatIndex(this.dims, indices);
${place(kind)}    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);\n`;
  if (kind.form === "unaligned") return `${head}    this.codec.write(place, value);\n  }\n`;
  if (kind.form === "complex") return `${head}    this.array[place] = value[0];\n    this.array[place + 1] = value[1];\n  }\n`;
  if (kind.form === "object") return `${head}    ${kind.store("place", "value")};\n  }\n`;
  return `${head}    this.array[place] = ${kind.write("value")};\n  }\n`;
}

function chipMethod(kind, isConst) {
  const { use } = generics(kind);
  const last = lastField(kind)
    .map(({ name }) => `, this.${name}`)
    .join("");
  const unit = kind.form === "unaligned" ? " * this.codec.bytes" : "";
  const result = `${isConst ? "Const" : ""}TensorMap<${dtypeUnion(kind)}, number>`;
  return `  ${isConst ? "" : "override "}chip(offset: number, dim: number = 0): ${result} {
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis)${unit};
    return make${kind.id}${use}(this.array, start, this.owner, this.dims.filter((_, d) => d !== axis)${last})${isConst ? ".asConst()" : ""};
  }\n`;
}

/** Both classes of general rank. */
export function generalClasses(kind) {
  const { parameters, use } = generics(kind);
  const dtype = dtypeUnion(kind);
  const own = [
    { name: "array", type: kind.array },
    { name: "base", type: "number" },
    { name: "owner", type: "MemoryOwner" },
    { name: "dims", type: "readonly number[]" },
    ...lastField(kind),
  ];
  const parameterList = own.map(({ name, type }) => `${name}: ${type}`).join(", ");
  const name = `General${kind.id}`;
  return `/** Any rank, read-only. */
class Const${name}${parameters} extends Map${kind.id}<${use === "" ? "" : "D, "}number> implements ConstTensorMap<${dtype}, number> {
${own.map(({ name: field, type }) => `  declare readonly ${field}: ${type};\n`).join("")}
  constructor(${parameterList}) {
    super();
${own.map(({ name: field }) => `    this.${field} = ${field};\n`).join("")}  }

  get rank(): number {
    return this.dims.length;
  }

  get size(): number {
    return product(this.dims);
  }

  get dimensions(): readonly number[] {
    return this.dims.slice();
  }

  dimension(i: number): number {
    const size = this.dims[i];
    if (size === undefined) throw dimensionError(i, this.dims.length);
    return size;
  }

${atMethod(kind)}
${chipMethod(kind, true)}
  asConst(): Const${name}${use} {
    return this;
  }
}

/** Any rank. */
class ${name}${parameters} extends Const${name}${use} implements TensorMap<${dtype}, number> {
${setMethod(kind)}
${writerMethods(kind)}
${chipMethod(kind, false)}
  override asConst(): Const${name}${use} {
    return new Const${name}(${own.map(({ name: field }) => `this.${field}`).join(", ")});
  }
}\n`;
}
