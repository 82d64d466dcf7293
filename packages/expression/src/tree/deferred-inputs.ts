/**
 * deferred-inputs: the operands of a node that are made when something first reads them, because making them takes longer than the whole
 * computation by a plan that is kept (compiler/run/plan-pattern.ts).
 *
 *     reshape [1, 8, 8, 8]      convolve of x and w, by the numbers 1, 1, ...      all that a convolution is when it is written
 *       └ matMul [64, 8] …      10 nodes over x and w                              made for whoever asks: planning, gradients, texts
 *
 * Two nodes of equal names, numbers, dtypes and sizes over operands of equal dtypes and sizes have equal operands, up to those that they are
 * made from.
 */
import { inputsOf } from "./node-lists.ts";
import type { ExpressionTree } from "./op-attributes.ts";

/** The property that holds the deferred operands of a node whose `rawInputs` are null. */
export const kDeferred: unique symbol = Symbol("deferred");

/** Operands that are made once. */
export class DeferredInputs {
  /** The function that was called. */
  readonly name: string;
  /** What the operands are made from. They read no other maps. */
  readonly from: readonly ExpressionTree[];
  /** All else on which they depend. */
  readonly numbers: readonly number[];
  readonly #make: () => ExpressionTree;
  /** A private field, which can be set even if a program has frozen the node and all that it can reach. */
  #inputs: readonly ExpressionTree[] | null = null;

  /** `make` makes a node with these operands. */
  constructor(name: string, from: readonly ExpressionTree[], numbers: readonly number[], make: () => ExpressionTree) {
    this.name = name;
    this.from = from;
    this.numbers = numbers;
    this.#make = make;
  }

  /** The operands. */
  get inputs(): readonly ExpressionTree[] {
    this.#inputs ??= Object.freeze(inputsOf(this.#make()));
    return this.#inputs;
  }
}

/** A node that may have deferred operands. */
interface DeferringTree extends ExpressionTree {
  readonly rawInputs?: readonly ExpressionTree[] | null;
  readonly [kDeferred]?: DeferredInputs;
}

/** Returns the deferred operands of a node; null if it has others. */
export function deferredInputs(node: ExpressionTree): DeferredInputs | null {
  const { rawInputs } = node as DeferringTree;
  return rawInputs === null ? (node as DeferringTree)[kDeferred]! : null;
}
