/**
 * The abstract classes of strided maps of the ranks 0 to 4. They contain what the storage kinds share; the constructors, `at` and `set` are
 * generated for each kind. Slices and transpositions keep the rank, so they construct the map's own class without a list of sizes.
 */
import type { DType } from "@onebuffer/base";
import { kCode, kNoCode } from "@onebuffer/expression/internal";
import type { LowerRank, SliceRange } from "@onebuffer/storage";
import { checkAlive, checkRange, dimensionError, isIndex, rangeCount, rangeStart, rangeStride } from "@onebuffer/storage/internal";
import type { AnyMapClass, StridedKindMap } from "./map-kind.ts";
import type { StridedGeometry } from "@onebuffer/storage/internal";
import { StridedMapBase } from "./strided-map-base.ts";
import type { StridedMap } from "@onebuffer/expression";

/** Returns how far the last element of a dimension is above the first: 0 for a negative stride, whose elements are below the first. */
const above = (size: number, stride: number): number => (stride > 0 ? (size - 1) * stride : 0);

/**
 * Throws as checkAlive does if the memory was freed or detached, but does not detect memory that has shrunk; `at` and `set` detect that.
 * Once a program has maps of many kinds, reading the bounds of the map would take longer than making the view.
 */
function checkPresent(map: StridedKindMap): void {
  if (map.owner.refs === 0 || map.array.length === 0) checkAlive(map);
}

/** Defines the node code of a class of strided maps: that of dense elements if the strides are theirs. */
function defineCode(mapClass: { readonly prototype: object }, code: (this: never) => number): void {
  Object.defineProperty(mapClass.prototype, kCode, { get: code });
}

/**
 * The parent of the strided maps of the ranks 1 to 4. Slices and chips of dimension 0, which are the most common, are made without a list
 * of sizes. The views of a small map are small, so they have rank-specialized classes, too.
 */
abstract class StridedRowsMap<D extends DType, R extends number> extends StridedMapBase<D, R> {
  declare readonly d0: number;
  declare readonly s0: number;

  /** The strided class of the next lower rank, writable if this class is. On the prototype. */
  declare protected readonly rowClass: AnyMapClass;
  /** Returns this map with another base, and another size and stride of dimension 0. */
  protected abstract withRows(base: number, d0: number, s0: number): object;
  /** Returns the map without dimension 0 that starts at `base`. */
  protected abstract row(base: number): object;

  override chip(offset: number, dim: number = 0): StridedMap<D, LowerRank<R>> {
    if (dim !== 0 || !isIndex(offset, this.d0) || this.size === 0) return super.chip(offset, dim);
    checkPresent(this);
    return this.row(this.base + offset * this.s0) as StridedMap<D, LowerRank<R>>;
  }

  override slice(...ranges: readonly SliceRange[]): StridedMap<D, R> {
    const range = ranges[0] ?? null;
    if (ranges.length !== 1 || range === null) return super.slice(...ranges);
    checkPresent(this);
    checkRange(range, 0);
    const start = rangeStart(range, this.d0);
    const count = rangeCount(range, this.d0, start);
    const base = count > 0 && start > 0 && this.size > 0 ? this.base + start * this.s0 : this.base;
    return this.withRows(base, count, rangeStride(range, this.s0, count)) as StridedMap<D, R>;
  }
}

/** The parent of the strided maps of rank 0. */
export abstract class StridedScalar<D extends DType> extends StridedMapBase<D, 0> {
  static {
    defineCode(this, function (this: StridedScalar<DType>) {
      return this.denseCode;
    });
  }

  get rank(): 0 {
    return 0;
  }

  get size(): number {
    return 1;
  }

  get dimensions(): readonly number[] {
    return [];
  }

  get strides(): readonly number[] {
    return [];
  }

  override get end(): number {
    return (this.base + 1) * this.slots;
  }

  dimension(i: number): number {
    throw dimensionError(i, 0);
  }

