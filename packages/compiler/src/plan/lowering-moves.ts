/**
 * lowering-moves: movement operations as changes to strides (Eigen's TensorShuffling, TensorSlicing, TensorChipping, TensorReverse and
 * TensorBroadcasting compute an index for each element; here it is done once per operand).
 *
 *     shuffle(slice(exp(a), …), …)    the geometry of a, sliced and shuffled; exp is not affected
 *
 * Movements pass through elementwise operations down to the leaves, because an element of exp(a) at an index is exp of an
 * element of a. Only a reshape can fail to become strides: when the elements are not adjacent.
 */
import { denseMoves } from "@onebuffer/evaluator/internal";
import { broadcastGeometry, product, reshapeStrides, rowMajorStrides, sameSizes } from "@onebuffer/storage/internal";
import { isMap, isStrideMove } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { ArgAttributes, ReduceAttributes, StrideMove } from "@onebuffer/expression/internal";
import type { StridedGeometry } from "@onebuffer/storage/internal";

/**
 * The movements between a node's indices and those of the space, as a linked list: the movement next to the node comes first. `null` stands
 * for no movement. A step is a movement node of the tree, or the sizes to which an operand is broadcast.
 */
export interface Moves {
  readonly step: ExpressionTree | readonly number[];
  readonly rest: Moves | null;
  /** The number of steps, including this one. */
  readonly length: number;
  /** True if a reshape is among the steps: the only one that strides may be unable to express. */
  readonly reshapes: boolean;
}

/** Makes lists of movements; equal lists are the same object. */
export class MovesTable {
  readonly #known: Map<ExpressionTree | string, Map<Moves | null, Moves>> = new Map();

  /** Returns the list with a step before the others. */
  before(step: Moves["step"], rest: Moves | null): Moves {
    const isNode = "op" in step;
    const key = isNode ? step : String(step);
    let byRest = this.#known.get(key);
    if (byRest === undefined) this.#known.set(key, (byRest = new Map()));
    let moves = byRest.get(rest);
    if (moves === undefined) {
      const reshapes = rest?.reshapes === true || (isNode && moveGeometries[step.op as StrideMove] === reshapedGeometry);
      byRest.set(rest, (moves = { step, rest, length: 1 + (rest?.length ?? 0), reshapes }));
    }
    return moves;
  }

  /** Returns the movements of an operand: those of its operation, after a broadcast if the sizes differ. */
  spread(node: ExpressionTree, input: ExpressionTree, moves: Moves | null): Moves | null {
    return sameSizes(node.dimensions, input.dimensions) ? moves : this.before(node.dimensions, moves);
  }
}

/** Returns the axes that a reduction removes. */
export function reducedAxes(node: ExpressionTree): readonly number[] {
  const attributes = node.attributes as ReduceAttributes | ArgAttributes;
  return "axis" in attributes ? [attributes.axis] : attributes.axes;
}

/** The most movements between a map and the node that reads it where it is. */
const kMostMoves = 8;

/** Returns the node below a few movements. */
export function movedBase(tree: ExpressionTree): ExpressionTree {
  let node = tree;
  for (let moves = 0; moves < kMostMoves && isStrideMove(node); moves++) node = node.inputs[0]!;
  return node;
}

/** Returns the node whose memory an operand of a product is read from: a map, or one that is stored first. */
export function baseOf(operand: ExpressionTree): ExpressionTree {
  const base = movedBase(operand);
  return isMap(base) || product(base.dimensions) <= product(operand.dimensions) ? base : operand;
}

/** Returns a node's geometry under the indices of the space; null if strides cannot express a reshape. */
export function movedGeometry(geometry: StridedGeometry, moves: Moves | null): StridedGeometry | null {
  let moved: StridedGeometry | null = geometry;
  for (let at = moves; at !== null && moved !== null; at = at.rest) moved = stepGeometry(moved, at.step);
  return moved;
}

/** Returns the geometry after one step; null if strides cannot express it. */
export function stepGeometry(geometry: StridedGeometry, step: Moves["step"]): StridedGeometry | null {
  return "op" in step ? moveGeometries[step.op as StrideMove](geometry, step) : broadcastGeometry(geometry, step);
}

