/**
 * ReductionBase: the methods that reduce, scan, sort and multiply matrices. They are documented in expression.ts.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import { isIndex } from "../../geometry/map-errors.ts";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { checkTree } from "../inference/elementwise-inference.ts";
import { MovementBase } from "./movement-base.ts";
import { sliceFields } from "../inference/movement-inference.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { Axes } from "../tree/rank-types.ts";
import { argFields, matMulFields, reduceFields, scanFields, sortFields } from "../inference/reduction-inference.ts";

/** Options of scans. */
interface ScanFlags {
  readonly exclusive?: boolean;
  readonly reverse?: boolean;
}

/** The reductions and their kin. */
export abstract class ReductionBase extends MovementBase {
  /** The sum. */
  sum(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("sum", this, axes, keepDims));
  }

  /** The product. */
  prod(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("prod", this, axes, keepDims));
  }

  /** The mean. */
  mean(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("mean", this, axes, keepDims));
  }

  /** The largest. */
  max(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("max", this, axes, keepDims));
  }

  /** The smallest. */
  min(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("min", this, axes, keepDims));
  }

  /** Whether any is true. */
  any(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("any", this, axes, keepDims));
  }

  /** Whether all are true. */
  all(axes?: Axes, keepDims: boolean = false): this {
    return this.node(reduceFields("all", this, axes, keepDims));
  }

  /** Where the largest is. */
  argmax(axis: number = 0, outputType: string = "int64"): this {
    return this.node(argFields("argmax", this, axis, outputType));
  }

  /** Where the smallest is. */
  argmin(axis: number = 0, outputType: string = "int64"): this {
    return this.node(argFields("argmin", this, axis, outputType));
  }

  /** Running sums. */
  cumsum(axis: number = 0, options: ScanFlags = {}): this {
    return this.node(scanFields("cumsum", this, axis, options));
  }

  /** Running products. */
  cumprod(axis: number = 0, options: ScanFlags = {}): this {
    return this.node(scanFields("cumprod", this, axis, options));
  }

  /** Rows times columns. */
  matMul(other: ExpressionTree, options: { readonly transposeA?: boolean; readonly transposeB?: boolean } = {}): this {
    return this.node(matMulFields(this, checkTree("matMul", other), options));
  }

  /** Sorted along the last axis. */
  sort(descending: boolean = false): this {
    return this.node(sortFields("sort", this, descending));
  }

  /** Where the sorted elements come from. */
  argsort(descending: boolean = false): this {
    return this.node(sortFields("argsort", this, descending));
  }

  /** The k largest of the last axis, and where they are. */
  topK(k: number = 1): { readonly values: ExpressionTree; readonly indices: ExpressionTree } {
    const width = this.dimensions.at(-1) ?? 0;
    if (this.dimensions.length === 0 || !isIndex(k, width + 1)) {
      throw new InvalidArgumentError(`topK(${shownOperand(this)}): input must have at least k columns, k is ${shownValue(k)}`);
    }
    const ranges = this.dimensions.map((_, d) => (d === this.dimensions.length - 1 ? ([0, k] as const) : null));
    return {
      values: this.node(sliceFields(this.sort(true), ranges)),
      indices: this.node(sliceFields(this.argsort(true), ranges)),
    };
  }
}