  override transpose(order?: readonly number[]): StridedMap<D, 0> {
    if (order !== undefined) return super.transpose(order);
    checkPresent(this);
    return new this.ownClass(this.array, this.base, this.owner, this.extra) as StridedMap<D, 0>;
  }
}

/** The parent of the strided maps of rank 1. */
export abstract class StridedVec<D extends DType> extends StridedRowsMap<D, 1> {
  static {
    defineCode(this, function (this: StridedVec<DType>) {
      return this.s0 === 1 || this.d0 === 1 ? this.denseCode : kNoCode;
    });
  }

  declare readonly d0: number;
  declare readonly s0: number;

  get rank(): 1 {
    return 1;
  }

  get size(): number {
    return this.d0;
  }

  get dimensions(): readonly number[] {
    return [this.d0];
  }

  get strides(): readonly number[] {
    return [this.s0];
  }

  override get end(): number {
    if (this.size === 0) return this.start;
    return (this.base + above(this.d0, this.s0) + 1) * this.slots;
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    throw dimensionError(i, 1);
  }

  protected override withRows(base: number, d0: number, s0: number): object {
    return new this.ownClass(this.array, base, this.owner, d0, s0, this.extra);
  }

  protected override row(base: number): object {
    return new this.rowClass(this.array, base, this.owner, this.extra);
  }

  protected override sameRank({ offset, dims, strides }: StridedGeometry): object {
    return new this.ownClass(this.array, offset, this.owner, dims[0], strides[0], this.extra);
  }

  override transpose(order?: readonly number[]): StridedMap<D, 1> {
    if (order !== undefined) return super.transpose(order);
    checkPresent(this);
    return new this.ownClass(this.array, this.base, this.owner, this.d0, this.s0, this.extra) as StridedMap<D, 1>;
  }
}

/** The parent of the strided maps of rank 2. */
export abstract class StridedMatrix<D extends DType> extends StridedRowsMap<D, 2> {
  static {
    defineCode(this, function (this: StridedMatrix<DType>) {
      return this.s1 === 1 && this.s0 === this.d1 ? this.denseCode : kNoCode;
    });
  }

  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly s0: number;
  declare readonly s1: number;

  get rank(): 2 {
    return 2;
  }

  get size(): number {
    return this.d0 * this.d1;
  }

  get dimensions(): readonly number[] {
    return [this.d0, this.d1];
  }

  get strides(): readonly number[] {
    return [this.s0, this.s1];
  }

  override get end(): number {
    if (this.size === 0) return this.start;
    return (this.base + above(this.d0, this.s0) + above(this.d1, this.s1) + 1) * this.slots;
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    throw dimensionError(i, 2);
  }

  protected override withRows(base: number, d0: number, s0: number): object {
    return new this.ownClass(this.array, base, this.owner, d0, this.d1, s0, this.s1, this.extra);
  }

  protected override row(base: number): object {
    return new this.rowClass(this.array, base, this.owner, this.d1, this.s1, this.extra);
  }

  protected override sameRank({ offset, dims, strides }: StridedGeometry): object {
    return new this.ownClass(this.array, offset, this.owner, dims[0], dims[1], strides[0], strides[1], this.extra);
  }

  override transpose(order?: readonly number[]): StridedMap<D, 2> {
    if (order !== undefined) return super.transpose(order);
    checkPresent(this);
    return new this.ownClass(this.array, this.base, this.owner, this.d1, this.d0, this.s1, this.s0, this.extra) as StridedMap<D, 2>;
  }
}

/** The parent of the strided maps of rank 3. */
export abstract class StridedTensor3<D extends DType> extends StridedRowsMap<D, 3> {
  static {
    defineCode(this, function (this: StridedTensor3<DType>) {
      return this.s2 === 1 && this.s1 === this.d2 && this.s0 === this.d1 * this.d2 ? this.denseCode : kNoCode;
    });
  }

  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly s2: number;

  get rank(): 3 {
    return 3;
  }

