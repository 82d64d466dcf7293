/**
 * lowering-moves: movement operations as changes to strides (what Eigen's TensorShuffling, TensorSlicing, TensorChipping,
 * TensorReverse and TensorBroadcasting do to an index, done once per operand instead of once per element).
 *
 *     shuffle(slice(exp(a), …), …)    a's geometry, sliced, shuffled; exp does not care
 *
 * Movements pass through elementwise operations down to the leaves, because an element of exp(a) at an index is exp of an
 * element of a. Only a reshape can be in the way: of elements that do not lie side by side.
 */
import { sameSizes } from "../../geometry/same-sizes.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import type { ExpressionTree, ReduceAttributes } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import type { StridedGeometry } from "../../geometry/strided-geometry.ts";
import { broadcastGeometry, permutedGeometry, reversedGeometry, rowMajorStrides } from "../../geometry/strided-geometry.ts";
import { reshapeStrides } from "../../geometry/strided-reshape.ts";

/**
 * What lies between a node's indices and those of the space: the movement next to the node first. `null` where there is
 * nothing between. A movement is a node of the tree, or the sizes that an operand is broadcast to.
 */
export interface Moves {
  readonly step: ExpressionTree | readonly number[];
  readonly rest: Moves | null;
  /** How many steps there are, this one included. */
  readonly length: number;
  /** Whether a reshape is among them: the only step that strides may be unable to express. */
  readonly reshapes: boolean;
}

/** Moves by what they are made of: equal ones are one object. */
export class MovesTable {
  readonly #known: Map<ExpressionTree | string, Map<Moves | null, Moves>> = new Map();

  /** A step before others. */
  before(step: Moves["step"], rest: Moves | null): Moves {
    const isNode = "op" in step;
    const key = isNode ? step : String(step);
    let byRest = this.#known.get(key);
    if (byRest === undefined) this.#known.set(key, (byRest = new Map()));
    let moves = byRest.get(rest);
    if (moves === undefined) {
      const reshapes = rest?.reshapes === true || (isNode && step.op === "reshape");
      byRest.set(rest, (moves = { step, rest, length: 1 + (rest?.length ?? 0), reshapes }));
    }
    return moves;
  }

  /** The moves of an operand that is broadcast to the sizes of its operation. */
  spread(node: ExpressionTree, input: ExpressionTree, moves: Moves | null): Moves | null {
    return sameSizes(node.dimensions, input.dimensions) ? moves : this.before(node.dimensions, moves);
  }
}

/** The axes a reduction removes. */
export function reducedAxes(node: ExpressionTree): readonly number[] {
  if (node.op === "argmax" || node.op === "argmin") return [attributesOf(node, "argmax").axis];
  return (node.attributes as ReduceAttributes).axes;
}

/** Whether the movement is a node that strides can express. */
export function isStrideMove({ op }: ExpressionTree): boolean {
  return op === "reshape" || op === "shuffle" || op === "slice" || op === "chip" || op === "reverse" || op === "broadcast";
}

/** A node's geometry under the indices of the space, null if a reshape is in the way. */
export function movedGeometry(geometry: StridedGeometry, moves: Moves | null): StridedGeometry | null {
  let moved: StridedGeometry | null = geometry;
  for (let at = moves; at !== null && moved !== null; at = at.rest) moved = stepGeometry(moved, at.step);
  return moved;
}

function stepGeometry(geometry: StridedGeometry, step: Moves["step"]): StridedGeometry | null {
  if (!("op" in step)) return broadcastGeometry(geometry, step);
  const { offset, dims, strides } = geometry;
  switch (step.op) {
    case "broadcast":
      return broadcastGeometry(geometry, step.dimensions);
    case "shuffle":
      return permutedGeometry(geometry, attributesOf(step, "shuffle").permutation);
    case "reverse":
      return reversedGeometry(geometry, attributesOf(step, "reverse").axes);
    case "chip": {
      const { offset: place, axis } = attributesOf(step, "chip");
      return { offset: offset + place * (strides[axis] as number), dims: dims.toSpliced(axis, 1), strides: strides.toSpliced(axis, 1) };
    }
    case "slice": {
      const { begin, steps } = attributesOf(step, "slice");
      const first = begin.reduce((place, at, d) => place + at * (strides[d] as number), offset);
      return { offset: first, dims: step.dimensions, strides: strides.map((stride, d) => stride * (steps[d] as number)) };
    }
    default:
      return reshapedGeometry(geometry, step.dimensions);
  }
}

function reshapedGeometry(geometry: StridedGeometry, dims: readonly number[]): StridedGeometry | null {
  const strides = reshapeStrides(geometry, dims);
  return typeof strides === "string" ? null : { offset: geometry.offset, dims, strides };
}

/** The geometry of elements of `unit` each that lie side by side in row-major order. */
export function denseGeometry(dims: readonly number[], unit: number = 1): StridedGeometry {
  return { offset: 0, dims, strides: rowMajorStrides(dims).map((stride) => stride * unit) };
}

/**
 * Whether a reduction's result under the moves is what a row program has at hand: the value of its own row. `dims` and
 * `axes` are the space's; `kept` are the result's sizes.
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
 * Where a node's elements under the moves are among its elements side by side, as text: moves with the same text give the same values,
 * whatever their history. Null where strides cannot express the moves.
 */
export function movedKey(sizes: readonly number[], moves: Moves | null): string | null {
  const moved = movedGeometry(denseGeometry(sizes), moves);
  if (moved === null) return null;
  return `${moved.offset}:${moved.strides.map((stride, d) => (moved.dims[d] === 1 ? 0 : stride))}`;
}

/**
 * The moves that a node's elements, side by side, can be given by strides, as a tree to be assigned first, and those that
 * remain. A reshape of what was broadcast before, say, has to see the repeated elements. `move` makes the tree of a step.
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
