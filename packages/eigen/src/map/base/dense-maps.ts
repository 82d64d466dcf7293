/**
 * The abstract classes of dense maps (maps without strides) of the ranks 0 to 4. They contain what the storage kinds share. The
 * constructors, `at`, `set` and the fast path of `chip` are generated for each kind (tools/generate-tensor-maps.mjs).
 *
 *     TensorMapBase <- DenseMatrix <- ConstMatrixF32 <- MatrixF32          the first two by hand, the last two generated
 */
import type { DType } from "@onebuffer/base";
import { dimensionError } from "@onebuffer/storage/internal";
import { TensorMapBase } from "./tensor-map-base.ts";

/** The parent of the dense maps of rank 0. */
export abstract class DenseScalar<D extends DType> extends TensorMapBase<D, 0> {
  get rank(): 0 {
    return 0;
  }

  get size(): number {
    return 1;
  }

  get dimensions(): readonly number[] {
    return [];
  }

  dimension(i: number): number {
    throw dimensionError(i, 0);
  }

  protected override readOnly(): object {
    return new this.constClass(this.array, this.base, this.owner, this.extra);
  }

  protected override wholeStrided(): unknown {
    return new this.stridedClass(this.array, this.base, this.owner, this.extra);
  }
}

/** The parent of the dense maps of rank 1. */
export abstract class DenseVec<D extends DType> extends TensorMapBase<D, 1> {
  declare readonly d0: number;

  get rank(): 1 {
    return 1;
  }

  get size(): number {
    return this.d0;
  }

  get dimensions(): readonly number[] {
    return [this.d0];
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    throw dimensionError(i, 1);
  }

  protected override readOnly(): object {
    return new this.constClass(this.array, this.base, this.owner, this.d0, this.extra);
  }

  protected override wholeStrided(): unknown {
    return new this.stridedClass(this.array, this.base, this.owner, this.d0, 1, this.extra);
  }
}

/** The parent of the dense maps of rank 2. */
export abstract class DenseMatrix<D extends DType> extends TensorMapBase<D, 2> {
  declare readonly d0: number;
  declare readonly d1: number;

  get rank(): 2 {
    return 2;
  }

  get size(): number {
    return this.d0 * this.d1;
  }

  get dimensions(): readonly number[] {
    return [this.d0, this.d1];
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    throw dimensionError(i, 2);
  }

  protected override readOnly(): object {
    return new this.constClass(this.array, this.base, this.owner, this.d0, this.d1, this.extra);
  }

  protected override wholeStrided(): unknown {
    const { d1 } = this;
    return new this.stridedClass(this.array, this.base, this.owner, this.d0, d1, d1, 1, this.extra);
  }
}

/** The parent of the dense maps of rank 3. */
export abstract class DenseTensor3<D extends DType> extends TensorMapBase<D, 3> {
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;

  get rank(): 3 {
    return 3;
  }

  get size(): number {
    return this.d0 * this.d1 * this.d2;
  }

  get dimensions(): readonly number[] {
    return [this.d0, this.d1, this.d2];
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    if (i === 2) return this.d2;
    throw dimensionError(i, 3);
  }

  protected override readOnly(): object {
    return new this.constClass(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.extra);
  }

  protected override wholeStrided(): unknown {
    // If a size is 0, the product of the others can be too large a stride for this class; the general method checks that.
    if (this.size === 0) return super.wholeStrided();
    const { d1, d2 } = this;
    return new this.stridedClass(this.array, this.base, this.owner, this.d0, d1, d2, d1 * d2, d2, 1, this.extra);
  }
}

/** The parent of the dense maps of rank 4. */
export abstract class DenseTensor4<D extends DType> extends TensorMapBase<D, 4> {
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;

  get rank(): 4 {
    return 4;
  }

  get size(): number {
    return this.d0 * this.d1 * this.d2 * this.d3;
  }

  get dimensions(): readonly number[] {
    return [this.d0, this.d1, this.d2, this.d3];
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    if (i === 2) return this.d2;
    if (i === 3) return this.d3;
    throw dimensionError(i, 4);
  }

  protected override readOnly(): object {
    return new this.constClass(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.extra);
  }

  protected override wholeStrided(): unknown {
    // If a size is 0, the product of the others can be too large a stride for this class; the general method checks that.
    if (this.size === 0) return super.wholeStrided();
    const { d1, d2, d3 } = this;
    return new this.stridedClass(this.array, this.base, this.owner, this.d0, d1, d2, d3, d1 * d2 * d3, d2 * d3, d3, 1, this.extra);
  }
}