  get size(): number {
    return this.d0 * this.d1 * this.d2;
  }

  get dimensions(): readonly number[] {
    return [this.d0, this.d1, this.d2];
  }

  get strides(): readonly number[] {
    return [this.s0, this.s1, this.s2];
  }

  override get end(): number {
    if (this.size === 0) return this.start;
    return (this.base + above(this.d0, this.s0) + above(this.d1, this.s1) + above(this.d2, this.s2) + 1) * this.slots;
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    if (i === 2) return this.d2;
    throw dimensionError(i, 3);
  }

  protected override withRows(base: number, d0: number, s0: number): object {
    return new this.ownClass(this.array, base, this.owner, d0, this.d1, this.d2, s0, this.s1, this.s2, this.extra);
  }

  protected override row(base: number): object {
    return new this.rowClass(this.array, base, this.owner, this.d1, this.d2, this.s1, this.s2, this.extra);
  }

  protected override sameRank({ offset, dims, strides }: StridedGeometry): object {
    return new this.ownClass(this.array, offset, this.owner, dims[0], dims[1], dims[2], strides[0], strides[1], strides[2], this.extra);
  }

  override transpose(order?: readonly number[]): StridedMap<D, 3> {
    if (order !== undefined) return super.transpose(order);
    checkPresent(this);
    return new this.ownClass(
      this.array,
      this.base,
      this.owner,
      this.d2,
      this.d1,
      this.d0,
      this.s2,
      this.s1,
      this.s0,
      this.extra,
    ) as StridedMap<D, 3>;
  }
}

/** The parent of the strided maps of rank 4. */
export abstract class StridedTensor4<D extends DType> extends StridedRowsMap<D, 4> {
  static {
    defineCode(this, function (this: StridedTensor4<DType>) {
      return this.s3 === 1 && this.s2 === this.d3 && this.s1 === this.d2 * this.d3 && this.s0 === this.d1 * this.s1
        ? this.denseCode
        : kNoCode;
    });
  }

  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly s2: number;
  declare readonly s3: number;

  get rank(): 4 {
    return 4;
  }

  get size(): number {
    return this.d0 * this.d1 * this.d2 * this.d3;
  }

  get dimensions(): readonly number[] {
    return [this.d0, this.d1, this.d2, this.d3];
  }

  get strides(): readonly number[] {
    return [this.s0, this.s1, this.s2, this.s3];
  }

  override get end(): number {
    if (this.size === 0) return this.start;
    return (
      (this.base + above(this.d0, this.s0) + above(this.d1, this.s1) + above(this.d2, this.s2) + above(this.d3, this.s3) + 1) * this.slots
    );
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    if (i === 2) return this.d2;
    if (i === 3) return this.d3;
    throw dimensionError(i, 4);
  }

  protected override withRows(base: number, d0: number, s0: number): object {
    return new this.ownClass(this.array, base, this.owner, d0, this.d1, this.d2, this.d3, s0, this.s1, this.s2, this.s3, this.extra);
  }

  protected override row(base: number): object {
    return new this.rowClass(this.array, base, this.owner, this.d1, this.d2, this.d3, this.s1, this.s2, this.s3, this.extra);
  }

  protected override sameRank({ offset, dims, strides }: StridedGeometry): object {
    return new this.ownClass(
      this.array,
      offset,
      this.owner,
      dims[0],
      dims[1],
      dims[2],
      dims[3],
      strides[0],
      strides[1],
      strides[2],
      strides[3],
      this.extra,
    );
  }

  override transpose(order?: readonly number[]): StridedMap<D, 4> {
    if (order !== undefined) return super.transpose(order);
    checkPresent(this);
    return new this.ownClass(
      this.array,
      this.base,
      this.owner,
      this.d3,
      this.d2,
      this.d1,
      this.d0,
      this.s3,
      this.s2,
      this.s1,
      this.s0,
      this.extra,
    ) as StridedMap<D, 4>;
  }
}
