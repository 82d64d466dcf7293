/**
 * Shapes as trees: indices into tuples, leaves, visitors (ShapeIndex and ForEachSubshape in xla/shape_util.h).
 *
 *     (f32[2], (s32[], pred[3]))       {}  the tuple itself      {0}  f32[2]      {1}  (s32[], pred[3])      {1,1}  pred[3]
 *
 * A leaf is what is no tuple; the empty tuple is neither a leaf nor has one.
 */
import { checkArray, checkFunction, InvalidArgumentError } from "@onebuffer/base";
import { checkShape } from "../type/argument-check.ts";
import type { Shape } from "../model/shape.ts";
import { kMaxShapeDepth, shownShape } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";

/** A list of child numbers from the root: `[1, 0]` is the first child of the second child. */
export type ShapeIndex = readonly number[];

/** A leaf and where it stands. */
export interface IndexedShape {
  readonly index: ShapeIndex;
  readonly shape: Shape;
}

/** A visitor of subshapes; answering false stops the walk. */
export type SubshapeVisitor = (shape: Shape, index: ShapeIndex) => unknown;

/**
 * The text of an index (ShapeIndex::ToString).
 *
 * @example
 * ShapeUtil.shapeIndexToString([1, 2]); // => "{1,2}"
 */
export function shapeIndexToString(index: ShapeIndex): string {
  checkArray(index, "an index as an array");
  return index.length > kMaxShapeDepth ? shownList(index) : `{${index.join(",")}}`;
}

/** The subshape at an index, or null. */
function find(shape: Shape, index: ShapeIndex): Shape | null {
  let found: Shape | undefined = shape;
  for (const child of index) {
    found = Number.isInteger(child) ? found.tupleShapes[child] : undefined;
    if (found === undefined) return null;
  }
  return found;
}

/**
 * The subshape at an index; the shape itself at `[]` (GetSubshape). Throws INVALID_ARGUMENT for an index that leads
 * nowhere (XLA: fatal).
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
 * Whether an index leads to a subshape (IndexIsValid).
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
 * Whether the subshape at an index is no tuple (IsLeafIndex). Throws INVALID_ARGUMENT for an index that leads nowhere.
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
 * Visits the shape itself, then its children depth-first in order; each index is a list of its own (ForEachSubshape).
 * A visitor that answers false stops the walk. Returns whether the walk came to its end.
 *
 * @example
 * const seen: string[] = [];
 * ShapeUtil.forEachSubshape(parseShape("(f32[2], (s32[]))"), (_, index) => void seen.push(ShapeUtil.shapeIndexToString(index))); // => true
 * seen; // => ["{}", "{0}", "{1}", "{1,0}"]
 */
export function forEachSubshape(shape: Shape, visit: SubshapeVisitor): boolean {
  checkShape(shape);
  checkFunction(visit, "a function as visit");
  return walk(shape, [], visit, false);
}

/**
 * As forEachSubshape, but children come before their parent (ForEachSubshapePostOrder).
 *
 * @example
 * const seen: string[] = [];
 * ShapeUtil.forEachSubshapePostOrder(parseShape("(f32[2], (s32[]))"), (_, index) => void seen.push(ShapeUtil.shapeIndexToString(index))); // => true
 * seen; // => ["{0}", "{1,0}", "{1}", "{}"]
 */
export function forEachSubshapePostOrder(shape: Shape, visit: SubshapeVisitor): boolean {
  checkShape(shape);
  checkFunction(visit, "a function as visit");
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
 * The leaves with their indices, depth-first in order (GetLeafShapes). Copies: a new list.
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
 * The number of leaves; 1 for what is no tuple, 0 for the empty tuple (GetLeafCount).
 *
 * @example
 * ShapeUtil.getLeafCount(parseShape("(f32[2], (), (s32[]))")); // => 2
 */
export function getLeafCount(shape: Shape): number {
  checkShape(shape);
  return shape.isTuple() ? shape.tupleShapes.reduce((count, child) => count + getLeafCount(child), 0) : 1;
}

/**
 * The leaves of a tuple without their indices, depth-first in order (FlattenTupleShape). Copies: a new list.
 *
 * @example
 * ShapeUtil.flattenTupleShape(parseShape("(f32[2], (), (s32[]))")).map(String); // => ["f32[2]", "s32[]"]
 */
export function flattenTupleShape(shape: Shape): Shape[] {
  checkShape(shape);
  return getLeafShapes(shape).map((leaf) => leaf.shape);
}
