/**
 * joined-pieces: the pieces of a concatenation of maps, of parts of maps and of constants (tensorflow/core/kernels/concat_lib_cpu.h).
 * Nothing is planned: pad, roll and stack of small maps take about as long as the copies.
 *
 *     roll of [3, 5] by (1, 2)     target  | c c | c c c |      four pieces, each of rows that are adjacent on both sides
 *                                          | a a | a a a |
 *                                          | b b | b b b |
 */
import type { DType } from "@onebuffer/base";
import { attributesOf, isConstant, isJoin } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { copyPlaces, product } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import type { Access } from "@onebuffer/kernels/internal";
import { movedBase } from "../plan/lowering-moves.ts";
import { movedPlaces } from "../places/moved-places.ts";
import { PieceCopy } from "./piece-copy.ts";
import type { PiecePlaces } from "./piece-copy.ts";

/** Pieces with shorter rows than a vector are copied in runs only if they are small; kernels that are planned do it faster. */
const kSmallBytes = 1 << 15;

/** The most pieces, and how deep their concatenations may nest: one of a concatenation with itself doubles them. */
const kMaxPieces = 65536;
/** The most pieces of a plan that is kept. */
const kMaxKept = 512;
const kMaxNesting = 1000;

/** A piece, and the map or constant that it is read from. */
export interface Piece extends PiecePlaces {
  readonly base: ExpressionTree;
}

/**
 * Returns the pieces of a map, of a part of one, of a constant, or of a concatenation of such, whose result goes to `places`. Returns null
 * if an operand is computed or has elements that are not adjacent, if there are two constants, or more pieces than the limit.
 */
export function piecesOf(tree: ExpressionTree, places: RawPlaces, limit: number = kMaxKept): readonly Piece[] | null {
  const pieces: Piece[] = [];
  return collect(tree, places, pieces, limit) && haveOneConstant(pieces) ? pieces : null;
}

/** Returns the constant of pieces; null if there is none. */
export function constantOf(pieces: readonly Piece[]): ExpressionTree | null {
  return pieces.find(({ from }) => from === null)?.base ?? null;
}

function haveOneConstant(pieces: readonly Piece[]): boolean {
  const first = constantOf(pieces);
  return pieces.every(({ from, base }) => from !== null || Object.is(valueOf(base), valueOf(first!)));
}

const valueOf = (constant: ExpressionTree): unknown => attributesOf(constant, "constant").value;

/**
 * Computes a concatenation of maps and parts of maps by copies, which reach memory outside the linear memory, too. Nothing that is read may
 * be where the result goes. `isReached` returns true for places in the linear memory. Returns false, with nothing done, if there are other
 * operands.
 */
export function joinPieces(places: RawPlaces, dtype: DType, tree: ExpressionTree, isReached: (places: RawPlaces) => boolean): boolean {
  const pieces = tree.dtype === dtype ? piecesOf(tree, places, kMaxPieces) : null;
  if (pieces === null || constantOf(pieces) !== null) return false;
  const isNear = isReached(places) && pieces.every(({ from }) => isReached(from!));
  const copy = isNear ? PieceCopy.of(pieces, dtype) : null;
  if (copy !== null)
    return copy.run(
      pieces.flatMap(({ from, to }) => [accessOf(to), accessOf(from!)]),
      [],
    );
  for (const { from, to } of pieces) copyPlaces(from!, to);
  return true;
}

/** Returns an access at places, for a step that knows their strides. */
export const accessOf = ({ byteOffset: start, itemBytes, strides }: RawPlaces): Access => ({ start, itemBytes, strides });

/** Adds the pieces of a tree. Returns false if it has others. */
function collect(tree: ExpressionTree, to: RawPlaces, pieces: Piece[], limit: number, nesting: number = 0): boolean {
  if (product(tree.dimensions) === 0) return true;
  if (pieces.length === limit || nesting > kMaxNesting) return false;
  if (isJoin(tree)) {
    const { axis } = attributesOf(tree, "concatenate");
    let { byteOffset } = to;
    for (const input of tree.inputs) {
      const part = { ...to, byteOffset, dims: input.dimensions };
      byteOffset += (input.dimensions[axis] as number) * (to.strides[axis] as number) * to.itemBytes;
      if (!collect(input, part, pieces, limit, nesting + 1)) return false;
    }
    return true;
  }
  const base = movedBase(tree);
  if (isConstant(base)) return isInRuns(to, to) && pieces.push({ from: null, to, base }) > 0;
  const from = movedPlaces(tree);
  return from !== null && isInRuns(from, to) && pieces.push({ from, to, base }) > 0;
}

/** Returns true if elements are best copied in runs. */
export function isInRuns(from: RawPlaces, to: RawPlaces): boolean {
  const last = to.dims.length - 1;
  if (last < 0 || product(to.dims) === 1) return true;
  const run = (to.dims[last] as number) * to.itemBytes;
  const isAdjacent = to.dims[last] === 1 || (from.strides[last] === 1 && to.strides[last] === 1);
  return isAdjacent && (run >= 16 || product(to.dims) * to.itemBytes <= kSmallBytes);
}
