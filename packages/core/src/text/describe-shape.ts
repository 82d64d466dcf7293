/**
 * The byte picture of a shape: the 16 bytes of TensorShapeRep and the meaning of each, as data and as text.
 *
 *     byte   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
 *           02 00 03 00 00 00 00 00 00 00 00 00 00 01 02 00
 *           |d0   |d1   |-    |-    |-    |-    |s |t |r |g |
 */
import { checkObject } from "@onebuffer/base/internal";
import { dataTypeString } from "@onebuffer/base";
import type { RepTag, TensorShapeBase } from "@onebuffer/shape";

/** A range of bytes in the picture and the field that it holds. */
export interface ShapeField {
  /** `d0`, `seal`, `dtype`, `rank`, `tag`, `pointer`, or `-` for unused bytes. */
  readonly name: string;
  /** The first byte. */
  readonly from: number;
  /** One past the last byte. */
  readonly to: number;
  /** The value in readable form; null for unused bytes. */
  readonly value: number | string | null;
}

/** The type of `describe(shape).data`. */
export interface ShapeDescription {
  readonly kind: "shape";
  /** The sizes as text: `[2,3]`. */
  readonly shape: string;
  readonly dims: readonly number[];
  readonly numElements: number;
  readonly rep: RepTag;
  readonly sealed: boolean;
  /** Byte 13, a DataType number. */
  readonly dataType: number;
  /** TensorFlow's 16 bytes. */
  readonly bytes: readonly number[];
  readonly fields: readonly ShapeField[];
  /** The sizes, if they are stored outside the 16 bytes (REP_OUT_OF_LINE); otherwise empty. */
  readonly outOfLine: readonly number[];
}

const kWidth = { REP16: 2, REP32: 4, REP_OUT_OF_LINE: 8 } as const;
const kMarks: Readonly<Record<string, string>> = { seal: "s", dtype: "t", rank: "r", tag: "g", pointer: "pointer" };

/** Returns the description of a shape as data. */
export function shapeDescription(shape: TensorShapeBase): ShapeDescription {
  checkObject(shape, "a shape");
  const { rep, dimSizes } = shape;
  const width = kWidth[rep];
  const bytes = Array.from(shape.bytes());
  const fields: ShapeField[] = [];
  for (let from = 0; from < 12; from += width) {
    const d = from / width;
    const to = Math.min(from + width, 12);
    if (rep === "REP_OUT_OF_LINE")
      fields.push(d === 0 ? { name: "pointer", from, to, value: "list" } : { name: "-", from, to, value: null });
    else if (d < dimSizes.length) fields.push({ name: `d${d}`, from, to, value: dimSizes[d] ?? 0 });
    else fields.push({ name: "-", from, to, value: null });
  }
  fields.push({ name: "seal", from: 12, to: 13, value: shape.isSealed ? 1 : 0 });
  fields.push({ name: "dtype", from: 13, to: 14, value: bytes[13] ?? 0 });
  fields.push({ name: "rank", from: 14, to: 15, value: bytes[14] ?? 0 });
  fields.push({ name: "tag", from: 15, to: 16, value: bytes[15] ?? 0 });
  return {
    kind: "shape",
    shape: shape.debugString(),
    dims: dimSizes,
    numElements: shape.numElements,
    rep,
    sealed: shape.isSealed,
    dataType: shape.dataType,
    bytes,
    fields,
    outOfLine: rep === "REP_OUT_OF_LINE" ? dimSizes : [],
  };
}

/** Returns one row of cells, three columns per byte. */
function row(fields: readonly ShapeField[], text: (field: ShapeField) => string): string {
  return `${fields.map((field) => `|${text(field).slice(0, (field.to - field.from) * 3 - 1)}`.padEnd((field.to - field.from) * 3)).join("")}|`;
}

/** Returns the picture as lines of text. */
export function shapePicture(data: ShapeDescription): string[] {
  const type = data.dataType === 0 ? "no dtype" : dataTypeString(data.dataType);
  const known = data.numElements < 0 ? "unknown number of" : String(data.numElements);
  const lines = [
    `byte  ${data.bytes.map((_, i) => String(i).padStart(2)).join(" ")}`,
    `      ${data.bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(" ")}`,
    `     ${row(data.fields, (field) => kMarks[field.name] ?? field.name)}`,
    `     ${row(data.fields, (field) => (field.value === null ? "" : String(field.value)))}`,
    `${data.shape}: ${data.rep}, ${known} elements; s seal${data.sealed ? " (sealed)" : ""}, t dtype (${type}), r rank, g tag`,
  ];
  if (data.outOfLine.length > 0) lines.push(`pointer -> list [${data.outOfLine.join(", ")}]`);
  return lines;
}
