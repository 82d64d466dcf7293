/**
 * CompositeBase: the methods that are composed of other operations (in tf.nn and tf.math these are Python functions over ops).
 * expression.ts documents them.
 *
 * Each method writes the plain formula, with a step against overflow where needed. Fusion, such as computing softmax in one pass over a
 * row in the first-level cache, is left to the kernel generator, which sees the whole tree.
 */
import { sameSizes } from "@onebuffer/storage/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkAxes, checkAxis } from "../inference/axes.ts";
import { checkFloats } from "../inference/elementwise-inference.ts";
import { geluOptions, l2NormalizeOptions, layerNormOptions } from "../inference/call-options.ts";
import { shownOperand } from "../inference/broadcast-dims.ts";
import type { OtherOperand } from "../elementwise/elementwise-base.ts";
import { isInteger, numericDTypes } from "../tree/dtype-groups.ts";
import { reshapeFields } from "../inference/movement-inference.ts";
import { keepDimsOf, kKept } from "../inference/reduction-options.ts";
import type { ReduceFlags } from "../inference/reduction-options.ts";
import type { Axes } from "../tree/rank-types.ts";
import { MatrixBase } from "./matrix-base.ts";
import { sizesOf } from "../tree/node-lists.ts";

/** The methods for composed operations. */
export abstract class CompositeBase extends MatrixBase {
  /** The mean squared distance from the mean. */
  variance(axes?: Axes, options?: ReduceFlags): this {
    return CompositeBase.composedOver(this, "variance", axes, options, (list, kept) =>
      this.sub(this.mean(list, kKept)).square().mean(list, kept),
    );
  }

  /** The square root of the variance. */
  std(axes?: Axes, options?: ReduceFlags): this {
    return CompositeBase.composedOver(this, "std", axes, options, (list, kept) => this.variance(list, kept).sqrt());
  }

  /** The mean and the variance. */
  moments(axes?: Axes, options?: ReduceFlags): { readonly mean: CompositeBase; readonly variance: CompositeBase } {
    checkFloats("moments", this);
    const kept = { keepDims: keepDimsOf("moments", options) };
    return { mean: this.mean(axes, kept), variance: this.variance(axes, kept) };
  }

  /** The square root of the sum of squares. */
  norm(axes?: Axes, options?: ReduceFlags): this {
    return CompositeBase.composedOver(this, "norm", axes, options, (list, kept) => this.square().sum(list, kept).sqrt());
  }

  /** log(sum(exp(x))). The maximum is subtracted first, but only if it is finite: Infinity - Infinity would be NaN. */
  logSumExp(axes?: Axes, options?: ReduceFlags): this {
    return CompositeBase.composedOver(this, "logSumExp", axes, options, (list, { keepDims }) => {
      const top = this.max(list, kKept);
      const finite = top.isFinite().select(top, 0);
      const result = this.sub(finite).exp().sum(list, kKept).log().add(finite);
      return keepDims ? result : result.squeezed(list);
    });
  }

  /** Removes the reduced dimensions, which have size 1. Does not use `squeeze`, which is a view on a StridedMap. */
  private squeezed(axes: readonly number[]): this {
    return this.node(
      reshapeFields(
        this,
        sizesOf(this).filter((_, d) => !axes.includes(d)),
      ),
    );
  }

  /** e^x / sum(e^x); the maximum is subtracted from x first. */
  softmax(axis: number = -1): this {
    checkFloats("softmax", this);
    const along = checkAxis("softmax", axis, this);
    return this.makeDeferred("softmax", [this], [along], () => {
      const powers = this.sub(this.max([along], kKept)).exp();
      return powers.div(powers.sum([along], kKept));
    });
  }

  /** x - max - log(sum(e^(x - max))). */
  logSoftmax(axis: number = -1): this {
    checkFloats("logSoftmax", this);
    const along = checkAxis("logSoftmax", axis, this);
    return this.makeDeferred("logSoftmax", [this], [along], () => {
      const shifted = this.sub(this.max([along], kKept));
      return shifted.sub(shifted.exp().sum([along], kKept).log());
    });
  }

