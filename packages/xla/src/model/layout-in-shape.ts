/**
 * Functions on the layouts of whole shapes: test for layouts, compare, remove and copy them (xla/layout_util.cc). Shapes
 * are immutable; functions that change their argument in C++ return a new shape here.
 */
import { checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkLayout, checkShape } from "../type/argument-check.ts";
import type { EraOptions } from "./era.ts";
import type { Layout, LayoutEqualOptions } from "./layout.ts";
import { Shape, shownShape } from "./shape.ts";
import { validateLayoutForShape } from "./validate-layout.ts";

/**
 * Returns true if every array of a shape has a layout (HasLayout). Tokens and opaque values count as having one. With
 * the option `era: "2017"` a scalar always counts as having a layout, and any other array only if its minorToMajor is
 * not empty.
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
 * Returns true if any array of a shape has a layout (HasAnyLayout). Tokens and opaque values count as having one.
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
 * Returns true if two layouts are equal (LayoutUtil::Equal). Layout.equals describes the options.
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
 * Returns true if two shapes have the same layouts (LayoutsInShapesEqual). Tuples are compared child by child. Arrays
 * match if they have the same rank and equal layouts, or neither has a layout; their sizes may differ. Tokens match
 * tokens, and opaque values match opaque values.
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
 * Returns the shape with every layout removed (ClearLayout).
 *
 * @example
 * LayoutUtil.clearLayout(ShapeUtil.makeShape("f32", [2])).layout; // => null
 */
export function clearLayout(shape: Shape): Shape {
  checkShape(shape);
  return mapLayouts(shape, () => null);
}

/**
 * Returns the shape with the tiles removed from every layout (ClearTiles).
 *
 * @example
 * LayoutUtil.clearTiles(parseShape("f32[9]{0:T(4)S(5)}")).toString(true); // => "f32[9]{0:S(5)}"
 */
export function clearTiles(shape: Shape): Shape {
  checkShape(shape);
  return mapLayouts(shape, (layout) => layout.with({ tiles: [] }));
}

/** Returns the shape with every layout replaced by the result of `change`. Arrays without a layout stay as they are. */
export function mapLayouts(shape: Shape, change: (layout: Layout) => Layout | null): Shape {
  if (shape.isTuple()) return Shape.tuple(shape.tupleShapes.map((child) => mapLayouts(child, change)));
  if (shape.bufferShape !== null) return Shape.buffer(mapLayouts(shape.bufferShape, change));
  return shape.layout === null ? shape : shape.with({ layout: change(shape.layout) });
}

/**
 * Returns `target` with the layouts of `source` (CopyLayoutBetweenShapes). The sizes of the two shapes may differ. Where
 * the source has no layout, the target's layout is removed.
 *
 * Throws INVALID_ARGUMENT if the shapes differ in their tuple structure or their ranks, or if a layout does not fit.
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
 * Returns true if any array of a shape has a layout with its own element size (HasCustomElementSizeInBits).
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
 * Returns true if the array is padded in the 2017 sense: some padded dimension is wider than the dimension itself
 * (IsPadded). Returns false for tuples, for shapes without a layout and for layouts without padded dimensions.
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
 * Returns true if an array is stored densely: it has a layout, and the layout has no sparse levels (IsDenseArray).
 *
 * @example
 * LayoutUtil.isDenseArray(ShapeUtil.makeShape("f32", [2])); // => true
 * LayoutUtil.isDenseArray(Shape.token()); // => false
 */
export function isDenseArray(shape: Shape): boolean {
  checkShape(shape);
  return shape.isArray() && shape.layout?.isDense() === true;
}
