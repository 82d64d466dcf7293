/**
 * Functions on shapes as trees: indices into tuples, leaves, visitors (ShapeIndex and ForEachSubshape in
 * xla/shape_util.h).
 *
 *     (f32[2], (s32[], pred[3]))       {}  the tuple itself      {0}  f32[2]      {1}  (s32[], pred[3])      {1,1}  pred[3]
 *
 * A leaf is a shape that is not a tuple. The empty tuple is not a leaf and has no leaves.
 */
import { checkArray, checkCallback } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkShape } from "../type/argument-check.ts";
import type { Shape } from "../model/shape.ts";
import { kMaxShapeDepth, shownShape } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";

/** The path to a subshape as child numbers from the root: `[1, 0]` is the first child of the second child. */
export type ShapeIndex = readonly number[];

/** A leaf and its index. */
export interface IndexedShape {
  readonly index: ShapeIndex;
  readonly shape: Shape;
}

/** A visitor of subshapes. Returning false stops the walk. */
export type SubshapeVisitor = (shape: Shape, index: ShapeIndex) => unknown;

/**
 * Returns the text of an index (ShapeIndex::ToString).
 *
 * @example
 * ShapeUtil.shapeIndexToString([1, 2]); // => "{1,2}"
 */
export function shapeIndexToString(index: ShapeIndex): string {
  checkArray(index, "an index as an array");
  return index.length > kMaxShapeDepth ? shownList(index) : `{${index.join(",")}}`;
}

/** Returns the subshape at an index, or null if there is none. */
function find(shape: Shape, index: ShapeIndex): Shape | null {
  let found: Shape | undefined = shape;
  for (const child of index) {
    found = Number.isInteger(child) ? found.tupleShapes[child] : undefined;
    if (found === undefined) return null;
  }
  return found;
}

/**
 * Returns the subshape at an index; `[]` is the shape itself (GetSubshape). Throws INVALID_ARGUMENT if there is none (XLA
 * aborts).
 *
 * @example
 * ShapeUtil.getSubshape(parseShape("(f32[2], (s32[], pred[3]))"), [1, 1]).toString(); // => "pred[3]"
 * ShapeUtil.getSubshape(parseShape("f32[2]"), [0]); // throws INVALID_ARGUMENT
 */
export function getSubshape(shape: Shape, index: ShapeIndex): Shape {
  checkShape(shape);
  checkArray(index, "an index as an array");
  const found = find(shape, index);
  if (found === null) throw new InvalidArgumentError(`Shape index ${shownList(index)} not a valid subshape of ${shownShape(shape)}`);
  return found;
}

/**
 * Returns true if there is a subshape at an index (IndexIsValid).
 *
 * @example
 * ShapeUtil.indexIsValid(parseShape("(f32[2])"), [1]); // => false
 */
export function indexIsValid(shape: Shape, index: ShapeIndex): boolean {
  checkShape(shape);
  checkArray(index, "an index as an array");
  return find(shape, index) !== null;
}

/**
 * Returns true if the subshape at an index is not a tuple (IsLeafIndex). Throws INVALID_ARGUMENT if there is no subshape.
 *
 * @example
 * ShapeUtil.isLeafIndex(parseShape("(f32[2])"), []); // => false
 * ShapeUtil.isLeafIndex(parseShape("(f32[2])"), [0]); // => true
 */
export function isLeafIndex(shape: Shape, index: ShapeIndex): boolean {
  checkShape(shape);
  checkArray(index, "an index as an array");
  return !getSubshape(shape, index).isTuple();
}

/**
 * Visits the shape itself, then its children, depth-first and in order (ForEachSubshape). Each call gets a new index list.
 * Returns false if the visitor stopped the walk by returning false, else true.
 *
 * @example
 * const seen: string[] = [];
 * ShapeUtil.forEachSubshape(parseShape("(f32[2], (s32[]))"), (_, index) => void seen.push(ShapeUtil.shapeIndexToString(index))); // => true
 * seen; // => ["{}", "{0}", "{1}", "{1,0}"]
 */
export function forEachSubshape(shape: Shape, visit: SubshapeVisitor): boolean {
  checkShape(shape);
  checkCallback(visit, "a function as visit");
  return walk(shape, [], visit, false);
}

/**
 * Like forEachSubshape, but visits children before their parent (ForEachSubshapePostOrder).
 *
 * @example
 * const seen: string[] = [];
 * ShapeUtil.forEachSubshapePostOrder(parseShape("(f32[2], (s32[]))"), (_, index) => void seen.push(ShapeUtil.shapeIndexToString(index))); // => true
 * seen; // => ["{0}", "{1,0}", "{1}", "{}"]
 */
export function forEachSubshapePostOrder(shape: Shape, visit: SubshapeVisitor): boolean {
  checkShape(shape);
  checkCallback(visit, "a function as visit");
  return walk(shape, [], visit, true);
}

function walk(shape: Shape, index: ShapeIndex, visit: SubshapeVisitor, childrenFirst: boolean): boolean {
  if (!childrenFirst && visit(shape, index) === false) return false;
  for (const [i, child] of shape.tupleShapes.entries()) {
    if (!walk(child, [...index, i], visit, childrenFirst)) return false;
  }
  return !childrenFirst || visit(shape, index) !== false;
}

/**
 * Returns the leaves with their indices, depth-first and in order (GetLeafShapes). Copies: a new list.
 *
 * @example
 * ShapeUtil.getLeafShapes(parseShape("(f32[2], (), (s32[]))")).map(({ index }) => index); // => [[0], [2, 0]]
 */
export function getLeafShapes(shape: Shape): IndexedShape[] {
  checkShape(shape);
  const leaves: IndexedShape[] = [];
  forEachSubshape(shape, (node, index) => {
    if (!node.isTuple()) leaves.push({ index, shape: node });
  });
  return leaves;
}

/**
 * Returns the number of leaves (GetLeafCount): 1 for a shape that is not a tuple, 0 for the empty tuple.
 *
 * @example
 * ShapeUtil.getLeafCount(parseShape("(f32[2], (), (s32[]))")); // => 2
 */
export function getLeafCount(shape: Shape): number {
  checkShape(shape);
  return shape.isTuple() ? shape.tupleShapes.reduce((count, child) => count + getLeafCount(child), 0) : 1;
}

/**
 * Returns the leaves without their indices, depth-first and in order (FlattenTupleShape). Copies: a new list.
 *
 * @example
 * ShapeUtil.flattenTupleShape(parseShape("(f32[2], (), (s32[]))")).map(String); // => ["f32[2]", "s32[]"]
 */
export function flattenTupleShape(shape: Shape): Shape[] {
  checkShape(shape);
  return getLeafShapes(shape).map((leaf) => leaf.shape);
}
