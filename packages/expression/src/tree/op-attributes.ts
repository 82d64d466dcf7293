/**
 * The attributes of operations: an operation's parameters besides its operands (a NodeDef's `attr` in TensorFlow). They are checked and
 * normalized when the node is made: axes are non-negative and ascending, sizes are computed.
 */
import type { Complex, DType } from "@onebuffer/base";
import type { PlaceReduction } from "../generated/op-facts.ts";
import type { OpName, OpNameOf } from "./op-table.ts";

/** No attributes. */
export type NoAttributes = Readonly<Record<never, never>>;

/** Attributes of reductions over axes. The axes are distinct, ascending and within the operand's rank. `keepDims` keeps sizes of 1. */
export interface ReduceAttributes {
  readonly axes: readonly number[];
  readonly keepDims: boolean;
}

/** Attributes of reductions to places; `axis` is removed from the result. */
export interface ArgAttributes {
  readonly axis: number;
}

/** Attributes of cumulative operations: `exclusive` leaves out the element itself, `reverse` accumulates from the end. */
export interface ScanAttributes {
  readonly axis: number;
  readonly exclusive: boolean;
  readonly reverse: boolean;
}

/** The start of a random stream: key and counter words for Philox, unsigned. */
export interface PhiloxAttributes {
  readonly key: readonly [number, number];
  readonly counter: readonly [number, number, number, number];
}

/** How `scatter` combines an update with an element. */
export type ScatterReduction = "update" | "add" | "mul" | "min" | "max";

/** The indices outside an axis whose updates `scatter` drops: none, negative ones, or those behind its end. The others throw. */
export type ScatterSkips = "none" | "negative" | "large";

/** The attributes by operation, for the operations of classes with attributes of one kind. */
type ByClass = { readonly [K in OpNameOf<"scan">]: ScanAttributes } & {
  readonly [K in OpNameOf<"reduction">]: K extends PlaceReduction ? ArgAttributes : ReduceAttributes;
};

/** The attributes by operation, for the operations that have any. */
interface Special extends ByClass {
  /** The value of every element, as `at` returns it; floats are already rounded to the dtype. */
  readonly constant: { readonly value: number | bigint | boolean | Complex };
  /** The element at index i along `axis` is i; the other axes do not matter. */
  readonly iota: { readonly axis: number };
  /** Element i of [count] is start + i * (stop - start) / (count - 1); the last element is exactly stop. */
  readonly linspace: { readonly start: number; readonly stop: number };
  readonly randomUniform: PhiloxAttributes;
  readonly randomNormal: PhiloxAttributes;
  /** Integers from `low` to `high` - 1; every value of the dtype if both are null. */
  readonly randomUniformInt: PhiloxAttributes & { readonly low: bigint | null; readonly high: bigint | null };
  /** `saturate` clips values out of range to the nearest end; otherwise the rules are those of TensorFlow's Cast. To the node's dtype. */
  readonly cast: { readonly saturate: boolean };
  /** Dimension d of the result is dimension permutation[d] of the operand. */
  readonly shuffle: { readonly permutation: readonly number[] };
  /** Index i of dimension d reads begin[d] + i * steps[d] of the operand. Steps are not 0 and may be negative. */
  readonly slice: { readonly begin: readonly number[]; readonly steps: readonly number[] };
  readonly chip: { readonly offset: number; readonly axis: number };
  readonly reverse: { readonly axes: readonly number[] };
  /**
   * Index i of axes[k] is where a patch begins, i * strides[k] of the operand. A dimension per axis comes last, its index j within the patch
   * reads dilations[k] * j further on.
   */
  readonly extractPatches: { readonly axes: readonly number[]; readonly strides: readonly number[]; readonly dilations: readonly number[] };
  readonly concatenate: { readonly axis: number };
  /** The dimensions of the indices replace `axis`. */
  readonly gather: { readonly axis: number };
  /** Row indices[j] along `axis` is combined with row j of the updates. */
  readonly scatter: { readonly axis: number; readonly reduction: ScatterReduction; readonly skips: ScatterSkips };
  readonly matMul: { readonly transposeA: boolean; readonly transposeB: boolean };
  /** Sorts along the last axis. */
  readonly sort: { readonly descending: boolean };
  readonly argsort: { readonly descending: boolean };
  /** The last axis has the elements at these places of the sorted row. The places are distinct and ascending. */
  readonly nthElements: { readonly places: readonly number[] };
  /** The record of the operation (custom-record.ts, `recordOf`); the operation's own attributes are beside it. */
  readonly customCall: { readonly record: { readonly name: string } };
}

/** The attributes of operation `O`. */
export type OpAttributes<O extends OpName = OpName> = O extends keyof Special ? Special[O] : NoAttributes;

/** The attributes object that all operations without attributes share. */
export const noAttributes: NoAttributes = Object.freeze({});

/** The fields of a node, inferred and checked. */
export interface ExpressionFields {
  readonly op: OpName;
  readonly inputs: readonly ExpressionTree[];
  readonly attributes: OpAttributes;
  readonly dtype: DType;
  readonly dimensions: readonly number[];
}

/**
 * A node of a tree of any dtype and rank: a map (op "map", no inputs, depth 0) or an Expression. Immutable.
 */
export interface ExpressionTree extends ExpressionFields {
  /** The number of operations on the longest path to a leaf. */
  readonly depth: number;
}

/**
 * A node with its lists as they are stored. An expression freezes them when a program first reads `inputs`, `attributes` or `dimensions`;
 * to freeze lists takes longer than to make a node, or to assign a small expression. So code that runs for each new expression reads the
 * stored lists, and must not change them. All maps and expressions have them, the plain objects of the lowering do not. The operands are null
 * if they have yet to be made (deferred-inputs.ts); to read `inputs` makes them.
 */
export interface StoredTree extends ExpressionTree {
  readonly rawInputs?: readonly ExpressionTree[] | null;
  readonly rawAttributes?: OpAttributes;
  readonly rawDimensions?: readonly number[];
}

/** Returns the axes that a reduction removes. */
export function reducedAxes({ attributes }: ExpressionTree): readonly number[] {
  const { axes, axis } = attributes as Partial<ReduceAttributes & ArgAttributes>;
  return axes ?? [axis!];
}

/** Returns the attributes of a node, typed for operation `O`. Does not check that the node has this operation. */
export function attributesOf<O extends OpName>(node: ExpressionTree, _op: O): OpAttributes<O> {
  return ((node as StoredTree).rawAttributes ?? node.attributes) as OpAttributes<O>;
}
