// Decompositions when an allocation of scratch memory fails: the evaluator computes them, or they throw, and everything taken is given back.
import { afterEach, expect, jest, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { existingThreadArena } from "@onebuffer/allocator/internal";
import { Tensor } from "@onebuffer/core";
import { eig, eigh, qr, svd } from "@onebuffer/linalg";
import { isLong } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { detachScratch, scratchMark } from "@onebuffer/kernels/internal";
import { matrixTensor } from "./decomposed.ts";
import { kinds, Numbers } from "./matrix-kinds.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

/** Lets the given number of requests of scratch memory succeed, and no later one. Returns how many came. */
function requestsThatFail(from: number): () => number {
  let count = 0;
  const fails = (): boolean => count++ >= from;
  const arena = existingThreadArena()!.allocator;
  const allocate = arena.allocateRaw.bind(arena);
  jest.spyOn(arena, "allocateRaw").mockImplementation((...request) => (fails() ? null : allocate(...request)));
  jest.spyOn(linearMemory(), "reserve").mockReturnValue(null);
  return () => count;
}

test("no allocation that fails leaves anything behind, and the target has the result or is as it was", () => {
  const n = isLong ? 40 : 33;
  using a = matrixTensor(kinds["normal"]!(n, n, "float64", new Numbers(3)), n, n, "float64") as Tensor<"float64">;
  using square = Tensor.zeros([n, n], { dtype: "float64" });
  using complex = Tensor.zeros([n, n], { dtype: "complex128" });
  const [real, other] = [square.matrix(), complex.matrix()];
  const parts: readonly (() => void)[] = [
    () => real.assign(qr(a.matrix()).q),
    () => real.assign(svd(a.matrix()).u),
    () => real.assign(eigh(a.matrix()).v),
    () => other.assign(eig(a.matrix()).v),
  ];
  for (const part of parts) {
    part();
    const before = scratchMark();
    let [from, failed] = [0, 0];
    for (let fails = true; fails; from += isLong ? 1 : 9 + from) {
      detachScratch()();
      real.set(0, 0, 7);
      other.set(0, 0, [7, 7]);
      const counted = requestsThatFail(from);
      let failure: unknown = null;
      try {
        part();
      } catch (error) {
        failure = error;
      }
      fails = counted() > from;
      if (fails) failed++;
      jest.restoreAllMocks();
      const isChanged = (part === parts[3] ? other.at(0, 0)[0] : real.at(0, 0)) !== 7;
      expect([from, failure === null || isStatusError(failure, "RESOURCE_EXHAUSTED"), isChanged]).toEqual([from, true, failure === null]);
      expect(scratchMark()).toEqual(before);
    }
    expect(failed).toBeGreaterThanOrEqual(isLong ? 3 : 1);
  }
});
