/**
 * The attributes of operations: what an operation has to know besides its operands (a NodeDef's `attr` in TensorFlow). They are
 * checked and brought to one form when the node is made: axes are not negative and ascend, sizes are worked out.
 */
import type { Complex, DType } from "@onebuffer/base";
import type { OpName } from "./op-table.ts";

/** No attributes. */
export type NoAttributes = Readonly<Record<never, never>>;

/** Reductions over axes: distinct, ascending, within the operand's rank. `keepDims` leaves sizes of 1. */
export interface ReduceAttributes {
  readonly axes: readonly number[];
  readonly keepDims: boolean;
}

/** The place of the largest or smallest along one axis, which is removed. */
export interface ArgAttributes {
  readonly axis: number;
}

/** Sums before an element: without itself if `exclusive`, from the end if `reverse`. */
export interface ScanAttributes {
  readonly axis: number;
  readonly exclusive: boolean;
  readonly reverse: boolean;
}

/** A generator's place in the stream: key and counter words as Philox takes them, unsigned. */
export interface PhiloxAttributes {
  readonly key: readonly [number, number];
  readonly counter: readonly [number, number, number, number];
}

/** What `scatter` does where an update meets an element. */
export type ScatterReduction = "update" | "add" | "min" | "max";

/** The operations with attributes of their own. */
interface Special {
  /** The value of every element, as `at` would give it; floats already rounded to the dtype. */
  readonly constant: { readonly value: number | bigint | boolean | Complex };
  /** Element i along `axis` is i, in the other directions the same. */
  readonly iota: { readonly axis: number };
  /** Element i of [count] is start + i * (stop - start) / (count - 1); the last is stop. */
  readonly linspace: { readonly start: number; readonly stop: number };
  readonly randomUniform: PhiloxAttributes;
  readonly randomNormal: PhiloxAttributes;
  /** Integers from `low` to `high` - 1; all of the dtype's when both are null. */
  readonly randomUniformInt: PhiloxAttributes & { readonly low: bigint | null; readonly high: bigint | null };
  /** Whether out of range becomes the nearest end; otherwise as TensorFlow's Cast. The target is the node's dtype. */
  readonly cast: { readonly saturate: boolean };
  /** Dimension d of the result is dimension permutation[d] of the operand. */
  readonly shuffle: { readonly permutation: readonly number[] };
  /** Index i of dimension d reads begin[d] + i * steps[d] of the operand; steps are never 0, may be negative. */
  readonly slice: { readonly begin: readonly number[]; readonly steps: readonly number[] };
  readonly chip: { readonly offset: number; readonly axis: number };
  readonly reverse: { readonly axes: readonly number[] };
  readonly concatenate: { readonly axis: number };
  /** The index operand's dimensions take the place of `axis`. */
  readonly gather: { readonly axis: number };
  /** Row indices[j] along `axis` meets row j of the updates. */
  readonly scatter: { readonly axis: number; readonly reduction: ScatterReduction };
  readonly sum: ReduceAttributes;
  readonly prod: ReduceAttributes;
  readonly mean: ReduceAttributes;
  readonly max: ReduceAttributes;
  readonly min: ReduceAttributes;
  readonly any: ReduceAttributes;
  readonly all: ReduceAttributes;
  readonly argmax: ArgAttributes;
  readonly argmin: ArgAttributes;
  readonly cumsum: ScanAttributes;
  readonly cumprod: ScanAttributes;
  readonly matMul: { readonly transposeA: boolean; readonly transposeB: boolean };
  /** Along the last axis. */
  readonly sort: { readonly descending: boolean };
  readonly argsort: { readonly descending: boolean };
}

/** The attributes of operation `O`. */
export type OpAttributes<O extends OpName = OpName> = O extends keyof Special ? Special[O] : NoAttributes;

/** The one object all operations without attributes have. */
export const noAttributes: NoAttributes = Object.freeze({});

/** What a node is made of, once inferred and checked. */
export interface ExpressionFields {
  readonly op: OpName;
  readonly inputs: readonly ExpressionTree[];
  readonly attributes: OpAttributes;
  readonly dtype: DType;
  readonly dimensions: readonly number[];
}

/**
 * A node of a tree as code sees it that works on any: a map (op "map", no inputs, depth 0) or an Expression. Immutable.
 */
export interface ExpressionTree extends ExpressionFields {
  /** Operations on the longest way down to a leaf. */
  readonly depth: number;
}

/** The attributes of a node whose operation is known. */
export function attributesOf<O extends OpName>(node: ExpressionTree, _op: O): OpAttributes<O> {
  return node.attributes as OpAttributes<O>;
}
