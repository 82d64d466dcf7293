// The result of an element depends on that element alone. Tests every elementwise operation of the op table on every dtype that
// has kernels, with every rare element, at any position and next to any others.
import { expect, test } from "@jest/globals";
import type { DType, RawDType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { opNames, opTable } from "@onebuffer/eigen";
import type { OpName } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { isComplexDType } from "@onebuffer/expression/src/tree/dtype-groups";
import { hasKernel } from "@onebuffer/compiler/src/plan/kernel-support";
import { divisions } from "../operation-records.ts";
import { functionBound } from "./kernel-subjects.ts";
import { aloneResults, wrongByReference, wrongDense, wrongSpread } from "./neighbor-subjects.ts";
import type { Body, Tuple } from "./neighbor-subjects.ts";
import { bitsOf, rareElements } from "./rare-elements.ts";
import type { Bits } from "./rare-elements.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** The number of partners that each rare element gets in a binary operation. */
const kPartners = isLong ? 12 : 1;
const isInteger = (dtype: DType): boolean => dtype.includes("int");

/** Returns an element that every operation computes by its main branch. */
function ordinaryOf(dtype: RawDType): Bits {
  return bitsOf(dtype, [dtype === "bool" ? true : dtype === "int64" || dtype === "uint64" ? 3n : isInteger(dtype) ? 3 : 0.75])[0]!;
}

/** Returns true if an operation on integers throws for a second operand. */
function isRefused(op: OpName, dtype: RawDType, second: Bits): boolean {
  if (!isInteger(dtype)) return false;
  if (op === "pow") return dtype.startsWith("int") && BigInt.asIntN(8 * dtypeSize(dtype), BigInt(second)) < 0n;
  return divisions.includes(op) && BigInt(second) === 0n;
}

/** Returns tuples of rare elements, each with some others and with an ordinary one. The last tuple is ordinary. */
function tuplesFor(op: OpName, dtypes: readonly RawDType[]): Tuple[] {
  const all = dtypes.map((dtype) => [...rareElements(dtype), ordinaryOf(dtype)]);
  const [first, ...others] = all as [Bits[], ...Bits[][]];
  const tuples: Tuple[] = [];
  if (others.length === 0) return first.map((value) => [value]);
  const longest = Math.max(...all.map((list) => list.length));
  const at = (list: readonly Bits[], i: number): Bits => list[((i % list.length) + list.length) % list.length]!;
  for (let i = 0; i < longest; i++) {
    for (let k = 0; k < kPartners; k++) tuples.push(all.map((list, o) => at(list, i + o * k * 7)));
    all.forEach((_, o) => tuples.push(all.map((list, p) => (p === o ? at(list, i) : list.at(-1)!))));
  }
  tuples.push(all.map((list) => list.at(-1)!));
  return tuples.filter((tuple) => tuple.length !== 2 || !isRefused(op, dtypes[1]!, tuple[1]!));
}

/** Returns a description of the first wrong result of a body, or null if there is none. */
function wrong(body: Body, tuples: readonly Tuple[]): string | null {
  const alone = aloneResults(body, tuples);
  if (typeof alone === "string") return alone;
  return (
    wrongSpread(body, tuples, alone, isLong ? 1 : 5) ?? wrongDense(body, tuples, alone, isLong ? 64 : 8) ?? wrongByReference(body, tuples)
  );
}

const operandsOf = (op: OpName, dtype: RawDType): readonly RawDType[] =>
  op === "select" ? ["bool", dtype, dtype] : opTable[op].class === "binary" ? [dtype, dtype] : [dtype];

const elementwise = [...opNames("unary"), ...opNames("binary"), ...opNames("ternary")].filter((op) => op !== "cast");

/** Returns every fifth dtype, from one that `turn` chooses, so that each operation has other dtypes; all of them in `npm run long`. */
const byFifths = <T>(dtypes: readonly T[], turn: number): readonly T[] =>
  dtypes.filter((_, k) => isLong || (k + turn) % Math.min(5, dtypes.length) === 0);

test.each(sampled(elementwise, 14))("%s of an element does not depend on its neighbors", (op) => {
  const supported = opTable[op].dtypes.filter((dtype) => hasKernel(op, dtype) && !isComplexDType(dtype));
  const found = byFifths(supported, elementwise.indexOf(op)).map((dtype) => {
    const dtypes = operandsOf(op, dtype as RawDType);
    const body: Body = { name: op, dtypes, build: (x, ...others) => x[op](...others), bound: functionBound(op, dtype) };
    return [dtype, wrong(body, tuplesFor(op, dtypes))];
  });
  expect(found.filter(([, what]) => what !== null)).toEqual([]);
});

const castable = opTable.cast.dtypes.filter((dtype) => hasKernel("cast", dtype) && !isComplexDType(dtype)) as RawDType[];
test.each(castable)("a cast of %s does not depend on neighbors", (dtype) => {
  const found = sampled(byFifths(castable, castable.indexOf(dtype)), 3).flatMap((to) =>
    (isLong ? ["cast", "saturateCast"] : ["cast"]).map((cast) => {
      const body: Body = { name: cast, dtypes: [dtype], build: (x: Any) => x[cast](to), bound: { ulps: 0, least: 0 } };
      return [cast, to, wrong(body, tuplesFor("cast", [dtype]))];
    }),
  );
  expect(found.filter(([, , what]) => what !== null)).toEqual([]);
});

/** Expressions of several steps that one kernel computes. If the evaluator computed a step, its last bits would differ. */
const composed: readonly (readonly [name: string, dtypes: readonly RawDType[], op: OpName, build: (x: Any, y: Any) => Any])[] = [
  ...(["float32", "float64", "float16"] as const).flatMap((dtype) => [
    ["silu", [dtype], "sigmoid", (x: Any) => x.silu()] as const,
    ["gelu", [dtype], "erf", (x: Any) => x.gelu()] as const,
    ["approximate gelu", [dtype], "exp", (x: Any) => x.gelu({ approximate: true })] as const,
    ["exp of log", [dtype], "exp", (x: Any) => x.log().exp().add(x.sin())] as const,
    ["sin of mod", [dtype, dtype], "mod", (x: Any, y: Any) => x.mod(y).sin()] as const,
    ["both widths", [dtype], "exp", (x: Any) => x.exp().cast("float64").mul(0.5).exp2().cast("float32").expm1()] as const,
  ]),
  ...(["int8", "int16", "int32", "int64", "uint32"] as const).map(
    (dtype) => ["tan of div", [dtype, dtype], "div", (x: Any, y: Any) => x.div(y).cast("float32").add(x.cast("float32")).tan()] as const,
  ),
];

test.each(sampled(composed, 5))("%s of %s does not depend on neighbors", (name, dtypes, op, build) => {
  // Each step magnifies the errors of the one before, so the evaluator's values are compared only roughly.
  expect(wrong({ name, dtypes, build, bound: { ulps: 2 ** 20, least: 0 } }, tuplesFor(op, dtypes))).toBe(null);
});