function reshapedGeometry(geometry: StridedGeometry, { dimensions: dims }: ExpressionTree): StridedGeometry | null {
  const strides = reshapeStrides(geometry, dims);
  return typeof strides === "string" ? null : { offset: geometry.offset, dims, strides };
}

/** The geometries by which movements read their operand. Strides may be unable to express a reshape of elements that are not dense. */
const moveGeometries: Readonly<Record<StrideMove, (from: StridedGeometry, node: ExpressionTree) => StridedGeometry | null>> = {
  ...denseMoves,
  reshape: reshapedGeometry,
};

/** Returns the geometry of adjacent elements in row-major order; `unit` is the stride of the last dimension. */
export function denseGeometry(dims: readonly number[], unit: number = 1): StridedGeometry {
  return { offset: 0, dims, strides: rowMajorStrides(dims).map((stride) => stride * unit) };
}

/**
 * Returns true if each row reads only its own value of a reduction's result, as a row program needs. `kept` are the sizes of the result,
 * `moves` the movements under which it is read, `dims` and `axes` those of the space.
 */
export function isOwnRow(kept: readonly number[], moves: Moves | null, dims: readonly number[], axes: readonly number[]): boolean {
  const moved = movedGeometry(denseGeometry(kept), moves);
  if (moved === null || moved.offset !== 0 || moved.dims.length !== dims.length) return false;
  const rows = dims.map((size, d) => (axes.includes(d) ? 1 : size));
  if (product(rows) !== product(kept)) return false;
  const expected = rowMajorStrides(rows);
  return dims.every((size, d) => size === 1 || moved.strides[d] === (axes.includes(d) ? 0 : expected[d]));
}

/**
 * Returns, as text, where the movements read a dense array of these sizes. Movements with the same text give the same values, however they
 * came about. Returns null if strides cannot express the movements.
 */
export function movedKey(sizes: readonly number[], moves: Moves | null): string | null {
  const moved = movedGeometry(denseGeometry(sizes), moves);
  if (moved === null) return null;
  return `${moved.offset}:${moved.strides.map((stride, d) => (moved.dims[d] === 1 ? 0 : stride))}`;
}

/**
 * Splits the movements of a stored node. Returns the tree that must be assigned first, and the remaining movements, which strides can
 * express for its dense elements. For example, a reshape of a broadcast has to see the repeated elements. `move` makes the tree of a step.
 */
export function movedFirst(
  node: ExpressionTree,
  moves: Moves | null,
  move: (tree: ExpressionTree, step: Moves["step"]) => ExpressionTree,
): { tree: ExpressionTree; rest: Moves | null } {
  let tree = node;
  let rest = moves;
  while (movedGeometry(denseGeometry(tree.dimensions), rest) === null) {
    let geometry: StridedGeometry | null = denseGeometry(tree.dimensions);
    for (;;) {
      geometry = stepGeometry(geometry, rest!.step);
      if (geometry === null) break;
      tree = move(tree, rest!.step);
      rest = rest!.rest;
    }
  }
  return { tree, rest };
}

/** Splits movements behind the last one that is an operation of the tree: what follows repeats elements. `move` is as in movedFirst. */
export function movedWhole(
  node: ExpressionTree,
  moves: Moves | null,
  move: (tree: ExpressionTree, step: Moves["step"]) => ExpressionTree,
): { tree: ExpressionTree; rest: Moves | null } {
  const split = { tree: node, rest: moves };
  let tree = node;
  for (let at = moves; at !== null; at = at.rest) {
    tree = move(tree, at.step);
    if ("op" in at.step) Object.assign(split, { tree, rest: at.rest });
  }
  return split;
}

/** Returns true if the finest of these strides that are not 0 is not along one of the axes. */
export function runsAcross(strides: readonly number[], axes: readonly number[]): boolean {
  let finest = -1;
  strides.forEach((stride, d) => {
    if (stride !== 0 && (finest < 0 || Math.abs(stride) < Math.abs(strides[finest] as number))) finest = d;
  });
  return finest >= 0 && !axes.includes(finest);
}
