/**
 * ReductionBase: the methods for reductions, scans, sorting and matrix products. expression.ts documents them.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { isIndex } from "../../geometry/map-errors.ts";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { castFields, checkDType, checkSameDType, checkTree } from "../inference/elementwise-inference.ts";
import { checkAxis } from "../inference/axes.ts";
import { shuffleFields } from "../inference/movement-inference.ts";
import { checkPairs } from "../inference/axis-pairs.ts";
import { generalProduct } from "./general-product.ts";
import { MovementBase } from "./movement-base.ts";
import type { ExpressionFields, ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandSource } from "../tree/operand.ts";
import type { Axes } from "../tree/rank-types.ts";
import { argFields, matMulFields, reduceFields, scanFields, sortFields } from "../inference/reduction-inference.ts";
import { sizesOf } from "../tree/node-lists.ts";

/** Options of scans. */
interface ScanFlags {
  readonly exclusive?: boolean;
  readonly reverse?: boolean;
}

/** The options of a call without options. */
const kNoOptions = {};

/** The methods for reductions, scans, orderings and contractions. */
export abstract class ReductionBase extends MovementBase {
  /** The sum over axes. */
  sum(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("sum", this, axes, keepDims));
  }

  /** The product over axes. */
  prod(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("prod", this, axes, keepDims));
  }

  /** The mean over axes. */
  mean(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("mean", this, axes, keepDims));
  }

  /** The largest element over axes. */
  max(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("max", this, axes, keepDims));
  }

  /** The smallest element over axes. */
  min(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("min", this, axes, keepDims));
  }

  /** True if any element is true. */
  any(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("any", this, axes, keepDims));
  }

  /** True if all elements are true. */
  all(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("all", this, axes, keepDims));
  }

  /** The index of the largest element. */
  argmax(axis: number = 0, outputType: string = "int64"): this {
    return this.node(argFields("argmax", this, axis, outputType));
  }

  /** The index of the smallest element. */
  argmin(axis: number = 0, outputType: string = "int64"): this {
    return this.node(argFields("argmin", this, axis, outputType));
  }

  /** Cumulative sums. */
  cumsum(axis: number = 0, options: ScanFlags = {}): this {
    return this.node(scanFields("cumsum", this, axis, options));
  }

  /** Cumulative products. */
  cumprod(axis: number = 0, options: ScanFlags = {}): this {
    return this.node(scanFields("cumprod", this, axis, options));
  }

  /** Running maxima. */
  cummax(axis: number = 0, options: ScanFlags = {}): this {
    return this.node(scanFields("cummax", this, axis, options));
  }

  /** Running minima. */
  cummin(axis: number = 0, options: ScanFlags = {}): this {
    return this.node(scanFields("cummin", this, axis, options));
  }

  /** The matrix product. */
  matMul(
    other: ExpressionTree | OperandSource<DType, number>,
    options: { readonly transposeA?: boolean; readonly transposeB?: boolean; readonly outputType?: DType } = kNoOptions,
  ): this {
    const right = checkTree("matMul", other);
    if (options === kNoOptions) return this.node(matMulFields(this, right, options));
    checkOptions("matMul", options, ["transposeA", "transposeB", "outputType"]);
    return this.node(matMulFields(...this.factors("matMul", right, options.outputType), options));
  }

  /** The sum of products over pairs of axes. */
  contract(
    other: ExpressionTree | OperandSource<DType, number>,
    pairs: readonly (readonly [number, number])[],
    options: { readonly outputType?: DType } = {},
  ): this {
    const right = checkTree("contract", other);
    checkOptions("contract", options, ["outputType"]);
    const axes = checkPairs("contract", this, right, pairs);
    const [a, b] = this.factors("contract", right, options.outputType);
    return generalProduct((fields) => this.node(fields), a, b, { batch: [], pairs: axes }) as this;
  }

  /** Returns this operand and another one of the same dtype, cast to the dtype of the result. */
  private factors(op: string, other: ExpressionTree, outputType: DType | undefined): readonly [ExpressionTree, ExpressionTree] {
    checkDType("matMul", this, op);
    checkSameDType(op, [this, other], 0);
    if (outputType === undefined || outputType === this.dtype) return [this, other];
    const cast = (tree: ExpressionTree): ExpressionTree => this.node(castFields(tree, outputType, false));
    return [cast(this), other === this ? cast(this) : cast(other)];
  }

  /** The elements sorted along an axis. */
  sort(descending: boolean = false, axis: number = -1): this {
    return this.node(alongLast("sort", this, axis, descending, (fields) => this.node(fields)));
  }

  /** The indices that sort an axis. */
  argsort(descending: boolean = false, axis: number = -1): this {
    return this.node(alongLast("argsort", this, axis, descending, (fields) => this.node(fields)));
  }

  /** The k largest elements of the last axis, and their indices. */
  topK(k: number = 1): { readonly values: ExpressionTree; readonly indices: ExpressionTree } {
    const width = sizesOf(this).at(-1) ?? 0;
    if (sizesOf(this).length === 0 || !isIndex(k, width + 1)) {
      throw new InvalidArgumentError(`topK(${shownOperand(this)}): input must have at least k columns, k is ${shownValue(k)}`);
    }
    const dimensions = sizesOf(this).with(-1, k);
    return {
      values: this.node({ ...sortFields("sort", this, true), dimensions }),
      indices: this.node({ ...sortFields("argsort", this, true), dimensions }),
    };
  }
}

/** Returns the fields of a sort along any axis: another one than the last changes places with it before and after. */
function alongLast(
  op: "sort" | "argsort",
  tree: ExpressionTree,
  axis: number,
  descending: boolean,
  node: (fields: ExpressionFields) => ExpressionTree,
): ExpressionFields {
  const along = checkAxis(op, axis, tree);
  const last = sizesOf(tree).length - 1;
  if (along === last) return sortFields(op, tree, descending);
  const order = sizesOf(tree).map((_, d) => (d === along ? last : d === last ? along : d));
  return shuffleFields(node(sortFields(op, node(shuffleFields(tree, order)), descending)), order);
}
