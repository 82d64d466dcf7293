/**
 * ProductBase: the methods for matrix products and sorting. expression.ts documents them.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { isIndex } from "@onebuffer/storage/internal";
import { shownCall, shownOperand } from "../inference/broadcast-dims.ts";
import { castFields, checkDType, checkSameDType, checkTree } from "../inference/elementwise-inference.ts";
import { checkAxis } from "../inference/axes.ts";
import { sortOptions } from "../inference/call-options.ts";
import { reshapeFields, shuffleFields } from "../inference/movement-inference.ts";
import { checkPairs } from "../inference/axis-pairs.ts";
import { generalProduct } from "./general-product.ts";
import { MovementBase } from "./movement-base.ts";
import type { ExpressionFields, ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandSource } from "../tree/operand.ts";
import { matMulFields, sortFields } from "../inference/reduction-inference.ts";
import { sizesOf } from "../tree/node-lists.ts";

/** The options of sort and argsort. */
type SortFlags = { readonly descending?: boolean };

/** The options of a call without options. */
const kNoOptions = {};

/** Returns what a product is made from: an operand that is used twice is listed once, as deferred-node.ts wants it. */
const fromOf = (a: ExpressionTree, b: ExpressionTree): readonly ExpressionTree[] => (a === b ? [a] : [a, b]);

/** The methods for contractions and orderings. */
export abstract class ProductBase extends MovementBase {
  /** The matrix product. */
  matMul(
    other: ExpressionTree | OperandSource<DType, number>,
    options: { readonly transposeA?: boolean; readonly transposeB?: boolean; readonly outputType?: DType } = kNoOptions,
  ): this {
    const right = checkTree("matMul", other);
    if (options !== kNoOptions) checkOptions("matMul", options, ["transposeA", "transposeB", "outputType"]);
    if (sizesOf(this).length === 1 || sizesOf(right).length === 1) return this.vectorProduct(right, options);
    if (options === kNoOptions) return this.node(matMulFields(this, right, options));
    return this.node(matMulFields(...this.factors("matMul", right, options.outputType), options));
  }

  /** The product with a vector on either side: a row on the left, a column on the right, whose dimension of size 1 the result loses. */
  private vectorProduct(right: ExpressionTree, options: { readonly transposeA?: boolean; readonly transposeB?: boolean }): this {
    const make = (): this => {
      const isRow = sizesOf(this).length === 1;
      const isColumn = sizesOf(right).length === 1;
      if ((isRow && options.transposeA === true) || (isColumn && options.transposeB === true)) {
        const name = isRow && options.transposeA === true ? "transposeA" : "transposeB";
        throw new InvalidArgumentError(`${shownCall("matMul", [this, right])}: ${name} of a vector, which has no transpose`);
      }
      const row = isRow ? this.node(reshapeFields(this, [1, sizesOf(this)[0] as number])) : this;
      const column = isColumn ? this.node(reshapeFields(right, [sizesOf(right)[0] as number, 1])) : right;
      const product = row.matMul(column, options);
      const sizes = [...sizesOf(product)];
      if (isColumn) sizes.pop();
      if (isRow) sizes.splice(isColumn ? -1 : -2, 1);
      return this.node(reshapeFields(product, sizes));
    };
    return options === kNoOptions ? this.makeDeferred("vectorProduct", fromOf(this, right), [], make) : make();
  }

  /** The product of a matrix and a vector, over the last dimension; the dimensions before are broadcast. */
  matVec(vector: ExpressionTree | OperandSource<DType, number>): this {
    const right = checkTree("matVec", vector);
    const sizes = sizesOf(right);
    if (sizesOf(this).length < 2 || sizes.length === 0) {
      throw new InvalidArgumentError(`${shownCall("matVec", [this, right])}: a matrix and a vector, [..., m, n] and [..., n]`);
    }
    if (sizes.length === 1) return this.vectorProduct(right, kNoOptions);
    const product = this.matMul(this.node(reshapeFields(right, [...sizes, 1])));
    return this.node(reshapeFields(product, sizesOf(product).slice(0, -1)));
  }

  /** The sum of the products of two vectors, or the product of matrices. */
  dot(other: ExpressionTree | OperandSource<DType, number>): this {
    const right = checkTree("dot", other);
    const [rank, otherRank] = [sizesOf(this).length, sizesOf(right).length];
    if (rank === 1 && otherRank === 1) return this.vectorProduct(right, kNoOptions);
    if (Math.max(rank, otherRank) > 2) {
      throw new InvalidArgumentError(
        `${shownCall("dot", [this, right])}: vectors or matrices; matMul multiplies stacks of matrices, contract sums over any axes`,
      );
    }
    return rank === 0 || otherRank === 0 ? this.mul(right) : this.matMul(right);
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
    const { outputType } = options;
    const make = (): ExpressionTree => {
      const [a, b] = this.factors("contract", right, outputType);
      return generalProduct((fields) => this.node(fields), a, b, { batch: [], pairs: axes });
    };
    return (outputType === undefined ? this.makeDeferred("contract", fromOf(this, right), axes.flat(), make) : make()) as this;
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
  sort(axis?: number, options?: SortFlags): this {
    return this.node(alongLast("sort", this, axis, options, (fields) => this.node(fields)));
  }

  /** The indices that sort an axis. */
  argsort(axis?: number, options?: SortFlags): this {
    return this.node(alongLast("argsort", this, axis, options, (fields) => this.node(fields)));
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
  axis: number | undefined,
  options: SortFlags | undefined,
  node: (fields: ExpressionFields) => ExpressionTree,
): ExpressionFields {
  const { axis: given, descending } = sortOptions(op, axis, options);
  const along = checkAxis(op, given, tree);
  const last = sizesOf(tree).length - 1;
  if (along === last) return sortFields(op, tree, descending);
  const order = sizesOf(tree).map((_, d) => (d === along ? last : d === last ? along : d));
  return shuffleFields(node(sortFields(op, node(shuffleFields(tree, order)), descending)), order);
}