  /** Rows normalized to mean 0 and variance 1, then scaled and shifted. */
  layerNorm(...options: readonly unknown[]): this {
    checkFloats("layerNorm", this);
    const { scale, offset, epsilon } = layerNormOptions<OtherOperand>(options);
    const along = checkAxis("layerNorm", -1, this);
    const rows = this.makeDeferred("layerNorm", [this], [epsilon], () => {
      const centred = this.sub(this.mean([along], kKept));
      return centred.mul(centred.square().mean([along], kKept).add(epsilon).rsqrt());
    });
    const scaled = scale === null ? rows : rows.mul(scale);
    return scaled.checkedSizes("layerNorm", this, offset === null ? scaled : scaled.add(offset));
  }

  /** x / sqrt(max(sum(x^2), epsilon)). */
  l2Normalize(axes?: Axes, options?: { readonly epsilon?: number }): this {
    checkFloats("l2Normalize", this);
    const [list, epsilon] = [checkAxes("l2Normalize", axes, this), l2NormalizeOptions(options)];
    return this.makeDeferred("l2Normalize", [this], [...list, epsilon], () =>
      this.mul(this.square().sum(list, kKept).maximum(epsilon).rsqrt()),
    );
  }

  /** The angle of a complex number: atan2 of its parts. */
  angle(): this {
    return this.imag().atan2(this.real());
  }

  /** x^y: the square for the plain exponent 2, as TensorFlow's Grappler rewrites it: a product in place of a logarithm and an exponential. */
  override pow(exponent: OtherOperand): this {
    const isTwo = exponent === 2 || (exponent === 2n && isInteger(this.dtype));
    return isTwo && numericDTypes.includes(this.dtype) ? this.square() : super.pow(exponent);
  }

  /** max(x, 0). */
  relu(): this {
    return this.maximum(this.dtype === "int64" || this.dtype === "uint64" ? 0n : 0);
  }

  /** x if x is above 0, otherwise alpha * x. */
  leakyRelu(alpha: number = 0.2): this {
    checkFloats("leakyRelu", this);
    return this.greater(0).select(this, this.mul(alpha));
  }

  /** x * sigmoid(x). */
  silu(): this {
    checkFloats("silu", this);
    return this.mul(this.sigmoid());
  }

  /** x * (1 + erf(x / sqrt(2))) / 2, or its approximation by tanh. */
  gelu(options?: { readonly approximate?: boolean }): this {
    checkFloats("gelu", this);
    if (!geluOptions(options)) return this.mul(this.mul(Math.SQRT1_2).erf().add(1)).mul(0.5);
    // (1 + tanh u) / 2 is 1 / (1 + e^-2u), with u = sqrt(2 / pi) (x + 0.044715 x^3).
    const factor = -2 * Math.sqrt(2 / Math.PI);
    const exponent = this.mul(
      this.square()
        .mul(0.044715 * factor)
        .add(factor),
    );
    return this.div(exponent.exp().add(1));
  }

  /** Clamps to [low, high]. */
  clip(low: OtherOperand, high: OtherOperand): this {
    const call = "clip(low, high)";
    return this.checkedSizes("clip", this, this.minimum(this.operand(call, high)).maximum(this.operand(call, low)));
  }

  /** Returns `result` if it has the operand's sizes, otherwise throws INVALID_ARGUMENT: bounds and scales must not enlarge the result. */
  private checkedSizes(op: string, operand: this, result: this): this {
    const sizes = sizesOf(operand);
    if (sameSizes(sizesOf(result), sizes)) return result;
    throw new InvalidArgumentError(
      `${op}(${shownOperand(operand)}): the other operands are broadcast to [${sizes}], together they are [${sizesOf(result)}]`,
    );
  }

  /**
   * Returns what `make` makes of x, of the given axes as a list and of the options, as one node, until something reads its operands. Static, so
   * that the classes of nodes and maps have no method more.
   */
  private static composedOver<T extends CompositeBase>(
    x: T,
    name: string,
    given: Axes | undefined,
    options: ReduceFlags | undefined,
    make: (list: readonly number[], kept: { readonly keepDims: boolean }) => CompositeBase,
  ): T {
    checkFloats(name, x);
    const list = checkAxes(name, given, x);
    const keepDims = keepDimsOf(name, options);
    return x.makeDeferred(name, [x], [...list, keepDims ? 1 : 0], () => make(list, { keepDims }));
  }
}
