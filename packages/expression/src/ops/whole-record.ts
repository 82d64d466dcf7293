/**
 * whole-record: the facts about an operation that is not elementwise, from which its row of the op table, the tables of facts in
 * expression/generated and its row in docs/expressions.md are derived.
 *
 * Where elements of the result come from many elements of the operand, or none, an operation has code of its own in the evaluator, in the
 * kernels and in StableHLO. That code asks for these facts, and for the name only in tables that have a row for each operation of the class.
 */
import type { BinaryName } from "../generated/op-names.ts";

/** The dtypes that an operation accepts, in the words of docs/expressions.md; `any`: every dtype that is stored as bytes. */
export type WholeDTypes =
  | "any"
  | "numbers"
  | "reals"
  | "floats"
  | "floats, complex"
  | "bool"
  | "numbers, narrow, bool"
  | "int32, int64, uint32, uint64";

/** The facts that differ from class to class. */
interface FactsOf {
  readonly leaf: unknown;
  /** `isUniform`: all elements are one value. */
  readonly generator: { readonly isUniform: boolean };
  /** `xla`: the units of XLA's function on processors, of float32 and of float64; null if the bits are determined. */
  readonly random: { readonly xla: readonly [number, number] | null };
  readonly unary: unknown;
  readonly ternary: unknown;
  /**
   * `arity`: the number of operands, -1 for one or more. `reads`: where an element of the result comes from, the place in the operand that
   * strides give (`strides`), one of several operands (`operands`), or the row that an index names (`indices`); or an update replaces it
   * (`updates`). `repeats`: an element of the operand may occur several times.
   */
  readonly movement: {
    readonly arity: number;
    readonly reads: "strides" | "operands" | "indices" | "updates";
    readonly repeats: boolean;
  };
  /**
   * `combines`: the operation on two elements that is repeated; it is associative, and its identity is the value of no elements. `gives`:
   * the combined value, that value divided by the number of elements, or the place of the element that was chosen. `comment`: the doc
   * comment of the method.
   */
  readonly reduction: { readonly combines: BinaryName; readonly gives: "value" | "mean" | "place"; readonly comment: string };
  /** As for a reduction; without a comment there is no method. `arity`: the number of operands; the further ones say what becomes of the total. */
  readonly scan: { readonly combines: BinaryName; readonly comment?: string; readonly arity: 1 | 3 };
  readonly contraction: unknown;
  /** `gives`: elements, or their places in the operand. */
  readonly ordering: { readonly gives: "value" | "place" };
}

/** The facts about one operation of class `C`. */
export type WholeRecord<C extends keyof FactsOf> = FactsOf[C] & {
  readonly class: C;
  /** The dtypes of the first operand, for `select` the second; without operands: the dtypes of the result. */
  readonly dtypes: WholeDTypes;
  /** The dtype of the result: the operand's, the second operand's, or what the call gives. */
  readonly result: "same" | "second" | "asked";
  /** True if some elements, such as indices, may be invalid, for which `assign` throws. */
  readonly raises: boolean;
  /** Exact, rounded once, by the rules below the table of docs/expressions.md, or the largest error in units in the last place. */
  readonly accuracy: "exact" | "rounded" | "see below" | readonly [number, number];
  /** The last cell of its row in docs/expressions.md. */
  readonly edgeCases: string;
  /**
   * The gradients of the operands in one line, of the gradient g of the result y, for docs/gradients.md: the words for its rule in
   * expression/gradients. "none" where the rule is.
   */
  readonly gradient: string;
  /** The name below `tf` of the function that has the same arguments; null if there is none. */
  readonly tensorflow: string | null;
  /**
   * Python functions of NumPy. `exact` has the same bits as ours, in the names of tools/interop/numpy_exact.py. `tree` computes a node of a
   * random tree, in the names of tools/interop/numpy_trees.py; null if `exact` does. It takes the operands, then these attributes.
   */
  readonly numpy: { readonly exact: string | null; readonly tree: string | null; readonly attributes: readonly string[] };
};

/** The records of operations of one class. */
export type WholeRecords<C extends keyof FactsOf, N extends string> = { readonly [K in N]: WholeRecord<C> };

/** The record of any operation that is not elementwise. */
export type AnyWholeRecord = { [C in keyof FactsOf]: WholeRecord<C> }[keyof FactsOf];
