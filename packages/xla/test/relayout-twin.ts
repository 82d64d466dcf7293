/** relayout done one element at a time, over bytes. */
import type { Shape } from "@onebuffer/xla";
import fc from "fast-check";

/** All orders of so many dimensions. */
export function permutationOf(rank: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length: rank }, (_, d) => d);
  return fc.shuffledSubarray(all, { minLength: rank, maxLength: rank });
}

/** Every bit pattern, NaN among them. */
export function randomBytes(bytes: Uint8Array, seed: number): void {
  let state = seed + 1;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[i] = state >>> 24;
  }
}

function stridesOf({ dimensions, layout }: Shape): number[] {
  const { minorToMajor, paddedDimensions } = layout!;
  const strides: number[] = [];
  let stride = 1;
  for (const d of minorToMajor) {
    strides[d] = stride;
    stride *= paddedDimensions[d] ?? dimensions[d]!;
  }
  return strides;
}

/** The target's bytes: zero where the padding is. */
export function relayoutTwin(a: Shape, b: Shape, source: Uint8Array, bytes: number): Uint8Array {
  const [from, to] = [stridesOf(a), stridesOf(b)];
  const widths = b.layout!.paddedDimensions.length > 0 ? b.layout!.paddedDimensions : b.dimensions;
  const target = new Uint8Array(widths.reduce((product, width) => product * width, bytes));
  const visit = (d: number, s: number, t: number): void => {
    if (d === a.rank) {
      for (let i = 0; i < bytes; i++) target[t * bytes + i] = source[s * bytes + i]!;
      return;
    }
    for (let i = 0; i < a.dimensions[d]!; i++) visit(d + 1, s + i * from[d]!, t + i * to[d]!);
  };
  visit(0, 0, 0);
  return target;
}
