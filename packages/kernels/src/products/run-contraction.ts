/**
 * run-contraction: computes the products of a nest, whole or in parts on several threads.
 */
import type { LoopNest } from "../calls/loop-nest.ts";
import { workSplitter } from "../calls/work-splitter.ts";
import type { BlockProgram } from "./each-product.ts";
import { eachProduct } from "./each-product.ts";
import { runParts } from "./product-parts.ts";

/** Multiplies the matrices of a nest, whose addresses are in the linear memory. The target's rows are dense and overlap no operand. */
export function runContraction(program: BlockProgram, nest: LoopNest): void {
  const splitter = workSplitter();
  if (splitter !== null && runParts(splitter, program, nest)) return;
  const { contraction } = program;
  try {
    contraction.take();
    eachProduct(program, nest, (a, b, c) => contraction.run(a, b, c));
    splitter?.ranWhole();
  } finally {
    contraction.release();
  }
}
