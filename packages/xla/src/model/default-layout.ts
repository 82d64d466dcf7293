/**
 * The default layout of a shape: row-major, that is, minorToMajor in descending order (LayoutUtil::GetDefaultLayoutFor…
 * in xla/layout_util.cc).
 *
 * In 2017 a process-wide flag, `xla_default_layout`, could reverse that order. Here the order is a parameter of
 * getDefaultLayoutForShape; there is no global state.
 */
import { checkNumber, shownValue } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkShape } from "../type/argument-check.ts";
import { Layout } from "./layout.ts";
import { descendingOrder, makeAscendingLayout, makeDescendingLayout } from "./make-layout.ts";
import { requireArray, Shape, shownShape } from "./shape.ts";

/** The two orders that the 2017 flag could select. The flag's third choice, random orders, served XLA's own tests only. */
export type DefaultLayoutMode = "major2minor" | "minor2major";

/**
 * Returns the descending layout of a rank (GetDefaultLayoutForRank). Throws INVALID_ARGUMENT if `rank` is not a
 * non-negative integer.
 *
 * @example
 * LayoutUtil.getDefaultLayoutForRank(2).toString(); // => "{1,0}"
 */
export function getDefaultLayoutForRank(rank: number): Layout {
  checkNumber(rank, "rank");
  return makeDescendingLayout(rank);
}

/**
 * Returns the descending layout of rank 2.
 *
 * @example
 * LayoutUtil.getDefaultLayoutForR2().minorToMajor; // => [1, 0]
 */
export function getDefaultLayoutForR2(): Layout {
  return makeDescendingLayout(2);
}

/**
 * Returns the descending layout of rank 3.
 *
 * @example
 * LayoutUtil.getDefaultLayoutForR3().minorToMajor; // => [2, 1, 0]
 */
export function getDefaultLayoutForR3(): Layout {
  return makeDescendingLayout(3);
}

/**
 * Returns the descending layout of rank 4.
 *
 * @example
 * LayoutUtil.getDefaultLayoutForR4().minorToMajor; // => [3, 2, 1, 0]
 */
export function getDefaultLayoutForR4(): Layout {
  return makeDescendingLayout(4);
}

/**
 * Returns the default layout of a shape: for an array the descending layout, or the ascending one if `mode` is
 * "minor2major"; for tokens and opaque values the empty layout. Throws INVALID_ARGUMENT for tuples and buffers, which
 * have no layout of their own (XLA aborts).
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
 * Returns the shape with the minorToMajor of every array set to descending order. Tiles, element sizes and memory spaces
 * stay; arrays without a layout get one (SetToDefaultLayout, which changes its argument; GetWithDefaultLayout).
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

/**
 * Returns the layout of an array shape. Throws INVALID_ARGUMENT if the shape is not an array or has no layout; the
 * message starts with `what`, the caller's name.
 */
export function requireLayout(shape: Shape, what: string): Layout {
  const layout = requireArray(shape, what).layout;
  if (layout === null) throw new InvalidArgumentError(`${what}: shape ${shownShape(shape)} does not have a layout`);
  return layout;
}
