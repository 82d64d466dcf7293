// Checks the float-to-integer table of docs/expressions.md against both evaluators.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { integerDTypes, narrowDTypes } from "@onebuffer/expression/src/tree/dtype-groups";
import { assignByReference } from "@onebuffer/eigen/internal";
import { isLong } from "@onebuffer/test-support";
import { arenaMap } from "../kernel/kernel-subjects.ts";

/** Trees are built from tables here, which static types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** A row of the table: the dtype, the range [low, end) that wraps around, the result for values outside it, and examples. */
interface Row {
  readonly to: string;
  readonly low: bigint;
  readonly end: bigint;
  readonly outside: bigint;
  readonly examples: readonly (readonly [value: number, result: bigint])[];
}

/** Parses a number of the page: digits, or a power of two. */
function integer(text: string): bigint {
  const [, sign, power, digits] = /^(-?)(?:2\^(\d+)|(\d+))$/.exec(text)!;
  const size = power === undefined ? BigInt(digits!) : 2n ** BigInt(power);
  return sign === "-" ? -size : size;
}

const page = readFileSync(new URL("../../../../../docs/expressions.md", import.meta.url), "utf8");
const lines = /<!-- float to integer -->\n+(.*?)\n+<!-- end of float to integer -->/s.exec(page)![1]!.split("\n");
const [head, , ...body] = lines.map((line) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim()),
);
const rows = body.map((cells): Row => {
  const [to, low, end, outside, ...examples] = cells as [string, string, string, string, ...string[]];
  return {
    to: to.replaceAll("`", ""),
    low: integer(low),
    end: integer(end),
    outside: integer(outside),
    examples: examples.map((result, k) => [Number(head![4 + k]), integer(result)] as const),
  };
});

/** Floats around the ends of all ranges, floats with fractions, infinities and NaN. */
const subjects = [
  ...[0, 0.5, 1, 2, 3, 7, 8, 15, 16, 100, 127, 128, 255, 256, 300, 32767, 32768, 65504, 65535, 65536, 70000, 3e9, 1e10, 1e20, 1e300],
  ...[31, 32, 63, 64].flatMap((k) => [
    2 ** k,
    2 ** k - 1,
    2 ** k - 0.5,
    2 ** k + 1,
    2 ** k * (1 - 2 ** -24),
    2 ** k * (1 + 2 ** -23),
    2 ** k * (1 - 2 ** -53),
    2 ** k * (1 + 2 ** -52),
  ]),
  ...[Infinity, Number.NaN],
].flatMap((x) => [x, -x]);

/** Returns the integer that a float becomes according to the page. */
function asThePageSays({ to, low, end, outside }: Row, value: number): bigint {
  const part = Number.isFinite(value) ? BigInt(Math.trunc(value)) : null;
  if (part === null || part < low || part >= end) return outside;
  const bits = Number(/\d+$/.exec(to)![0]);
  return to.startsWith("u") ? BigInt.asUintN(bits, part) : BigInt.asIntN(bits, part);
}

test("the table has a row for every integer dtype", () => {
  const integers = [...integerDTypes, ...narrowDTypes.filter((dtype) => dtype.includes("int"))];
  expect(rows.map(({ to }) => to).sort()).toEqual([...integers].sort());
});

/** The dtypes of which two meet each row, by turns; all of them in `npm run long`. */
const floats = ["float32", "float64", "float16", "bfloat16"] as const;

describe.each(rows)("float to $to", (row) => {
  test.each(floats.filter((_, k) => isLong || (k + rows.indexOf(row)) % 2 === 0))("from %s gives the page's results", (from) => {
    const x = arenaMap(from, [subjects.length]) as Any;
    x.copyFrom(subjects);
    const held = [...x] as number[];
    const expected = held.map((value) => asThePageSays(row, value));
    const evaluators = [(out: Any, expr: Any) => out.assign(expr), assignByReference as (out: Any, expr: Any) => void];
    for (const assign of evaluators) {
      const out = arenaMap(row.to as "int32", x.dimensions) as Any;
      assign(out, x.cast(row.to));
      const got = [...out].map(BigInt);
      expect(held.map((value, k) => [value, got[k]])).toEqual(held.map((value, k) => [value, expected[k]]));
    }
  });

  test("the page's examples agree with its ranges", () => {
    expect(row.examples).toEqual(row.examples.map(([value]) => [value, asThePageSays(row, value)]));
  });
});
