// Batches of products whose operands walk the batch in several loops, because a reshape joined dimensions that are not adjacent in memory:
// heads of attention, tiles, repeats. All other memory near the operands holds poison, so that a wrong address shows.
import { expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { tensorMap } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { product } from "../row-major.ts";
import { arenaArray, arenaMap, Dice } from "./kernel-subjects.ts";

/** The trees here are built from tables of dtypes and sizes, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const kDTypes = ["float32", "float64", "int32", "uint32", "int64", "uint64", "float16", "bfloat16", "int16", "int8", "uint8"] as const;

/** Returns a map of small integers. The bytes before and behind it are all 255: NaN, or -1. */
function poisoned(dtype: string, sizes: readonly number[], dice: Dice): Any {
  const count = product(sizes);
  const around = arenaArray(dtype as "float32", 3 * count);
  new Uint8Array(around.buffer, around.byteOffset, around.byteLength).fill(255);
  const map = tensorMap(dtype as "float32", around.subarray(count, 2 * count) as never, sizes) as Any;
  map.copyFrom(Array.from({ length: count }, () => (dtype.endsWith("int64") ? BigInt(dice.below(3)) : dice.below(3))));
  return map;
}

const heads = (map: Any, [B, T, H, D]: readonly number[]): Any =>
  map.reshape([B, T, H, D]).shuffle([0, 2, 1, 3]).reshape([B! * H!, T, D]); // biome-ignore format: one line

/** For each form of a batch the operands, made of maps that `make` returns. */
const kForms: Readonly<Record<string, (make: (...sizes: readonly number[]) => Any) => readonly [Any, Any]>> = {
  "heads times heads": (make) => [heads(make(2, 16, 32), [2, 16, 4, 8]), heads(make(2, 16, 32), [2, 16, 4, 8]).shuffle([0, 2, 1])],
  "heads times stored matrices": (make) => [heads(make(2, 16, 32), [2, 16, 4, 8]), make(8, 8, 12)],
  "stored matrices times heads": (make) => [make(8, 12, 16), heads(make(2, 16, 32), [2, 16, 4, 8])],
  "heads times one matrix": (make) => [heads(make(2, 16, 32), [2, 16, 4, 8]), make(8, 12)],
  "tiles of a batch": (make) => [make(2, 12, 16).tile([3, 1, 1]), make(6, 16, 12)],
  "repeated heads": (make) => [
    heads(make(2, 16, 48), [2, 16, 6, 8]),
    make(2, 2, 8, 12).reshape([2, 2, 1, 8, 12]).broadcast([2, 2, 3, 8, 12]).reshape([12, 8, 12]),
  ],
  "parts of 2 x 6 and of 4 x 3": (make) => [heads(make(2, 16, 48), [2, 16, 6, 8]), heads(make(4, 8, 36), [4, 8, 3, 12])],
  "a batch of two axes, each in parts": (make) => [
    make(3, 2, 12, 2, 2, 8).shuffle([1, 0, 4, 3, 2, 5]).reshape([6, 4, 12, 8]),
    make(3, 2, 12, 2, 2, 8).shuffle([0, 1, 3, 4, 5, 2]).reshape([6, 4, 8, 12]),
  ],
  "a batch backwards, in parts": (make) => [
    heads(make(2, 16, 32), [2, 16, 4, 8]).reverse([0]),
    make(2, 8, 4, 12).reverse([0, 2]).shuffle([0, 2, 1, 3]).reshape([8, 8, 12]),
  ],
};

// A sixth of the dtypes for each form, by turns; all of them in `npm run long`.
test.each(Object.keys(kForms))("%s: a batch in several loops reads its own elements, in every dtype", (form) => {
  const turn = Object.keys(kForms).indexOf(form);
  const dice = new Dice(form.length * 31);
  for (const dtype of kDTypes.filter((_, k) => isLong || (k + turn) % 6 === 0)) {
    const [a, b] = kForms[form]!((...sizes) => poisoned(dtype, sizes, dice));
    const expr = a.matMul(b);
    expect(explain(expr).steps.map(({ by }: Any) => by)).toContain("contraction");
    const [wanted, out] = [0, 1].map(() => arenaMap(expr.dtype, expr.dimensions) as Any);
    assignByReference(wanted, expr);
    const elements = [...wanted];
    for (let run = 0; run < 2; run++) {
      out.assign(expr);
      expect([form, dtype, [...out]]).toEqual([form, dtype, elements]);
    }
  }
});
