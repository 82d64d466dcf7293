/** Whether a transpose or reshape of an array moves bytes, and why: the memory before and after. */
import { layoutView, permute, ShapeUtil } from "onebuffer/xla";
import type { Shape } from "onebuffer/xla";
import { errorText } from "../../panel.ts";
import { indexOf, productOf, flatOf } from "../../parts/number-text.ts";

/** The operation asked about. */
export type Operation = "transpose" | "reshape";

/** The answer. */
export interface Verdict {
  /** True if no byte moves; null if the question is not valid. */
  readonly free: boolean | null;
  readonly result: string;
  /** The elements in the order of memory, before and after. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** A layout of the result with which the operation is free; "" if there is none. */
  readonly freeLayout: string;
  readonly why: string;
}

/**
 * Asks ShapeUtil about an operation on an array. `to` is the permutation of a transpose or the sizes of a reshape, `order` the
 * minor_to_major of the result; an empty order is row-major.
 */
export function verdictOf(
  shape: Shape,
  operation: Operation,
  to: readonly number[] | null,
  order: readonly number[] | null,
  letterOf: (code: number) => string,
  named: (shape: Shape) => string,
): Verdict {
  try {
    if (to === null || order === null) throw new RangeError("a list of whole numbers is missing");
    return operation === "transpose" ? transposed(shape, to, order, letterOf, named) : reshaped(shape, to, order, letterOf, named);
  } catch (error) {
    return { free: null, result: "", before: [], after: [], freeLayout: "", why: errorText(error) };
  }
}

const kFirstLetter = "a".charCodeAt(0);
const kLetterCount = 26;

function transposed(
  shape: Shape,
  mapping: readonly number[],
  order: readonly number[],
  letterOf: (code: number) => string,
  named: (shape: Shape) => string,
): Verdict {
  const sizes = permute(shape.dimensions, mapping);
  const output = denseShape(sizes, order);
  const free = ShapeUtil.transposeSharesBuffer(shape, output, mapping);
  const source = (flat: number): number => {
    const index = indexOf(flat, sizes);
    const from: number[] = [];
    for (const [i, d] of mapping.entries()) from[d] = index[i]!;
    return flatOf(from, shape.dimensions);
  };
  const freeLayout = isPlain(shape) ? named(ShapeUtil.permuteDimensions(mapping, shape)) : "";
  return verdict(shape, output, free, freeLayout, source, letterOf, named);
}

function reshaped(
  shape: Shape,
  sizes: readonly number[],
  order: readonly number[],
  letterOf: (code: number) => string,
  named: (shape: Shape) => string,
): Verdict {
  const output = denseShape(sizes, order);
  if (productOf(sizes) !== productOf(shape.dimensions))
    throw new RangeError(`[${sizes.join(", ")}] has ${productOf(sizes)} elements, the array ${productOf(shape.dimensions)}`);
  const free = ShapeUtil.reshapeIsBitcast(shape, output);
  const aligned = isPlain(shape) ? ShapeUtil.alignLayouts(shape, output) : null;
  return verdict(shape, output, free, aligned === null ? "" : named(aligned), (flat) => flat, letterOf, named);
}

/** True if the array is neither padded nor tiled. */
const isPlain = (shape: Shape): boolean => shape.layout!.tiles.length === 0 && shape.layout!.paddedDimensions.length === 0;

function denseShape(sizes: readonly number[], order: readonly number[]): Shape {
  const rowMajor = sizes.map((_, i) => sizes.length - 1 - i);
  return ShapeUtil.makeShapeWithDenseLayout("u8", sizes, order.length === 0 ? rowMajor : order);
}

/** Puts the letters into both memories and compares them. */
function verdict(
  shape: Shape,
  output: Shape,
  free: boolean,
  freeLayout: string,
  source: (flat: number) => number,
  letterOf: (code: number) => string,
  named: (shape: Shape) => string,
): Verdict {
  const count = productOf(shape.dimensions);
  const before = lettersOf(shape, (flat) => flat, count, letterOf);
  const after = lettersOf(output, source, count, letterOf);
  const moving = after.filter((letter, i) => letter !== before[i]).length;
  const result = named(output);
  return { free, result, before, after, freeLayout, why: reason(shape, free, moving, count, freeLayout) };
}

function reason(shape: Shape, free: boolean, moving: number, count: number, freeLayout: string): string {
  if (free) return "Every element stays where it is, so the result is another shape over the same bytes.";
  if (!isPlain(shape)) return "The padding or the tiles leave the memory in another form, so the elements must be copied out.";
  const most = `${moving} of ${count} elements would have to move.`;
  return freeLayout === ""
    ? `${most} No order of the new dimensions fits these bytes, so this is always a copy.`
    : `${most} With the layout ${freeLayout} none would.`;
}

/** Returns the elements in the order of memory. Cells without an element are left out only if they are at the end. */
function lettersOf(shape: Shape, source: (flat: number) => number, count: number, letterOf: (code: number) => string): string[] {
  const codes = Array.from({ length: count }, (_, flat) => codeOf(source(flat)));
  const view = layoutView(shape, new Uint8Array(cellsOf(shape)));
  view.copyFrom(codes);
  return Array.from(view.data as Uint8Array, letterOf);
}

const codeOf = (flat: number): number => (flat < kLetterCount ? kFirstLetter + flat : "A".charCodeAt(0) + flat - kLetterCount);
const cellsOf = (shape: Shape): number => ShapeUtil.arraySize(shape);
