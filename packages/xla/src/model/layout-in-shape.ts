/**
 * Layouts of whole shapes: whether they are there, the same, taken away, copied (xla/layout_util.cc). Shapes are values;
 * what changes its argument in C++ answers with a new shape here.
 */
import { checkObject, InvalidArgumentError } from "@onebuffer/base";
import { checkLayout, checkShape } from "../type/argument-check.ts";
import type { EraOptions } from "./era.ts";
import type { Layout, LayoutEqualOptions } from "./layout.ts";
import { Shape, shownShape } from "./shape.ts";
import { validateLayoutForShape } from "./validate-layout.ts";

/**
 * Whether every array of a shape has a layout; tokens and opaque values count as having one (HasLayout). In 2017 a scalar
 * always had one, and an array only when minorToMajor was not empty.
 *
 * @example
 * LayoutUtil.hasLayout(Shape.tuple([ShapeUtil.makeShape("f32", [2]), Shape.token()])); // => true
 * LayoutUtil.hasLayout(Shape.array("f32", [])); // => false
 * LayoutUtil.hasLayout(Shape.array("f32", []), { era: "2017" }); // => true
 */
export function hasLayout(shape: Shape, options: EraOptions = {}): boolean {
  checkShape(shape);
  checkObject(options, "options");
  if (shape.isTuple()) return shape.tupleShapes.every((child) => hasLayout(child, options));
  if (shape.bufferShape !== null) return hasLayout(shape.bufferShape, options);
  if (!shape.isArray()) return true;
  if (options.era === "2017") return shape.rank === 0 || (shape.layout !== null && shape.layout.minorToMajor.length > 0);
  return shape.layout !== null;
}

/**
 * Whether any array of a shape has a layout (HasAnyLayout). Tokens and opaque values count as having one.
 *
 * @example
 * LayoutUtil.hasAnyLayout(Shape.tuple([ShapeUtil.makeShape("f32", [2]), Shape.array("f32", [2])])); // => true
 */
export function hasAnyLayout(shape: Shape): boolean {
  checkShape(shape);
  if (shape.isTuple()) return shape.tupleShapes.some(hasAnyLayout);
  return hasLayout(shape);
}

/**
 * Whether two layouts are the same (LayoutUtil::Equal); see Layout.equals for the knobs.
 *
 * @example
 * LayoutUtil.equal(new Layout([1, 0]), new Layout([1, 0])); // => true
 */
export function equal(a: Layout, b: Layout, options: LayoutEqualOptions = {}): boolean {
  checkLayout(a);
  checkLayout(b);
  checkObject(options, "options");
  return a.equals(b, options);
}

/**
 * Whether two shapes have the same layouts: tuples elementwise, arrays of the same rank with equal layouts, whatever
 * their sizes; two tokens or opaque values do (LayoutsInShapesEqual). A layout on one side only is a difference.
 *
 * @example
 * LayoutUtil.layoutsInShapesEqual(ShapeUtil.makeShape("f32", [2, 3]), ShapeUtil.makeShape("s8", [7, 7])); // => true
 * LayoutUtil.layoutsInShapesEqual(ShapeUtil.makeShape("f32", [2]), Shape.tuple([])); // => false
 */
export function layoutsInShapesEqual(a: Shape, b: Shape, options: LayoutEqualOptions = {}): boolean {
  checkShape(a);
  checkShape(b);
  checkObject(options, "options");
  if (a.isTuple() && b.isTuple()) {
    return (
      a.tupleShapes.length === b.tupleShapes.length &&
      a.tupleShapes.every((child, i) => layoutsInShapesEqual(child, b.tupleShapes[i]!, options))
    );
  }
  if (a.bufferShape !== null && b.bufferShape !== null) return layoutsInShapesEqual(a.bufferShape, b.bufferShape, options);
  if (!a.isArray() || !b.isArray()) return a.elementType === b.elementType;
  if (a.rank !== b.rank) return false;
  return a.layout === null || b.layout === null ? a.layout === b.layout : a.layout.equals(b.layout, options);
}

/**
 * The shape without any layout (ClearLayout).
 *
 * @example
 * LayoutUtil.clearLayout(ShapeUtil.makeShape("f32", [2])).layout; // => null
 */
export function clearLayout(shape: Shape): Shape {
  checkShape(shape);
  return mapLayouts(shape, () => null);
}

