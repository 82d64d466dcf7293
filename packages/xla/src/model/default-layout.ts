/**
 * The default layout: row-major, minorToMajor descending (LayoutUtil::GetDefaultLayoutFor… in xla/layout_util.cc).
 *
 * In 2017 a process-wide flag, `xla_default_layout`, could turn it around. Here that is a parameter of the one function
 * that answers for shapes; nothing global changes.
 */
import { checkNumber, InvalidArgumentError, shownValue } from "@onebuffer/base";
import { checkShape } from "../type/argument-check.ts";
import { Layout } from "./layout.ts";
import { descendingOrder, makeAscendingLayout, makeDescendingLayout } from "./make-layout.ts";
import { requireArray, Shape, shownShape } from "./shape.ts";

/** The two orders that the 2017 flag could name (its random orders served XLA's own tests). */
export type DefaultLayoutMode = "major2minor" | "minor2major";

/**
 * The descending layout of a rank (GetDefaultLayoutForRank). Throws INVALID_ARGUMENT unless `rank` is a count.
 *
 * @example
 * LayoutUtil.getDefaultLayoutForRank(2).toString(); // => "{1,0}"
 */
export function getDefaultLayoutForRank(rank: number): Layout {
  checkNumber(rank, "rank");
  return makeDescendingLayout(rank);
}

/**
 * The descending layout of rank 2.
 *
 * @example
 * LayoutUtil.getDefaultLayoutForR2().minorToMajor; // => [1, 0]
 */
export function getDefaultLayoutForR2(): Layout {
  return makeDescendingLayout(2);
}

/**
 * The descending layout of rank 3.
 *
 * @example
 * LayoutUtil.getDefaultLayoutForR3().minorToMajor; // => [2, 1, 0]
 */
export function getDefaultLayoutForR3(): Layout {
  return makeDescendingLayout(3);
}

/**
 * The descending layout of rank 4.
 *
 * @example
 * LayoutUtil.getDefaultLayoutForR4().minorToMajor; // => [3, 2, 1, 0]
 */
export function getDefaultLayoutForR4(): Layout {
  return makeDescendingLayout(4);
}

/**
 * The default layout of a shape: descending for arrays, or what the 2017 flag's `mode` says; empty for tokens and
 * opaque values. Throws INVALID_ARGUMENT for tuples and buffers (XLA: fatal), which have none of their own.
 *
 * @example
 * LayoutUtil.getDefaultLayoutForShape(Shape.array("f32", [3, 4, 5])).minorToMajor; // => [2, 1, 0]
 * LayoutUtil.getDefaultLayoutForShape(Shape.array("f32", [3, 4]), "minor2major").minorToMajor; // => [0, 1]
 * LayoutUtil.getDefaultLayoutForShape(Shape.tuple([])); // throws INVALID_ARGUMENT
 */
export function getDefaultLayoutForShape(shape: Shape, mode: DefaultLayoutMode = "major2minor"): Layout {
  checkShape(shape);
  if (mode !== "major2minor" && mode !== "minor2major") throw new InvalidArgumentError(`Unknown default layout '${shownValue(mode)}'`);
  if (shape.isOpaque() || shape.isToken()) return new Layout([]);
  if (!shape.isArray()) throw new InvalidArgumentError(`GetDefaultLayoutForShape: ${shownShape(shape)} has no layout of its own`);
  return mode === "minor2major" ? makeAscendingLayout(shape.rank) : makeDescendingLayout(shape.rank);
}

/**
 * The shape with every array's minorToMajor descending; tiles, element sizes and memory spaces stay, arrays without a
 * layout get one (SetToDefaultLayout, which changes its argument; GetWithDefaultLayout).
 *
 * @example
 * const shape = Shape.array("f32", [2, 3, 4], { layout: new Layout([1, 0, 2], { memorySpace: 5 }) });
 * LayoutUtil.setToDefaultLayout(shape).toString(true); // => "f32[2,3,4]{2,1,0:S(5)}"
 */
export function setToDefaultLayout(shape: Shape): Shape {
  checkShape(shape);
  if (shape.isTuple()) return Shape.tuple(shape.tupleShapes.map(setToDefaultLayout));
  if (shape.bufferShape !== null) return Shape.buffer(setToDefaultLayout(shape.bufferShape));
  if (!shape.isArray()) return shape;
  const minorToMajor = descendingOrder(shape.rank);
  return shape.with({ layout: shape.layout === null ? new Layout(minorToMajor) : shape.layout.with({ minorToMajor }) });
}

/** The layout of an array shape. Throws INVALID_ARGUMENT, naming `what` asked, for no array and for no layout. */
export function requireLayout(shape: Shape, what: string): Layout {
  const layout = requireArray(shape, what).layout;
  if (layout === null) throw new InvalidArgumentError(`${what}: shape ${shownShape(shape)} does not have a layout`);
  return layout;
}
