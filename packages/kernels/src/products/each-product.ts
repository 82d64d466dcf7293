/**
 * each-product: the products of a batch one by one.
 *
 *     matMul(a[8, 3, 64, 64], b[64, 32])     24 products of [64, 64] x [64, 32]; b is read again each time
 */
import type { Access, LoopNest } from "../calls/loop-nest.ts";
import type { Contraction } from "./contract.ts";

/** The products of a nest: the number of loops of the batch, and what computes one product. */
export interface BlockProgram {
  readonly batch: number;
  readonly contraction: Contraction;
}

/** Calls `product` with the addresses of the matrices of each product of the batch. */
export function eachProduct(
  { batch }: BlockProgram,
  { sizes, accesses }: LoopNest,
  product: (a: number, b: number, c: number) => void,
): void {
  const [c, a, b] = accesses as readonly [Access, Access, Access];
  if (batch === 0) {
    product(a.start, b.start, c.start);
    return;
  }
  const starts = [c.start, a.start, b.start];
  const index = new Array<number>(batch).fill(0);
  for (let d = 0; d >= 0; ) {
    product(starts[1]!, starts[2]!, starts[0]!);
    for (d = batch - 1; d >= 0; d--) {
      const size = sizes[d] as number;
      const isBack = ++index[d]! === size;
      for (let m = 0; m < starts.length; m++) starts[m]! += (isBack ? 1 - size : 1) * (accesses[m]!.strides[d] as number);
      if (!isBack) break;
      index[d] = 0;
    }
  }
}