/**
 * The shape without tiles in its layouts (ClearTiles).
 *
 * @example
 * LayoutUtil.clearTiles(parseShape("f32[9]{0:T(4)S(5)}")).toString(true); // => "f32[9]{0:S(5)}"
 */
export function clearTiles(shape: Shape): Shape {
  checkShape(shape);
  return mapLayouts(shape, (layout) => layout.with({ tiles: [] }));
}

/** The shape with every layout replaced by what `change` makes of it. */
export function mapLayouts(shape: Shape, change: (layout: Layout) => Layout | null): Shape {
  if (shape.isTuple()) return Shape.tuple(shape.tupleShapes.map((child) => mapLayouts(child, change)));
  if (shape.bufferShape !== null) return Shape.buffer(mapLayouts(shape.bufferShape, change));
  return shape.layout === null ? shape : shape.with({ layout: change(shape.layout) });
}

/**
 * `target` with the layouts of `source`; sizes may differ, a source without layout clears the target's
 * (CopyLayoutBetweenShapes).
 *
 * Throws INVALID_ARGUMENT unless both have the same tuple tree and ranks, and for a layout that does not fit.
 *
 * @example
 * const target = ShapeUtil.makeShape("f32", [5, 7]);
 * LayoutUtil.copyLayoutBetweenShapes(parseShape("s8[2,3]{0,1}"), target).toString(true); // => "f32[5,7]{0,1}"
 * LayoutUtil.copyLayoutBetweenShapes(Shape.tuple([]), target); // throws INVALID_ARGUMENT
 */
export function copyLayoutBetweenShapes(source: Shape, target: Shape): Shape {
  checkShape(source);
  checkShape(target);
  if (source.isTuple() && target.isTuple() && source.tupleShapes.length === target.tupleShapes.length) {
    return Shape.tuple(source.tupleShapes.map((child, i) => copyLayoutBetweenShapes(child, target.tupleShapes[i]!)));
  }
  if (source.bufferShape !== null && target.bufferShape !== null)
    return Shape.buffer(copyLayoutBetweenShapes(source.bufferShape, target.bufferShape));
  if (source.isArray() && target.isArray() && source.rank === target.rank) {
    if (source.layout !== null) validateLayoutForShape(source.layout, target);
    return target.with({ layout: source.layout });
  }
  if (!source.isArray() && !source.isTuple() && source.elementType === target.elementType) return target;
  throw new InvalidArgumentError(`cannot copy layout from shape: ${shownShape(source, true)} to shape: ${shownShape(target)}`);
}

/**
 * Whether any array of a shape stores its elements in a size of the layout's own (HasCustomElementSizeInBits).
 *
 * @example
 * LayoutUtil.hasCustomElementSizeInBits(parseShape("s4[3,5]{1,0:E(4)}")); // => true
 */
export function hasCustomElementSizeInBits(shape: Shape): boolean {
  checkShape(shape);
  if (shape.bufferShape !== null) return hasCustomElementSizeInBits(shape.bufferShape);
  return (shape.layout !== null && shape.layout.elementSizeInBits !== 0) || shape.tupleShapes.some(hasCustomElementSizeInBits);
}

/**
 * Whether the array is padded as 2017 had it: some padded dimension is wider than the dimension (IsPadded). Tuples,
 * shapes without a layout and layouts without padded dimensions are not.
 *
 * @example
 * const layout = new Layout([0, 1], { paddedDimensions: [3, 5] });
 * LayoutUtil.isPadded(Shape.array("f32", [2, 3], { layout })); // => true
 * LayoutUtil.isPadded(Shape.array("f32", [3, 5], { layout })); // => false
 */
export function isPadded(shape: Shape): boolean {
  checkShape(shape);
  if (!shape.isArray() || shape.layout === null) return false;
  return shape.layout.paddedDimensions.some((width, dim) => width > (shape.dimensions[dim] ?? width));
}

/**
 * Whether an array is stored densely: it has a layout without sparse levels (IsDenseArray).
 *
 * @example
 * LayoutUtil.isDenseArray(ShapeUtil.makeShape("f32", [2])); // => true
 * LayoutUtil.isDenseArray(Shape.token()); // => false
 */
export function isDenseArray(shape: Shape): boolean {
  checkShape(shape);
  return shape.isArray() && shape.layout?.isDense() === true;
}
