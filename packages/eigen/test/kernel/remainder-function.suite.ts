// The function that kernels call for remainders with long quotients equals JavaScript's %, which is C's fmod.
import { expect, test } from "@jest/globals";
import { WasmModule } from "@onebuffer/wasm/internal";
import { writeRemainderFunction } from "@onebuffer/compiler/src/form/remainder-function";
import { Dice } from "./kernel-subjects.ts";
import { rareElements } from "./rare-elements.ts";
import { instantiate, memoryImport, sampled } from "@onebuffer/test-support";

const module = new WasmModule(memoryImport);
const { name } = writeRemainderFunction(module);
const remainder = instantiate(module)[name]! as (x: number, y: number) => number;

/** Returns the doubles with these bits, without infinities and NaN. */
function finite(bits: readonly bigint[]): number[] {
  return [...new Float64Array(BigUint64Array.from(bits).buffer)].filter(Number.isFinite);
}

/** Returns the pairs for which the function and % differ. */
function differences(pairs: readonly (readonly [number, number])[]): readonly (readonly number[])[] {
  return pairs.filter(([x, y]) => y !== 0 && !Object.is(remainder(x, y), x % y)).map(([x, y]) => [x, y, remainder(x, y), x % y]);
}

test("equals % for all pairs of rare doubles", () => {
  const all = finite(rareElements("float64") as bigint[]);
  const values = sampled(all, all.length / 2);
  expect(differences(values.flatMap((x) => values.map((y) => [x, y] as const)))).toEqual([]);
});

test("equals % for doubles with random bits", () => {
  const dice = new Dice(5);
  const draw = (): bigint => (BigInt(dice.next()) << 32n) | BigInt(dice.next());
  const values = finite(Array.from({ length: 20_000 }, draw));
  expect(differences(values.slice(1).map((y, i) => [values[i]!, y] as const))).toEqual([]);
});

test("does not trap, and equals % where it promises to", () => {
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, 5e-324, Number.MAX_VALUE];
  const pairs = odd.flatMap((x) => odd.map((y) => [x, y] as const));
  for (const [x, y] of pairs) expect(() => remainder(x, y)).not.toThrow();
  expect(differences(pairs.filter(([x, y]) => Number.isFinite(x) && !Number.isNaN(y)))).toEqual([]);
});
