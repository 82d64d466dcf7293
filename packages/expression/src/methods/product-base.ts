/**
 * ProductBase: the methods for matrix products and sorting. expression.ts documents them.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { isIndex } from "@onebuffer/storage/internal";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { castFields, checkDType, checkSameDType, checkTree } from "../inference/elementwise-inference.ts";
import { checkAxis } from "../inference/axes.ts";
import { shuffleFields } from "../inference/movement-inference.ts";
import { checkPairs } from "../inference/axis-pairs.ts";
import { generalProduct } from "./general-product.ts";
import { MovementBase } from "./movement-base.ts";
import type { ExpressionFields, ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandSource } from "../tree/operand.ts";
import { matMulFields, sortFields } from "../inference/reduction-inference.ts";
import { sizesOf } from "../tree/node-lists.ts";

/** The options of a call without options. */
const kNoOptions = {};

/** The methods for contractions and orderings. */
export abstract class ProductBase extends MovementBase {
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
