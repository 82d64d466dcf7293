/**
 * The form "map" of concatenations, and so of padding: each operand is computed at its place in the result. Operands with reductions and those
 * that others use too are stored first, and then copied.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf, isJoin, isMap } from "@onebuffer/expression/internal";
import { heldDType, leafOf, lower } from "@onebuffer/compiler/internal";
import type { Lowered, Sharing } from "@onebuffer/compiler/internal";
import { product, rowMajorStrides } from "@onebuffer/storage/internal";
import type { PlannedStep } from "../step/step-form.ts";
import type { StepWriter } from "../step/step-writer.ts";
import { mapDispatch } from "./map-form.ts";
import { boundProgram, programNeeds } from "./program-memory.ts";
import { programLoops } from "./program-shader.ts";

/** An operand: the program that stores it, and the node that is read in place of its memory; null for a program of other nodes. */
interface Piece {
  readonly tree: ExpressionTree;
  readonly lowered: Lowered;
  readonly stored: ExpressionTree | null;
}

const kNoMemory: ArrayBuffer = new ArrayBuffer(0);

/** Returns how a concatenation is computed; null for other nodes. */
export function joinForm(tree: ExpressionTree, dtype: DType, sharing: Sharing): PlannedStep | null {
  if (!isJoin(tree)) return null;
  const pieces = tree.inputs.filter(({ dimensions }) => product(dimensions) > 0).map((input) => pieceOf(input, dtype, sharing));
  return {
    needs: [...new Set(pieces.flatMap(({ stored, lowered }) => (stored === null ? programNeeds(lowered) : [stored])))],
    write: (writer, target) => writePieces(writer, tree, pieces, dtype, target),
  };
}

/** Returns how an operand is stored in its place. */
function pieceOf(tree: ExpressionTree, dtype: DType, sharing: Sharing): Piece {
  const isHere = isMap(tree) || sharing.usesOf(tree) === 1 || sharing.isCheap(tree);
  const lowered = isHere ? lower(tree, dtype, "rows", sharing) : null;
  if (lowered !== null && lowered.program.axes.length === 0) return { tree, lowered, stored: null };
  const held = heldDType(tree);
  const { dimensions } = tree;
  const strides = rowMajorStrides(dimensions);
  const leaf = leafOf({ dtype: held }, { buffer: kNoMemory, byteOffset: 0, itemBytes: dtypeSize(held), dims: dimensions, strides });
  return { tree, lowered: lower(leaf, dtype, "rows", sharing)!, stored: tree };
}

function writePieces(writer: StepWriter, tree: ExpressionTree, pieces: readonly Piece[], dtype: DType, target: number): void {
  const strides = rowMajorStrides(tree.dimensions);
  const { axis } = attributesOf(tree, "concatenate");
  if (dtypeSize(dtype) < 4) writer.clear(target);
  let at = 0;
  for (const { tree: piece, lowered, stored } of pieces) {
    const copied = { lowered, memory: { slots: stored === null ? [] : [writer.stored(stored).slot], flag: -1 } };
    const bound = stored === null ? boundProgram(writer, lowered) : copied;
    const part = { offset: at * strides[axis]!, strides };
    const step = { ...bound, dimensions: piece.dimensions, dtype, target, part };
    writer.dispatch(mapDispatch(step, programLoops(step)));
    at += piece.dimensions[axis]!;
  }
}
