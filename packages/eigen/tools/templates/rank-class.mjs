// The two classes of one rank and storage kind: Const… with everything that reads, and its subclass that writes.
import { atMethod, indexNames, setMethod } from "./access.mjs";
import { carried, dtypeUnion, generics } from "./kinds.mjs";

/** Scalar, Vec, Matrix, Tensor3 … Tensor6. */
export const rankName = (rank) => ["Scalar", "Vec", "Matrix"][rank] ?? `Tensor${rank}`;

/** `MatrixF32` and, read-only, `ConstMatrixF32`. */
export const className = (kind, rank, isConst) => `${isConst ? "Const" : ""}${rankName(rank)}${kind.id}`;

export const sizes = (rank) => Array.from({ length: rank }, (_, d) => `d${d}`);

/** The constructor's parameters in the fixed order of the fields: array, base, owner, sizes, what the kind carries. */
function fields(kind, rank) {
  const last = carried(kind);
  return [
    { name: "array", type: kind.array },
    { name: "base", type: "number" },
    { name: "owner", type: "MemoryOwner" },
    ...sizes(rank).map((name) => ({ name, type: "number" })),
    ...(last === null ? [] : [last]),
  ];
}

/** `new MatrixF32(this.array, start, this.owner, this.d1, …)`. */
function make(kind, rank, isConst, start, kept) {
  const last = carried(kind);
  const list = ["this.array", start, "this.owner", ...kept.map((d) => `this.d${d}`), ...(last === null ? [] : [`this.${last.name}`])];
  return `new ${className(kind, rank, isConst)}(${list.join(", ")})`;
}

const unit = (kind) => (kind.form === "unaligned" ? " * this.codec.bytes" : "");

/** The method `chip`: dimension 0 without detours, the others if the elements lie side by side. */
function chipMethod(kind, rank, isConst) {
  const { use } = generics(kind);
  if (rank === 0) {
    if (!isConst) return "";
    return `  chip(offset: number, dim: number = 0): never {
    chipStart(this, offset, chipAxis(this, dim));
    throw accessError(this, []);
  }\n\n`;
  }
  const result = `${className(kind, rank - 1, isConst)}${use}`;
  const all = Array.from({ length: rank }, (_, d) => d);
  const without = (dim) =>
    make(
      kind,
      rank - 1,
      isConst,
      "start",
      all.filter((d) => d !== dim),
    );
  const stride = all
    .slice(1)
    .map((d) => ` * this.d${d}`)
    .join("");
  const lines = [
    `  ${isConst ? "" : "override "}chip(offset: number, dim: number = 0): ${result} {`,
    `    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {`,
    `      const start = this.base + offset${stride}${unit(kind)};`,
    `      return ${without(0)};`,
    `    }`,
    `    const axis = chipAxis(this, dim);`,
    `    const start = this.base + chipStart(this, offset, axis)${unit(kind)};`,
  ];
  for (let dim = 1; dim < rank; dim++) lines.push(`    if (axis === ${dim}) return ${without(dim)};`);
  return [...lines, `    return ${without(0)};`, `  }`, "", ""].join("\n");
}

/** The method `dimension` of a rank. */
export function dimensionMethod(rank) {
  const cases = sizes(rank)
    .map((name, d) => `    if (i === ${d}) return this.${name};\n`)
    .join("");
  return `  dimension(i: number): number {
${cases}    throw dimensionError(i, ${rank});
  }\n`;
}

/** The read-only class of a rank. */
export function constClass(kind, rank) {
  const { parameters, use } = generics(kind);
  const name = className(kind, rank, true);
  const own = fields(kind, rank);
  const declared = own.map(({ name: field, type }) => `  declare readonly ${field}: ${type};\n`).join("");
  const size =
    rank === 0
      ? "1"
      : sizes(rank)
          .map((field) => `this.${field}`)
          .join(" * ");
  return `/** ${rank === 0 ? "One element" : `Rank ${rank}`}, read-only. */
class ${name}${parameters} extends Map${kind.id}<${use === "" ? "" : "D, "}${rank}> implements ConstTensorMap<${dtypeUnion(kind)}, ${rank}> {
${declared}
  constructor(${own.map(({ name: field, type }) => `${field}: ${type}`).join(", ")}) {
    super();
${own.map(({ name: field }) => `    this.${field} = ${field};\n`).join("")}  }

  get rank(): ${rank} {
    return ${rank};
  }

  get size(): number {
    return ${size};
  }

  get dimensions(): readonly number[] {
    return [${sizes(rank)
      .map((field) => `this.${field}`)
      .join(", ")}];
  }

${dimensionMethod(rank)}
${atMethod(kind, rank)}
${chipMethod(kind, rank, true)}  /** This map, read-only. */
  asConst(): ${name}${use} {
    return this;
  }
}\n`;
}

/** The class of a rank that also writes. */
export function mutableClass(kind, rank) {
  const { parameters, use } = generics(kind);
  const dtype = dtypeUnion(kind);
  const own = fields(kind, rank);
  const all = Array.from({ length: rank }, (_, d) => d);
  return `/** ${rank === 0 ? "One element" : `Rank ${rank}`}. */
class ${className(kind, rank, false)}${parameters} extends ${className(kind, rank, true)}${use} implements TensorMap<${dtype}, ${rank}> {
  constructor(${own.map(({ name: field, type }) => `${field}: ${type}`).join(", ")}) {
    super(${own.map(({ name: field }) => field).join(", ")});
  }

${setMethod(kind, rank)}
${writerMethods(kind)}
${chipMethod(kind, rank, false)}  override asConst(): ${className(kind, rank, true)}${use} {
    return ${make(kind, rank, true, "this.base", all)};
  }
}\n`;
}

/** \`fill\` and \`copyFrom\`, which const classes must not have: they call the functions of the kind's file. */
export function writerMethods(kind) {
  const dtype = dtypeUnion(kind);
  const value = kind.form === "object" ? "ElementInput<" + dtype + ">" : kind.input;
  return `  fill(value: ${value}): void {
    fill${kind.id}(this, value);
  }

  copyFrom(source: CopySource<${dtype}>): void {
    copyElements(this, source, ${kind.form === "object" ? "null" : `(index: number, value: ${kind.input}) => store${kind.id}(this, index, value)`});
  }
`;
}

export { fields, indexNames };
