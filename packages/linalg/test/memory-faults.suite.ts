// Memory runs out at any reservation of scratch memory: the evaluator computes the result, and every region that was reserved is released or kept
// for the next use.
import { afterEach, expect, test } from "@jest/globals";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import { cholesky, inverse, solve } from "@onebuffer/linalg";
import { isLong } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { numbersIn, stream } from "./matrices.ts";

const memory = linearMemory();
const own = { reserve: memory.reserve.bind(memory), release: memory.release.bind(memory) };
afterEach(() => void Object.assign(memory, own));

const n = 70;
const { normal } = stream(9);
const numbers = Float64Array.from({ length: n * n }, (_, k) => normal() + (k % (n + 1) === 0 ? n : 0));
const a = tensorMap("float64", numbers, [n, n]);
const b = tensorMap("float64", numbers.slice(0, 3 * n), [n, 3]);
const symmetric = evaluate(a.matMul(a, { transposeB: true }));

test("solutions, inverses and factors without memory for any one region", () => {
  const held = new Map<number, number>();
  const results = (): number[] =>
    [solve(a, b), inverse(a), cholesky(symmetric)].flatMap((each) => numbersIn(evaluate(each as typeof symmetric).toArray()));
  const run = (fails: number): { values: number[]; calls: number } => {
    let calls = 0;
    const reserve = (bytes: number, ...rest: readonly number[]): number | null => {
      const offset =
        calls++ === fails || fails === Infinity ? null : (own.reserve as (...args: readonly number[]) => number | null)(bytes, ...rest);
      if (offset !== null) held.set(offset, bytes);
      return offset;
    };
    const release = (offset: number, ...rest: readonly number[]): void => {
      held.delete(offset);
      (own.release as (...args: readonly number[]) => void)(offset, ...rest);
    };
    Object.assign(memory, { reserve, release });
    const values = results();
    return { values, calls };
  };
  const none = run(Infinity);
  expect(held.size).toBe(0);
  for (const fails of isLong ? [0, 1, 2, 3, 4, 5, 6, 7] : [0, 3, 6]) {
    const { values } = run(fails);
    values.forEach((value, k) => expect(Math.abs(value - none.values[k]!)).toBeLessThan(1e-9 * (1 + Math.abs(value))));
    // What is kept: a block of arguments, the stack, the area for copies.
    expect(held.size).toBeLessThanOrEqual(3);
  }
});
