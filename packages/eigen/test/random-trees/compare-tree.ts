// Evaluates one random tree in every way and reports the first difference.
//
//     stepwise    each operation by itself (stepwise.ts): the expected result
//     evaluator   `assignByReference`: must give the same bits
//     assign      kernels, plain loops and whatever else `assign` chooses, three times: the second time it uses what it has cached, and
//                 the third time what it has cached on other memory
import type { DType, RawDType } from "@onebuffer/base";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { tensorMap } from "@onebuffer/eigen";
import { isRoundedWhenStored } from "@onebuffer/evaluator/src/cast-function";
import { partDType } from "@onebuffer/expression/src/tree/dtype-groups";
import { broadcastMap } from "@onebuffer/evaluator/src/index-map";
import type { Value } from "@onebuffer/evaluator/src/values";
import type { Built, BuiltTree } from "./build-tree.ts";
import { buildTree } from "./build-tree.ts";
import { isNear, unitAt } from "./float-units.ts";
import { isFloatDType } from "./growth.ts";
import { Stepwise } from "./stepwise.ts";
import type { TreeSpec } from "./tree-spec.ts";
import { product } from "../row-major.ts";

/** A difference between two evaluations of a tree. */
export interface Disagreement {
  /** The evaluation that is wrong: "evaluator", "assign", "assign again", "assign elsewhere". */
  readonly who: string;
  /** The first element that differs, or the error that was thrown. */
  readonly detail: string;
}

/** The numbers of elements that were compared exactly, compared within an error, or not compared. */
export interface Compared {
  readonly exact: number;
  readonly bounded: number;
  readonly unknown: number;
}

/** The result of comparing a tree. */
export interface Outcome {
  readonly disagreement: Disagreement | null;
  readonly compared: Compared;
}

/** The expected elements: a value, and the error that a float may have. */
export interface Expected {
  readonly dtype: DType;
  readonly dims: readonly number[];
  readonly value: (k: number) => unknown;
  readonly error: (k: number) => number;
}

const nothing: Compared = { exact: 0, bounded: 0, unknown: 0 };
const shown = (value: unknown): string => (Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : String(value));
const sameNumber = (a: unknown, b: unknown): boolean => Object.is(a, b) || (a !== a && b !== b);

/** Returns true if an element is as expected. */
export function isAsExpected(dtype: DType, got: unknown, wanted: unknown, error: number): boolean {
  if (error === Infinity) return true;
  if (Array.isArray(got)) return [0, 1].every((k) => isNear(partDType(dtype), got[k], (wanted as number[])[k] as number, error));
  return isFloatDType(dtype as "float32") ? isNear(dtype, got as number, wanted as number, error) : sameNumber(got, wanted);
}

/** Describes the first element of a list that is not as expected; null if all are. */
export function firstDifference(list: readonly unknown[], { dtype, dims, value, error }: Expected): string | null {
  const k = list.findIndex((got, i) => !isAsExpected(dtype, got, value(i), error(i)));
  if (k < 0) return null;
  const slack = error(k) === 0 ? "" : ` within ${error(k)}`;
  return `element ${k} of ${dtype} [${dims}] is ${shown(list[k])}, not ${shown(value(k))}${slack}`;
}

/** Returns the results of the steps, broadcast to the target's sizes. Throws if an operation throws for any of its elements. */
export function expectedOf(root: Built, dims: readonly number[]): Expected {
  const steps = new Stepwise();
  const { errors } = steps.of(root);
  const read = steps.stored(root);
  const place = broadcastMap(root.dimensions, dims) ?? ((k: number) => k);
  const isBool = root.dtype === "bool";
  const isHalf = isRoundedWhenStored(root.dtype);
  return {
    dtype: root.dtype,
    dims,
    value: (k) => (isBool ? read(place(k)) === 1 : read(place(k))),
    error: (k) => {
      const error = errors?.[place(k)] ?? 0;
      // An unknown difference stays unknown; its sum with the unit of NaN would be NaN.
      return error > 0 && error < Infinity && isHalf ? error + unitAt(root.dtype, Math.abs(read(place(k)) as number) + error) : error;
    },
  };
}

/** Returns the code of the error that a run throws; null if it throws none. */
function thrownBy(run: () => void): string | null {
  try {
    run();
    return null;
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    return code === undefined ? `${message} (no StatusError)` : code;
  }
}

/** Returns the evaluator's result in new memory. */
function byEvaluator({ root }: BuiltTree, dims: readonly number[]): Built {
  const array = new (typedArrayConstructor(root.dtype as RawDType))(product(dims) * arraySlots(root.dtype as RawDType));
  const map: Built = tensorMap(root.dtype as DType, array as never, dims);
  assignByReference(map, root);
  return map;
}

function counted({ dims, error }: Expected): Compared {
  let [exact, bounded, unknown] = [0, 0, 0];
  for (let k = 0; k < product(dims); k++) {
    const off = error(k);
    if (off === 0) exact++;
    else if (off === Infinity) unknown++;
    else bounded++;
  }
  return { exact, bounded, unknown };
}

/** The steps threw INVALID_ARGUMENT, possibly for an element that no result needs; they then have no expected result. */
const refusedAStep = Symbol("refused");

function expectedOrRefused(root: Built, dims: readonly number[]): Expected | typeof refusedAStep {
  let expected: Expected | typeof refusedAStep = refusedAStep;
  const code = thrownBy(() => {
    expected = expectedOf(root, dims);
  });
  if (code !== null && code !== "INVALID_ARGUMENT") throw new Error(`the steps throw ${code}`);
  return expected;
}

/** Returns the evaluator's result as the expected one, for trees in which a step throws. Elements are compared only if all are exact. */
function expectedFromEvaluator(built: BuiltTree, plain: Built): Expected {
  const list: Value[] = [...plain];
  const isExact = built.operands.every(({ dtype }) => !isFloatDType(dtype) && !dtype.startsWith("complex"));
  return { dtype: built.root.dtype, dims: plain.dimensions, value: (k) => list[k], error: () => (isExact ? 0 : Infinity) };
}

/** Evaluates a tree in every way and compares the results. */
export function compareTree(spec: TreeSpec): Outcome {
  const built = buildTree(spec);
  const { root, target } = built;
  const dims: readonly number[] = target.dimensions;
  let plain: Built = null;
  const refusal = thrownBy(() => {
    plain = byEvaluator(built, dims);
  });
  const steps = expectedOrRefused(root, dims);
  const expected = refusal !== null ? null : steps === refusedAStep ? expectedFromEvaluator(built, plain) : steps;
  const disagree = (who: string, detail: string): Outcome => ({ disagreement: { who, detail }, compared: nothing });
  if (refusal !== null && steps !== refusedAStep) return disagree("evaluator", `throws ${refusal}, the steps do not`);
  if (expected !== null && steps !== refusedAStep) {
    const difference = firstDifference([...plain], { ...expected, error: () => 0 });
    if (difference !== null) return disagree("evaluator", difference);
  }
  for (const who of ["assign", "assign again", "assign elsewhere"]) {
    const one = who === "assign elsewhere" ? buildTree(spec) : built;
    const code = thrownBy(() => one.target.assign(one.root));
    if (code !== refusal) return disagree(who, `throws ${code ?? "nothing"}, the evaluator ${refusal ?? "nothing"}`);
    const difference = expected === null ? null : firstDifference([...one.target], expected);
    if (difference !== null) return disagree(who, difference);
    if (!one.isApart()) return disagree(who, "bytes next to the target were written");
    one.restore();
  }
  return { disagreement: null, compared: expected === null ? nothing : counted(expected) };
}
