// A naive relayout for the tests, which copies one element at a time as bytes.
import type { Shape } from "@onebuffer/xla";
import fc from "fast-check";

/** A random permutation of 0 … rank-1. */
export function permutationOf(rank: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length: rank }, (_, d) => d);
  return fc.shuffledSubarray(all, { minLength: rank, maxLength: rank });
}

// Read once, because globals are slow to access in Jest's realm.
const { imul } = Math;

/** Fills `bytes` with pseudo-random bits, among them NaNs of every float type. */
export function randomBytes(bytes: Uint8Array, seed: number): void {
  const words = new Int32Array(Math.ceil(bytes.length / 4));
  let state = seed + 1;
  for (let i = 0; i < words.length; i++) {
    state = (imul(state, 1664525) + 1013904223) | 0;
    words[i] = state ^ (state >>> 13);
  }
  bytes.set(new Uint8Array(words.buffer, 0, bytes.length));
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

/** The target's bytes after a relayout from `a` to `b`; the padding is zero. */
export function relayoutTwin(a: Shape, b: Shape, source: Uint8Array, bytes: number): Uint8Array {
  const [from, to] = [stridesOf(a), stridesOf(b)];
  const widths = b.layout!.paddedDimensions.length > 0 ? b.layout!.paddedDimensions : b.dimensions;
  const target = new ArrayBuffer(widths.reduce((product, width) => product * width, bytes));
  const Slots = bytes === 1 ? Uint8Array : bytes === 2 ? Uint16Array : Int32Array;
  const slots = bytes / Slots.BYTES_PER_ELEMENT;
  const [read, written] = [new Slots(source.slice().buffer), new Slots(target)];
  const { rank, dimensions } = a;
  const visit = (d: number, s: number, t: number): void => {
    if (d === rank) {
      for (let i = 0; i < slots; i++) written[t * slots + i] = read[s * slots + i]!;
      return;
    }
    const [size, stepFrom, stepTo] = [dimensions[d]!, from[d]!, to[d]!];
    for (let i = 0; i < size; i++) visit(d + 1, s + i * stepFrom, t + i * stepTo);
  };
  visit(0, 0, 0);
  return new Uint8Array(target);
}
