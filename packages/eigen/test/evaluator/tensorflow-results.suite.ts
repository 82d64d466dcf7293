// Every operation against the results of TensorFlow 2.21 for the same inputs (fixtures/make-expressions.py): integers, booleans and moved
// elements bit for bit, floats within a few units in the last place.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { DType, RawDType, StatusCode } from "@onebuffer/base";
import { typedArrayConstructor } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { evaluate, statelessNormal, statelessUniform, tensorMap } from "@onebuffer/eigen";
import type { Expression, Operand, TensorMap } from "@onebuffer/eigen";
import { expectStatus } from "@onebuffer/test-support";

interface Stored {
  readonly dtype: string;
  readonly dims: readonly number[];
  readonly bytes: string;
}

interface Case {
  readonly op: string;
  readonly inputs: readonly Stored[];
  readonly args: readonly unknown[];
  readonly output?: Stored;
  readonly error?: string;
}

const cases = JSON.parse(readFileSync(new URL("../../../test/fixtures/expressions.json", import.meta.url), "utf8")) as readonly Case[];

/** A unit in the last place, relative to the value, and the smallest normal number. */
const precision: Readonly<Record<string, readonly [ulp: number, normal: number]>> = {
  float32: [2 ** -23, 2 ** -126],
  float64: [2 ** -52, 2 ** -1022],
  float16: [2 ** -10, 2 ** -14],
  bfloat16: [2 ** -7, 2 ** -126],
  complex64: [2 ** -23, 2 ** -126],
  complex128: [2 ** -52, 2 ** -1022],
};

/** How many such units results may differ; 2 for operations not listed, because TensorFlow's own functions err by up to 2. */
const allowed: Readonly<Record<string, number>> = {
  sum: 4,
  prod: 4,
  mean: 4,
  pow: 40,
  tan: 8,
  tanh: 8,
  softmax: 4,
  logSoftmax: 4,
  logSumExp: 4,
  layerNorm: 8,
  variance: 4,
  l2Normalize: 4,
  gelu: 4,
  silu: 4,
  sigmoid: 3,
  statelessNormal: 4,
  log: 8,
};

/** Operations whose results must be equal. */
const exact = new Set([
  "reshape",
  "broadcast",
  "shuffle",
  "slice",
  "reverse",
  "gather",
  "roll",
  "tile",
  "pad",
  "sort",
  "cast",
  "statelessUniform",
]);

const dtypeNames: Readonly<Record<string, RawDType>> = { half: "float16" };

function mapOf({ dtype, dims, bytes }: Stored): TensorMap<DType, number> {
  const name = dtypeNames[dtype] ?? (dtype as RawDType);
  const array = new (typedArrayConstructor(name))(Uint8Array.from(Buffer.from(bytes, "base64")).buffer);
  return tensorMap(name as DType, array as never, dims);
}

type Methods = Readonly<Record<string, (...args: unknown[]) => Expression<DType, number>>>;

function expressionOf({ op, inputs, args }: Case): Operand<DType, number> {
  if (op.startsWith("stateless")) {
    const [seed, dtype, dims, low, high] = args as [string[], "int32", number[], string | null, string | null];
    const words = seed.map(BigInt) as [bigint, bigint];
    if (op === "statelessNormal") return statelessNormal(dtype as never, dims, words);
    const bound = (text: string | null | undefined): never =>
      (text == null ? null : /^u?int/.test(dtype) ? BigInt(text) : Number(text)) as never;
    return statelessUniform(dtype, dims, words, { minval: bound(low), maxval: bound(high) });
  }
  const [first, ...others] = inputs.map(mapOf);
  const [axes, keepDims] = args;
  if (/^(cum)?(sum|prod)$/.test(op))
    args = [axes, { ...(typeof keepDims === "boolean" ? { keepDims } : (keepDims as object)), wraps: true }];
  else if (op === "sort" || op === "argsort") args = [-1, { descending: axes }];
  else if (op === "gelu") args = [{ approximate: axes }];
  else if (op === "pad") args = [axes, { mode: keepDims }];
  else if (typeof keepDims === "boolean") args = [axes, { keepDims }];
  const operand = first as unknown as Methods;
  return (operand[op] as (...all: unknown[]) => Expression<DType, number>).call(first, ...others, ...args);
}

/** Returns the distance of two values in units of the dtype's last place; 0 for equal values, including two NaN. */
function distance(got: unknown, expected: unknown, dtype: string): number {
  if (Object.is(got, expected)) return 0;
  const [ulp, normal] = precision[dtype] ?? [0, 0];
  if (typeof got === "object") {
    const [a, b] = got as [number, number];
    const [c, d] = expected as [number, number];
    if (Object.is(a, c) && Object.is(b, d)) return 0;
    return Math.hypot(a - c, b - d) / (Math.max(Math.hypot(c, d), normal) * ulp);
  }
  if (typeof got !== "number" || ulp === 0 || got === expected) return got === expected ? 0 : Infinity;
  const value = expected as number;
  if (!Number.isFinite(got) || !Number.isFinite(value)) return Infinity;
  return Math.abs(got - value) / (Math.max(Math.abs(got), Math.abs(value), normal) * ulp);
}

const byOp = new Map<string, Case[]>();
for (const one of cases) byOp.set(one.op, [...(byOp.get(one.op) ?? []), one]);

describe("same results as TensorFlow", () => {
  test.each([...byOp])("%s", (op, list) => {
    const wrong: string[] = [];
    for (const one of list) {
      const shown = `${op}(${one.inputs.map(({ dtype, dims }) => `${dtype} [${dims}]`).join(", ")}, ${JSON.stringify(one.args)})`;
      if (op === "mean" && /int/.test(one.inputs[0]!.dtype)) {
        expectStatus(() => expressionOf(one), "INVALID_ARGUMENT", 'cast("float32").mean()');
        continue;
      }
      if (one.error !== undefined) {
        expectStatus(() => evaluate(expressionOf(one)), one.error as StatusCode);
        continue;
      }
      const expected = mapOf(one.output as Stored);
      const expression = expressionOf(one);
      const map = tensorMap(
        expression.dtype,
        new (typedArrayConstructor(expression.dtype as RawDType))(expected.data.length as number) as never,
        expression.dimensions,
      );
      assignByReference(map, expression);
      expect([shown, map.dtype, map.dimensions]).toEqual([shown, expected.dtype, expected.dimensions]);
      const got = [...map];
      const limit = exact.has(op) ? 0 : (allowed[op] ?? 2);
      [...expected].forEach((value, k) => {
        if (distance(got[k], value, map.dtype) > limit) wrong.push(`${shown} element ${k}: ${String(got[k])}, TensorFlow ${String(value)}`);
      });
    }
    expect(wrong).toEqual([]);
  });

  test("the fixture has many cases, of many operations, with errors among them", () => {
    expect(cases.length).toBeGreaterThan(1000);
    expect(cases.filter(({ error }) => error !== undefined).length).toBeGreaterThan(10);
    expect(byOp.size).toBeGreaterThan(80);
  });
});
