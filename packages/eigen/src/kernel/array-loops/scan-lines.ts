/**
 * scan-lines: running sums and products along an axis (tensorflow/core/kernels/scan_ops.cc), as loops over typed arrays.
 *
 *     [outer, count, inner]      lines of `count` elements that are `inner` apart; adjacent lines keep their totals in one row
 *
 * Floats are accumulated in float64 and rounded when they are stored; integers wrap around. The results equal the plain
 * evaluator's, bit for bit.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import type { TypedArray } from "@onebuffer/base";
import { isBig, isInteger } from "../../expression/tree/dtype-groups.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import type { Bigs, Numbers } from "./dense-array.ts";

/** Returns the total after one more element. */
type Step<T> = (total: T, value: T) => T;

const sum: Step<number> = (total, value) => total + value;
const product64: Step<number> = (total, value) => total * value;
const bigSum: Step<bigint> = (total, value) => BigInt.asIntN(64, total + value);
const bigProduct: Step<bigint> = (total, value) => BigInt.asIntN(64, total * value);
/** A sum of 32-bit integers could exceed what a double holds exactly. Modulo 2^32 it is exact, and so it is for all narrower dtypes. */
const wrappedSum: Step<number> = (total, value) => (total + value) | 0;

/** Writes the elements of a scan. `from` and `to` may be the same array. Throws RESOURCE_EXHAUSTED if there is no room for the totals. */
export function scanLines(node: ExpressionTree, from: TypedArray, to: TypedArray): void {
  const { axis, exclusive, reverse } = attributesOf(node, "cumsum");
  const dims = node.dimensions;
  const inner = product(dims.slice(axis + 1));
  const count = dims[axis] as number;
  const outer = product(dims.slice(0, axis));
  const isSum = node.op === "cumsum";
  const lines = { outer, count, inner, exclusive, reverse };
  if (isBig(node.dtype)) {
    const totals = (): bigint[] => new Array<bigint>(inner).fill(isSum ? 0n : 1n);
    scan(from as Bigs, to as Bigs, totals(), isSum ? bigSum : bigProduct, isSum ? 0n : 1n, lines);
    return;
  }
  const step = isInteger(node.dtype) ? (isSum ? wrappedSum : Math.imul) : isSum ? sum : product64;
  scan(from as Numbers, to as Numbers, totalsFor(inner), step, isSum ? 0 : 1, lines);
}

/** Returns an array for the totals of `inner` adjacent lines. Throws RESOURCE_EXHAUSTED if there is no room for it. */
function totalsFor(inner: number): Numbers {
  try {
    return new Float64Array(inner);
  } catch (cause) {
    throw new ResourceExhaustedError(`no room for the totals of ${inner} lines`, { cause });
  }
}

/** An array of numbers or of bigints. */
interface Elements<T> {
  [index: number]: T;
  fill(value: T): unknown;
}

/** The lines of a scan, and its direction. */
interface Lines {
  readonly outer: number;
  readonly count: number;
  readonly inner: number;
  readonly exclusive: boolean;
  readonly reverse: boolean;
}

function scan<T>(from: Elements<T>, to: Elements<T>, totals: Elements<T>, step: Step<T>, neutral: T, lines: Lines): void {
  if (lines.inner === 1) scanRuns(from, to, step, neutral, lines);
  else scanRows(from, to, totals, step, neutral, lines);
}

/** Scans lines whose elements are adjacent. The total stays in a register. */
function scanRuns<T>(from: Elements<T>, to: Elements<T>, step: Step<T>, neutral: T, { outer, count, exclusive, reverse }: Lines): void {
  for (let o = 0; o < outer; o++) {
    let total = neutral;
    let at = reverse ? (o + 1) * count - 1 : o * count;
    for (let k = 0; k < count; k++) {
      const after = step(total, from[at] as T);
      to[at] = exclusive ? total : after;
      total = after;
      at += reverse ? -1 : 1;
    }
  }
}

/** Scans `inner` adjacent lines at once, a row of elements after the other. */
function scanRows<T>(from: Elements<T>, to: Elements<T>, totals: Elements<T>, step: Step<T>, neutral: T, lines: Lines): void {
  const { outer, count, inner, exclusive, reverse } = lines;
  for (let o = 0; o < outer; o++) {
    totals.fill(neutral);
    for (let k = 0; k < count; k++) {
      const row = (o * count + (reverse ? count - 1 - k : k)) * inner;
      for (let i = 0; i < inner; i++) {
        const before = totals[i] as T;
        const after = step(before, from[row + i] as T);
        totals[i] = after;
        to[row + i] = exclusive ? before : after;
      }
    }
  }
}
