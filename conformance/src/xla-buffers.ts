/**
 * Buffers of xla.json: a list with the value of each cell of the memory, including padding.
 *
 * A letter stands for its character code, as in the pictures of the XLA documents. Cells are read and written through a view of rank 1,
 * so that the package, and not the runner, packs and encodes elements such as s4 and bf16.
 */
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import type { Complex, RawDType, TypedArray } from "@onebuffer/base";
import { Layout, layoutView, PrimitiveType, primitiveTypeToDType, Shape, tiledElementCount } from "@onebuffer/xla";
import type { LayoutElement, LayoutView } from "@onebuffer/xla";
import { toExactInteger, toFlag, toList } from "./args.ts";
import { gotWant } from "./compare.ts";
import type { Matcher } from "./compare.ts";
import { toNumber } from "./elements.ts";
import { isJsonArray } from "./vector.ts";
import type { Json } from "./vector.ts";

/** The types without a TensorFlow dtype. They take one byte per element. */
const kXlaOnly: ReadonlySet<PrimitiveType> = new Set([
  PrimitiveType.S1,
  PrimitiveType.U1,
  PrimitiveType.F8E4M3,
  PrimitiveType.F8E3M4,
  PrimitiveType.F4E2M1FN,
  PrimitiveType.F8E8M0FNU,
]);

/** Converts a literal to the value that a view of the element type takes. */
export function toValue(type: PrimitiveType, json: Json): LayoutElement {
  if (type === PrimitiveType.C64 || type === PrimitiveType.C128)
    return isJsonArray(json) ? [toNumber(json[0]), toNumber(json[1])] : [toNumber(json), 0];
  if (type === PrimitiveType.PRED) return json === 0 || json === 1 ? json === 1 : toFlag(json, "pred");
  if (typeof json === "string" && /^\D$/.test(json)) return json.charCodeAt(0);
  return type === PrimitiveType.S64 || type === PrimitiveType.U64 ? toExactInteger(json, "values") : toNumber(json);
}

/** Converts a list of literals to values. */
export function toValues(shape: Shape, json: Json | undefined): LayoutElement[] {
  return toList(json, "values").map((value) => toValue(shape.elementType, value));
}

/** Returns a typed array for `cells` cells of an element type. */
function memoryOf(type: PrimitiveType, cells: number): TypedArray {
  if (kXlaOnly.has(type)) return new Uint8Array(cells);
  const dtype = primitiveTypeToDType(type) as RawDType;
  return new (typedArrayConstructor(dtype))(cells * arraySlots(dtype));
}

/** Returns a view of rank 1 over the memory of a shape. */
function cellView(shape: Shape, data: TypedArray, cells: number): LayoutView<LayoutElement> {
  const flat = Shape.array(shape.elementType, [cells], {
    layout: new Layout([0], { elementSizeInBits: shape.layout?.elementSizeInBits ?? 0 }),
  });
  return layoutView<LayoutElement>(flat, data);
}

/** Returns memory for a shape: zeros, or the given cells. */
export function toBuffer(shape: Shape, values?: readonly LayoutElement[]): TypedArray {
  const tail = Math.max(1, shape.layout?.tailPaddingAlignmentInElements ?? 1);
  const cells = values?.length ?? Math.ceil(tiledElementCount(shape) / tail) * tail;
  const data = memoryOf(shape.elementType, cells);
  if (values !== undefined) cellView(shape, data, cells).copyFrom(values);
  return data;
}

/** Returns a view of a shape over new memory, filled from row-major values. */
export function viewOfValues(shape: Shape, values: readonly LayoutElement[]): LayoutView<LayoutElement> {
  const view = layoutView<LayoutElement>(shape, toBuffer(shape));
  view.copyFrom(values);
  return view;
}

/** Returns true if two values are identical. For f32 and c64 the wanted value is also tried rounded to float32. */
function sameValue(type: PrimitiveType, got: LayoutElement, want: LayoutElement): boolean {
  if (Array.isArray(got) && Array.isArray(want))
    return (got as Complex).every(
      (part, i) => Object.is(part, want[i]) || (type === PrimitiveType.C64 && Object.is(part, Math.fround(want[i] as number))),
    );
  return Object.is(got, want) || (type === PrimitiveType.F32 && Object.is(got, Math.fround(want as number)));
}

/** Values of one element type, to compare with a list of literals. */
export class Values implements Matcher {
  readonly #type: PrimitiveType;
  readonly #got: readonly LayoutElement[];

  constructor(shape: Shape, got: readonly LayoutElement[]) {
    this.#type = shape.elementType;
    this.#got = got;
  }

  /** Returns all cells of a view's memory. */
  static ofCells({ shape, data, cells }: LayoutView<LayoutElement>): Values {
    return new Values(shape, cellView(shape, data, cells).toArray());
  }

  mismatch(expected: Json): string | null {
    if (!isJsonArray(expected) || expected.length !== this.#got.length) return gotWant(this.#got, expected);
    const isSame = this.#got.every((value, i) => sameValue(this.#type, value, toValue(this.#type, expected[i] ?? null)));
    return isSame ? null : gotWant(this.#got, expected);
  }
}
