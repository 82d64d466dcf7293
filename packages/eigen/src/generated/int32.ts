// Maps of int32, qint32. Written by tools/generate-tensor-maps.mjs: change the templates there, not this file.
// The methods are documented in tensor-map.ts.
import { copyElements } from "../copy-elements.ts";
import { accessError, checkAlive, checkStore, dimensionError, goneError, storeError } from "../map-errors.ts";
import { checkGeometry, chipAxis, chipStart, flatIndex, product } from "../map-geometry.ts";
import type { MemoryOwner } from "../memory-owner.ts";
import { checkStrides, stridedIndex } from "../strided-bounds.ts";
import { isSmallStrided } from "../strided-geometry.ts";
import { StridedMapBase } from "../strided-map-base.ts";
import { StridedWalk, forEachRow } from "../strided-walk.ts";
import type { ConstStridedMap, ConstTensorMap, CopySource, StridedMap, TensorMap } from "../tensor-map.ts";
import { TensorMapBase } from "../tensor-map-base.ts";
import type { TensorMapKind } from "../tensor-map-kind.ts";

/** What the maps of this storage kind share. */
abstract class MapI32<R extends number> extends TensorMapBase<"int32" | "qint32", R> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly dtype: "int32" | "qint32";

  /** The elements in row-major order. */
  *[Symbol.iterator](): IterableIterator<number> {
    const size = this.size;
    checkAlive(this);
    for (let n = 0; n < size; n++) {
      const raw = this.array[this.base + n];
      if (this.owner.refs === 0 || raw === undefined) throw goneError(this);
      yield raw;
    }
  }

  protected override withStrides(offset: number, dims: readonly number[], strides: readonly number[]): StridedMap<"int32" | "qint32", number> {
    return makeStridedI32(this.array, offset, this.owner, dims, strides, this.dtype, "set" in this);
  }
}

/** Stores a checked value at a flat index. */
function storeI32(map: MapI32<number>, index: number, value: number): void {
  map.array[map.base + index] = value;
}

/** Stores one value everywhere. */
function fillI32(map: MapI32<number>, value: number): void {
  checkStore(map, value);
  map.array.fill(value, map.base, map.base + map.size);
}

/** One element, read-only. */
class ConstScalarI32 extends MapI32<0> implements ConstTensorMap<"int32" | "qint32", 0> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dtype = dtype;
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

  dimension(i: number): number {
    throw dimensionError(i, 0);
  }

  at(): number {
    const place =
      arguments.length === 0 && this.owner.refs !== 0
        ? this.base
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [], arguments.length);
    return raw;
  }

  chip(offset: number, dim: number = 0): never {
    chipStart(this, offset, chipAxis(this, dim));
    throw accessError(this, []);
  }

  /** This map, read-only. */
  asConst(): ConstScalarI32 {
    return this;
  }
}

/** One element. */
class ScalarI32 extends ConstScalarI32 implements TensorMap<"int32" | "qint32", 0> {
  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dtype: "int32" | "qint32") {
    super(array, base, owner, dtype);
  }

  set(value: number): void {
    const array = this.array;
    const place =
      arguments.length === 1 && this.owner.refs !== 0 &&
      typeof value === "number"
        ? this.base
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyElements(this, source, (index: number, value: number) => storeI32(this, index, value));
  }

  override asConst(): ConstScalarI32 {
    return new ConstScalarI32(this.array, this.base, this.owner, this.dtype);
  }
}

/** Rank 1, read-only. */
class ConstVecI32 extends MapI32<1> implements ConstTensorMap<"int32" | "qint32", 1> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.dtype = dtype;
  }

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

  at(i: number): number {
    const place =
      arguments.length === 1 && typeof i === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0
        ? (this.base + i) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i], arguments.length);
    return raw;
  }

  chip(offset: number, dim: number = 0): ConstScalarI32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset;
      return new ConstScalarI32(this.array, start, this.owner, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return new ConstScalarI32(this.array, start, this.owner, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstVecI32 {
    return this;
  }
}

/** Rank 1. */
class VecI32 extends ConstVecI32 implements TensorMap<"int32" | "qint32", 1> {
  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, dtype: "int32" | "qint32") {
    super(array, base, owner, d0, dtype);
  }

  set(i: number, value: number): void {
    const array = this.array;
    const place =
      arguments.length === 2 && typeof i === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      typeof value === "number"
        ? (this.base + i) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyElements(this, source, (index: number, value: number) => storeI32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): ScalarI32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset;
      return new ScalarI32(this.array, start, this.owner, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return new ScalarI32(this.array, start, this.owner, this.dtype);
  }

  override asConst(): ConstVecI32 {
    return new ConstVecI32(this.array, this.base, this.owner, this.d0, this.dtype);
  }
}

/** Rank 2, read-only. */
class ConstMatrixI32 extends MapI32<2> implements ConstTensorMap<"int32" | "qint32", 2> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.dtype = dtype;
  }

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

  at(i: number, j: number): number {
    const inner = this.d1;
    const place =
      arguments.length === 2 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j
        ? (this.base + Math.imul(i, inner) + j) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i, j], arguments.length);
    return raw;
  }

  chip(offset: number, dim: number = 0): ConstVecI32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1;
      return new ConstVecI32(this.array, start, this.owner, this.d1, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstVecI32(this.array, start, this.owner, this.d0, this.dtype);
    return new ConstVecI32(this.array, start, this.owner, this.d1, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstMatrixI32 {
    return this;
  }
}

/** Rank 2. */
class MatrixI32 extends ConstMatrixI32 implements TensorMap<"int32" | "qint32", 2> {
  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, dtype: "int32" | "qint32") {
    super(array, base, owner, d0, d1, dtype);
  }

  set(i: number, j: number, value: number): void {
    const inner = this.d1;
    const array = this.array;
    const place =
      arguments.length === 3 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j &&
      typeof value === "number"
        ? (this.base + Math.imul(i, inner) + j) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i, j], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyElements(this, source, (index: number, value: number) => storeI32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): VecI32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1;
      return new VecI32(this.array, start, this.owner, this.d1, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new VecI32(this.array, start, this.owner, this.d0, this.dtype);
    return new VecI32(this.array, start, this.owner, this.d1, this.dtype);
  }

  override asConst(): ConstMatrixI32 {
    return new ConstMatrixI32(this.array, this.base, this.owner, this.d0, this.d1, this.dtype);
  }
}

/** Rank 3, read-only. */
class ConstTensor3I32 extends MapI32<3> implements ConstTensorMap<"int32" | "qint32", 3> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.dtype = dtype;
  }

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

  at(i: number, j: number, k: number): number {
    const inner = this.d2;
    const place =
      arguments.length === 3 && typeof i === "number" && typeof j === "number" && typeof k === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < inner && (k | 0) === k
        ? (this.base + Math.imul(Math.imul(i, this.d1) + j, inner) + k) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i, j, k], arguments.length);
    return raw;
  }

  chip(offset: number, dim: number = 0): ConstMatrixI32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2;
      return new ConstMatrixI32(this.array, start, this.owner, this.d1, this.d2, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstMatrixI32(this.array, start, this.owner, this.d0, this.d2, this.dtype);
    if (axis === 2) return new ConstMatrixI32(this.array, start, this.owner, this.d0, this.d1, this.dtype);
    return new ConstMatrixI32(this.array, start, this.owner, this.d1, this.d2, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstTensor3I32 {
    return this;
  }
}

/** Rank 3. */
class Tensor3I32 extends ConstTensor3I32 implements TensorMap<"int32" | "qint32", 3> {
  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, dtype: "int32" | "qint32") {
    super(array, base, owner, d0, d1, d2, dtype);
  }

  set(i: number, j: number, k: number, value: number): void {
    const inner = this.d2;
    const array = this.array;
    const place =
      arguments.length === 4 && typeof i === "number" && typeof j === "number" && typeof k === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < inner && (k | 0) === k &&
      typeof value === "number"
        ? (this.base + Math.imul(Math.imul(i, this.d1) + j, inner) + k) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i, j, k], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyElements(this, source, (index: number, value: number) => storeI32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): MatrixI32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2;
      return new MatrixI32(this.array, start, this.owner, this.d1, this.d2, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new MatrixI32(this.array, start, this.owner, this.d0, this.d2, this.dtype);
    if (axis === 2) return new MatrixI32(this.array, start, this.owner, this.d0, this.d1, this.dtype);
    return new MatrixI32(this.array, start, this.owner, this.d1, this.d2, this.dtype);
  }

  override asConst(): ConstTensor3I32 {
    return new ConstTensor3I32(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.dtype);
  }
}

/** Rank 4, read-only. */
class ConstTensor4I32 extends MapI32<4> implements ConstTensorMap<"int32" | "qint32", 4> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.dtype = dtype;
  }

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

  at(i: number, j: number, k: number, l: number): number {
    const inner = this.d3;
    const place =
      arguments.length === 4 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < inner && (l | 0) === l
        ? (this.base + Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, inner) + l) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i, j, k, l], arguments.length);
    return raw;
  }

  chip(offset: number, dim: number = 0): ConstTensor3I32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3;
      return new ConstTensor3I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstTensor3I32(this.array, start, this.owner, this.d0, this.d2, this.d3, this.dtype);
    if (axis === 2) return new ConstTensor3I32(this.array, start, this.owner, this.d0, this.d1, this.d3, this.dtype);
    if (axis === 3) return new ConstTensor3I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.dtype);
    return new ConstTensor3I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstTensor4I32 {
    return this;
  }
}

/** Rank 4. */
class Tensor4I32 extends ConstTensor4I32 implements TensorMap<"int32" | "qint32", 4> {
  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, dtype: "int32" | "qint32") {
    super(array, base, owner, d0, d1, d2, d3, dtype);
  }

  set(i: number, j: number, k: number, l: number, value: number): void {
    const inner = this.d3;
    const array = this.array;
    const place =
      arguments.length === 5 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < inner && (l | 0) === l &&
      typeof value === "number"
        ? (this.base + Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, inner) + l) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i, j, k, l], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyElements(this, source, (index: number, value: number) => storeI32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor3I32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3;
      return new Tensor3I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new Tensor3I32(this.array, start, this.owner, this.d0, this.d2, this.d3, this.dtype);
    if (axis === 2) return new Tensor3I32(this.array, start, this.owner, this.d0, this.d1, this.d3, this.dtype);
    if (axis === 3) return new Tensor3I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.dtype);
    return new Tensor3I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.dtype);
  }

  override asConst(): ConstTensor4I32 {
    return new ConstTensor4I32(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.dtype);
  }
}

/** Rank 5, read-only. */
class ConstTensor5I32 extends MapI32<5> implements ConstTensorMap<"int32" | "qint32", 5> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.d4 = d4;
    this.dtype = dtype;
  }

  get rank(): 5 {
    return 5;
  }

  get size(): number {
    return this.d0 * this.d1 * this.d2 * this.d3 * this.d4;
  }

  get dimensions(): readonly number[] {
    return [this.d0, this.d1, this.d2, this.d3, this.d4];
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    if (i === 2) return this.d2;
    if (i === 3) return this.d3;
    if (i === 4) return this.d4;
    throw dimensionError(i, 5);
  }

  at(i: number, j: number, k: number, l: number, m: number): number {
    const inner = this.d4;
    const place =
      arguments.length === 5 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < inner && (m | 0) === m
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, this.d3) + l, inner) + m) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i, j, k, l, m], arguments.length);
    return raw;
  }

  chip(offset: number, dim: number = 0): ConstTensor4I32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4;
      return new ConstTensor4I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstTensor4I32(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.dtype);
    if (axis === 2) return new ConstTensor4I32(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.dtype);
    if (axis === 3) return new ConstTensor4I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.dtype);
    if (axis === 4) return new ConstTensor4I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.dtype);
    return new ConstTensor4I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstTensor5I32 {
    return this;
  }
}

/** Rank 5. */
class Tensor5I32 extends ConstTensor5I32 implements TensorMap<"int32" | "qint32", 5> {
  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, dtype: "int32" | "qint32") {
    super(array, base, owner, d0, d1, d2, d3, d4, dtype);
  }

  set(i: number, j: number, k: number, l: number, m: number, value: number): void {
    const inner = this.d4;
    const array = this.array;
    const place =
      arguments.length === 6 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < inner && (m | 0) === m &&
      typeof value === "number"
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, this.d3) + l, inner) + m) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i, j, k, l, m], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyElements(this, source, (index: number, value: number) => storeI32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor4I32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4;
      return new Tensor4I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new Tensor4I32(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.dtype);
    if (axis === 2) return new Tensor4I32(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.dtype);
    if (axis === 3) return new Tensor4I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.dtype);
    if (axis === 4) return new Tensor4I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.dtype);
    return new Tensor4I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.dtype);
  }

  override asConst(): ConstTensor5I32 {
    return new ConstTensor5I32(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.dtype);
  }
}

/** Rank 6, read-only. */
class ConstTensor6I32 extends MapI32<6> implements ConstTensorMap<"int32" | "qint32", 6> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly d5: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.d4 = d4;
    this.d5 = d5;
    this.dtype = dtype;
  }

  get rank(): 6 {
    return 6;
  }

  get size(): number {
    return this.d0 * this.d1 * this.d2 * this.d3 * this.d4 * this.d5;
  }

  get dimensions(): readonly number[] {
    return [this.d0, this.d1, this.d2, this.d3, this.d4, this.d5];
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    if (i === 2) return this.d2;
    if (i === 3) return this.d3;
    if (i === 4) return this.d4;
    if (i === 5) return this.d5;
    throw dimensionError(i, 6);
  }

  at(i: number, j: number, k: number, l: number, m: number, n: number): number {
    const inner = this.d5;
    const place =
      arguments.length === 6 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" && typeof n === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < this.d4 && (m | 0) === m &&
      n >>> 0 < inner && (n | 0) === n
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, this.d3) + l, this.d4) + m, inner) + n) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i, j, k, l, m, n], arguments.length);
    return raw;
  }

  chip(offset: number, dim: number = 0): ConstTensor5I32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.d5;
      return new ConstTensor5I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstTensor5I32(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.d5, this.dtype);
    if (axis === 2) return new ConstTensor5I32(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.d5, this.dtype);
    if (axis === 3) return new ConstTensor5I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.d5, this.dtype);
    if (axis === 4) return new ConstTensor5I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d5, this.dtype);
    if (axis === 5) return new ConstTensor5I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.dtype);
    return new ConstTensor5I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstTensor6I32 {
    return this;
  }
}

/** Rank 6. */
class Tensor6I32 extends ConstTensor6I32 implements TensorMap<"int32" | "qint32", 6> {
  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, dtype: "int32" | "qint32") {
    super(array, base, owner, d0, d1, d2, d3, d4, d5, dtype);
  }

  set(i: number, j: number, k: number, l: number, m: number, n: number, value: number): void {
    const inner = this.d5;
    const array = this.array;
    const place =
      arguments.length === 7 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" && typeof n === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < this.d4 && (m | 0) === m &&
      n >>> 0 < inner && (n | 0) === n &&
      typeof value === "number"
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, this.d3) + l, this.d4) + m, inner) + n) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i, j, k, l, m, n], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyElements(this, source, (index: number, value: number) => storeI32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor5I32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.d5;
      return new Tensor5I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new Tensor5I32(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.d5, this.dtype);
    if (axis === 2) return new Tensor5I32(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.d5, this.dtype);
    if (axis === 3) return new Tensor5I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.d5, this.dtype);
    if (axis === 4) return new Tensor5I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d5, this.dtype);
    if (axis === 5) return new Tensor5I32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.dtype);
    return new Tensor5I32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.dtype);
  }

  override asConst(): ConstTensor6I32 {
    return new ConstTensor6I32(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.d5, this.dtype);
  }
}

/** Any rank, read-only. */
class ConstGeneralI32 extends MapI32<number> implements ConstTensorMap<"int32" | "qint32", number> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    this.dtype = dtype;
  }

  get rank(): number {
    return this.dims.length;
  }

  get size(): number {
    return product(this.dims);
  }

  get dimensions(): readonly number[] {
    return this.dims.slice();
  }

  dimension(i: number): number {
    const size = this.dims[i];
    if (size === undefined) throw dimensionError(i, this.dims.length);
    return size;
  }

  at(...indices: readonly number[]): number {
    const flat = this.owner.refs === 0 ? -1 : flatIndex(this.dims, indices);
    const place = flat < 0 ? -1 : this.base + flat;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, indices);
    return raw;
  }

  chip(offset: number, dim: number = 0): ConstTensorMap<"int32" | "qint32", number> {
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return makeI32(this.array, start, this.owner, this.dims.filter((_, d) => d !== axis), this.dtype).asConst();
  }

  asConst(): ConstGeneralI32 {
    return this;
  }
}

/** Any rank. */
class GeneralI32 extends ConstGeneralI32 implements TensorMap<"int32" | "qint32", number> {
  set(...args: [...indices: readonly number[], value: number]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as number;
    const flat = this.owner.refs === 0 || !(typeof value === "number") ? -1 : flatIndex(this.dims, indices);
    const place = flat < 0 ? -1 : this.base + flat;
    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
    this.array[place] = value;
  }

  fill(value: number): void {
    fillI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyElements(this, source, (index: number, value: number) => storeI32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): TensorMap<"int32" | "qint32", number> {
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return makeI32(this.array, start, this.owner, this.dims.filter((_, d) => d !== axis), this.dtype);
  }

  override asConst(): ConstGeneralI32 {
    return new ConstGeneralI32(this.array, this.base, this.owner, this.dims, this.dtype);
  }
}

/** A map of any rank. Throws INVALID_ARGUMENT if it does not fit the array. */
function makeI32(
  array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], dtype: "int32" | "qint32",
): TensorMap<"int32" | "qint32", number> {
  const small = checkGeometry(dtype, array.length, base, 1, 1, dims);
  if (!small) return new GeneralI32(array, base, owner, dims.slice(), dtype);
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  switch (dims.length) {
    case 0:
      return new ScalarI32(array, base, owner, dtype);
    case 1:
      return new VecI32(array, base, owner, d0, dtype);
    case 2:
      return new MatrixI32(array, base, owner, d0, d1, dtype);
    case 3:
      return new Tensor3I32(array, base, owner, d0, d1, d2, dtype);
    case 4:
      return new Tensor4I32(array, base, owner, d0, d1, d2, d3, dtype);
    case 5:
      return new Tensor5I32(array, base, owner, d0, d1, d2, d3, d4, dtype);
    case 6:
      return new Tensor6I32(array, base, owner, d0, d1, d2, d3, d4, d5, dtype);
    default:
      return new GeneralI32(array, base, owner, dims.slice(), dtype);
  }
}

/** What the strided maps of this storage kind share. */
abstract class StridedI32<R extends number> extends StridedMapBase<"int32" | "qint32", R> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly dtype: "int32" | "qint32";

  /** The elements in row-major order. */
  *[Symbol.iterator](): IterableIterator<number> {
    const size = this.size;
    checkAlive(this);
    const walk = new StridedWalk(this.geometry);
    for (let n = 0; n < size; n++) {
      const raw = this.array[walk.place];
      if (this.owner.refs === 0 || raw === undefined) throw goneError(this);
      yield raw;
      walk.next();
    }
  }

  protected override withStrides(
    offset: number, dims: readonly number[], strides: readonly number[], writable: boolean,
  ): StridedMap<"int32" | "qint32", number> {
    return makeStridedI32(this.array, offset, this.owner, dims, strides, this.dtype, writable);
  }

  protected override withoutStrides(dims: readonly number[]): TensorMap<"int32" | "qint32", number> {
    return makeI32(this.array, this.base, this.owner, dims, this.dtype);
  }
}

/** Stores a checked value at a place, counted in elements. */
function storeStridedI32(map: StridedI32<number>, place: number, value: number): void {
  map.array[place] = value;
}

/** Stores one value everywhere. */
function fillStridedI32(map: StridedI32<number>, value: number): void {
  checkStore(map, value);
  const raw = value;
  const array = map.array;
  forEachRow(map.geometry, (place, count, stride) => {
    if (stride === 1) array.fill(raw, place, place + count);
    else for (let n = 0; n < count; n++) array[place + n * stride] = raw;
  });
}

/** Stores the elements of a source in row-major order. */
function copyStridedI32(map: StridedI32<number>, source: CopySource<"int32" | "qint32">): void {
  const next = map.places();
  copyElements(map, source, (_: number, value: number) => storeStridedI32(map, next(), value));
}

/** One element, read-only. */
class ConstStridedScalarI32 extends StridedI32<0> implements ConstStridedMap<"int32" | "qint32", 0> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dtype = dtype;
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

  dimension(i: number): number {
    throw dimensionError(i, 0);
  }

  at(): number {
    const place =
      arguments.length === 0 && this.owner.refs !== 0
        ? this.base
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [], arguments.length);
    return raw;
  }
}

/** One element. */
class StridedScalarI32 extends ConstStridedScalarI32 implements StridedMap<"int32" | "qint32", 0> {
  set(value: number): void {
    const array = this.array;
    const place =
      arguments.length === 1 && this.owner.refs !== 0 &&
      typeof value === "number"
        ? this.base
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillStridedI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyStridedI32(this, source);
  }
}

/** Rank 1 with strides, read-only. */
class ConstStridedVecI32 extends StridedI32<1> implements ConstStridedMap<"int32" | "qint32", 1> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly s0: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, s0: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.s0 = s0;
    this.dtype = dtype;
  }

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

  dimension(i: number): number {
    if (i === 0) return this.d0;
    throw dimensionError(i, 1);
  }

  at(i: number): number {
    const inner = this.d0;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 1 && typeof i === "number" &&
      i >>> 0 < inner && (i | 0) === i &&
      this.owner.refs !== 0
        ? (base + Math.imul(i, s0)) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i], arguments.length);
    return raw;
  }
}

/** Rank 1 with strides. */
class StridedVecI32 extends ConstStridedVecI32 implements StridedMap<"int32" | "qint32", 1> {
  set(i: number, value: number): void {
    const inner = this.d0;
    const s0 = this.s0;
    const base = this.base;
    const array = this.array;
    const place =
      arguments.length === 2 && typeof i === "number" &&
      i >>> 0 < inner && (i | 0) === i &&
      this.owner.refs !== 0 &&
      typeof value === "number"
        ? (base + Math.imul(i, s0)) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillStridedI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyStridedI32(this, source);
  }
}

/** Rank 2 with strides, read-only. */
class ConstStridedMatrixI32 extends StridedI32<2> implements ConstStridedMap<"int32" | "qint32", 2> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, s0: number, s1: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.s0 = s0;
    this.s1 = s1;
    this.dtype = dtype;
  }

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

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    throw dimensionError(i, 2);
  }

  at(i: number, j: number): number {
    const inner = this.d1;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 2 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j
        ? (base + Math.imul(i, s0) + Math.imul(j, s1)) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i, j], arguments.length);
    return raw;
  }
}

/** Rank 2 with strides. */
class StridedMatrixI32 extends ConstStridedMatrixI32 implements StridedMap<"int32" | "qint32", 2> {
  set(i: number, j: number, value: number): void {
    const inner = this.d1;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const array = this.array;
    const place =
      arguments.length === 3 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j &&
      typeof value === "number"
        ? (base + Math.imul(i, s0) + Math.imul(j, s1)) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i, j], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillStridedI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyStridedI32(this, source);
  }
}

/** Rank 3 with strides, read-only. */
class ConstStridedTensor3I32 extends StridedI32<3> implements ConstStridedMap<"int32" | "qint32", 3> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly s2: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, s0: number, s1: number, s2: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.s0 = s0;
    this.s1 = s1;
    this.s2 = s2;
    this.dtype = dtype;
  }

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

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    if (i === 2) return this.d2;
    throw dimensionError(i, 3);
  }

  at(i: number, j: number, k: number): number {
    const inner = this.d2;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 3 && typeof i === "number" && typeof j === "number" && typeof k === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < inner && (k | 0) === k
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2)) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i, j, k], arguments.length);
    return raw;
  }
}

/** Rank 3 with strides. */
class StridedTensor3I32 extends ConstStridedTensor3I32 implements StridedMap<"int32" | "qint32", 3> {
  set(i: number, j: number, k: number, value: number): void {
    const inner = this.d2;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const array = this.array;
    const place =
      arguments.length === 4 && typeof i === "number" && typeof j === "number" && typeof k === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < inner && (k | 0) === k &&
      typeof value === "number"
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2)) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i, j, k], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillStridedI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyStridedI32(this, source);
  }
}

/** Rank 4 with strides, read-only. */
class ConstStridedTensor4I32 extends StridedI32<4> implements ConstStridedMap<"int32" | "qint32", 4> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly s2: number;
  declare readonly s3: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, s0: number, s1: number, s2: number, s3: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.s0 = s0;
    this.s1 = s1;
    this.s2 = s2;
    this.s3 = s3;
    this.dtype = dtype;
  }

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

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    if (i === 2) return this.d2;
    if (i === 3) return this.d3;
    throw dimensionError(i, 4);
  }

  at(i: number, j: number, k: number, l: number): number {
    const inner = this.d3;
    const s3 = this.s3;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 4 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < inner && (l | 0) === l
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3)) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i, j, k, l], arguments.length);
    return raw;
  }
}

/** Rank 4 with strides. */
class StridedTensor4I32 extends ConstStridedTensor4I32 implements StridedMap<"int32" | "qint32", 4> {
  set(i: number, j: number, k: number, l: number, value: number): void {
    const inner = this.d3;
    const s3 = this.s3;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const array = this.array;
    const place =
      arguments.length === 5 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < inner && (l | 0) === l &&
      typeof value === "number"
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3)) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i, j, k, l], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillStridedI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyStridedI32(this, source);
  }
}

/** Rank 5 with strides, read-only. */
class ConstStridedTensor5I32 extends StridedI32<5> implements ConstStridedMap<"int32" | "qint32", 5> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly s2: number;
  declare readonly s3: number;
  declare readonly s4: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, s0: number, s1: number, s2: number, s3: number, s4: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.d4 = d4;
    this.s0 = s0;
    this.s1 = s1;
    this.s2 = s2;
    this.s3 = s3;
    this.s4 = s4;
    this.dtype = dtype;
  }

  get rank(): 5 {
    return 5;
  }

  get size(): number {
    return this.d0 * this.d1 * this.d2 * this.d3 * this.d4;
  }

  get dimensions(): readonly number[] {
    return [this.d0, this.d1, this.d2, this.d3, this.d4];
  }

  get strides(): readonly number[] {
    return [this.s0, this.s1, this.s2, this.s3, this.s4];
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    if (i === 2) return this.d2;
    if (i === 3) return this.d3;
    if (i === 4) return this.d4;
    throw dimensionError(i, 5);
  }

  at(i: number, j: number, k: number, l: number, m: number): number {
    const inner = this.d4;
    const s4 = this.s4;
    const s3 = this.s3;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 5 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < inner && (m | 0) === m
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3) + Math.imul(m, s4)) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i, j, k, l, m], arguments.length);
    return raw;
  }
}

/** Rank 5 with strides. */
class StridedTensor5I32 extends ConstStridedTensor5I32 implements StridedMap<"int32" | "qint32", 5> {
  set(i: number, j: number, k: number, l: number, m: number, value: number): void {
    const inner = this.d4;
    const s4 = this.s4;
    const s3 = this.s3;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const array = this.array;
    const place =
      arguments.length === 6 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < inner && (m | 0) === m &&
      typeof value === "number"
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3) + Math.imul(m, s4)) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i, j, k, l, m], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillStridedI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyStridedI32(this, source);
  }
}

/** Rank 6 with strides, read-only. */
class ConstStridedTensor6I32 extends StridedI32<6> implements ConstStridedMap<"int32" | "qint32", 6> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly d5: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly s2: number;
  declare readonly s3: number;
  declare readonly s4: number;
  declare readonly s5: number;
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, s0: number, s1: number, s2: number, s3: number, s4: number, s5: number, dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.d4 = d4;
    this.d5 = d5;
    this.s0 = s0;
    this.s1 = s1;
    this.s2 = s2;
    this.s3 = s3;
    this.s4 = s4;
    this.s5 = s5;
    this.dtype = dtype;
  }

  get rank(): 6 {
    return 6;
  }

  get size(): number {
    return this.d0 * this.d1 * this.d2 * this.d3 * this.d4 * this.d5;
  }

  get dimensions(): readonly number[] {
    return [this.d0, this.d1, this.d2, this.d3, this.d4, this.d5];
  }

  get strides(): readonly number[] {
    return [this.s0, this.s1, this.s2, this.s3, this.s4, this.s5];
  }

  dimension(i: number): number {
    if (i === 0) return this.d0;
    if (i === 1) return this.d1;
    if (i === 2) return this.d2;
    if (i === 3) return this.d3;
    if (i === 4) return this.d4;
    if (i === 5) return this.d5;
    throw dimensionError(i, 6);
  }

  at(i: number, j: number, k: number, l: number, m: number, n: number): number {
    const inner = this.d5;
    const s5 = this.s5;
    const s4 = this.s4;
    const s3 = this.s3;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 6 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" && typeof n === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < this.d4 && (m | 0) === m &&
      n >>> 0 < inner && (n | 0) === n
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3) + Math.imul(m, s4) + Math.imul(n, s5)) | 0
        : 0x3ffffffe;
    const raw = this.array[place];
    if (raw === undefined) throw accessError(this, [i, j, k, l, m, n], arguments.length);
    return raw;
  }
}

/** Rank 6 with strides. */
class StridedTensor6I32 extends ConstStridedTensor6I32 implements StridedMap<"int32" | "qint32", 6> {
  set(i: number, j: number, k: number, l: number, m: number, n: number, value: number): void {
    const inner = this.d5;
    const s5 = this.s5;
    const s4 = this.s4;
    const s3 = this.s3;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const array = this.array;
    const place =
      arguments.length === 7 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" && typeof n === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < this.d4 && (m | 0) === m &&
      n >>> 0 < inner && (n | 0) === n &&
      typeof value === "number"
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3) + Math.imul(m, s4) + Math.imul(n, s5)) | 0
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [i, j, k, l, m, n], value, arguments.length - 1);
    array[place] = value;
  }

  fill(value: number): void {
    fillStridedI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyStridedI32(this, source);
  }
}

/** Any rank with strides, read-only. */
class ConstStridedGeneralI32 extends StridedI32<number> implements ConstStridedMap<"int32" | "qint32", number> {
  declare readonly array: Int32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];
  declare readonly steps: readonly number[];
  declare readonly dtype: "int32" | "qint32";

  constructor(array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], steps: readonly number[], dtype: "int32" | "qint32") {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    this.steps = steps;
    this.dtype = dtype;
  }

  get rank(): number {
    return this.dims.length;
  }

  get size(): number {
    return product(this.dims);
  }

  get dimensions(): readonly number[] {
    return this.dims.slice();
  }

  get strides(): readonly number[] {
    return this.steps.slice();
  }

  dimension(i: number): number {
    const size = this.dims[i];
    if (size === undefined) throw dimensionError(i, this.dims.length);
    return size;
  }

  at(...indices: readonly number[]): number {
    const flat = this.owner.refs === 0 ? -1 : stridedIndex(this.offset, this.dims, this.steps, indices);
    const place = flat < 0 ? -1 : flat;
    if (place < 0 || place >= this.array.length) throw accessError(this, indices);
    const raw = this.array[place] as number;
    return raw;
  }
}

/** Any rank with strides. */
class StridedGeneralI32 extends ConstStridedGeneralI32 implements StridedMap<"int32" | "qint32", number> {
  set(...args: [...indices: readonly number[], value: number]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as number;
    const flat = this.owner.refs === 0 || !(typeof value === "number") ? -1 : stridedIndex(this.offset, this.dims, this.steps, indices);
    const place = flat < 0 ? -1 : flat;
    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
    this.array[place] = value;
  }

  fill(value: number): void {
    fillStridedI32(this, value);
  }

  copyFrom(source: CopySource<"int32" | "qint32">): void {
    copyStridedI32(this, source);
  }
}

/** A strided map over places known to lie in the array; without `set` unless writable. */
function makeStridedI32(
  array: Int32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], strides: readonly number[], dtype: "int32" | "qint32", writable: boolean,
): StridedMap<"int32" | "qint32", number> {
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0] = strides;
  switch (isSmallStrided(array.length, dims, strides) ? dims.length : -1) {
    case 0:
      if (!writable) return new ConstStridedScalarI32(array, base, owner, dtype) as unknown as StridedMap<"int32" | "qint32", number>;
      return new StridedScalarI32(array, base, owner, dtype);
    case 1:
      if (!writable) return new ConstStridedVecI32(array, base, owner, d0, s0, dtype) as unknown as StridedMap<"int32" | "qint32", number>;
      return new StridedVecI32(array, base, owner, d0, s0, dtype);
    case 2:
      if (!writable) return new ConstStridedMatrixI32(array, base, owner, d0, d1, s0, s1, dtype) as unknown as StridedMap<"int32" | "qint32", number>;
      return new StridedMatrixI32(array, base, owner, d0, d1, s0, s1, dtype);
    case 3:
      if (!writable) return new ConstStridedTensor3I32(array, base, owner, d0, d1, d2, s0, s1, s2, dtype) as unknown as StridedMap<"int32" | "qint32", number>;
      return new StridedTensor3I32(array, base, owner, d0, d1, d2, s0, s1, s2, dtype);
    case 4:
      if (!writable) return new ConstStridedTensor4I32(array, base, owner, d0, d1, d2, d3, s0, s1, s2, s3, dtype) as unknown as StridedMap<"int32" | "qint32", number>;
      return new StridedTensor4I32(array, base, owner, d0, d1, d2, d3, s0, s1, s2, s3, dtype);
    case 5:
      if (!writable) return new ConstStridedTensor5I32(array, base, owner, d0, d1, d2, d3, d4, s0, s1, s2, s3, s4, dtype) as unknown as StridedMap<"int32" | "qint32", number>;
      return new StridedTensor5I32(array, base, owner, d0, d1, d2, d3, d4, s0, s1, s2, s3, s4, dtype);
    case 6:
      if (!writable) return new ConstStridedTensor6I32(array, base, owner, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, dtype) as unknown as StridedMap<"int32" | "qint32", number>;
      return new StridedTensor6I32(array, base, owner, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, dtype);
    default:
      if (!writable) return new ConstStridedGeneralI32(array, base, owner, dims.slice(), strides.slice(), dtype) as unknown as StridedMap<"int32" | "qint32", number>;
      return new StridedGeneralI32(array, base, owner, dims.slice(), strides.slice(), dtype);
  }
}

/** Makes the factory of one of the dtypes of this kind. */
export function kindI32<D extends "int32" | "qint32">(dtype: D): TensorMapKind<D> {
  return {
    dtype,
    scalar(array, base, owner) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || !(base + 1 <= array.length) || array.length > 0x3ffffffe) {
        return makeI32(array as Int32Array<ArrayBufferLike>, base, owner, [], dtype) as unknown as TensorMap<D, 0>;
      }
      return new ScalarI32(array as Int32Array<ArrayBufferLike>, base, owner, dtype) as unknown as TensorMap<D, 0>;
    },
    vec(array, base, owner, d0) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || !(base + d0 <= array.length) || array.length > 0x3ffffffe) {
        return makeI32(array as Int32Array<ArrayBufferLike>, base, owner, [d0], dtype) as unknown as TensorMap<D, 1>;
      }
      return new VecI32(array as Int32Array<ArrayBufferLike>, base, owner, d0, dtype) as unknown as TensorMap<D, 1>;
    },
    matrix(array, base, owner, d0, d1) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || !(base + d0 * d1 <= array.length) || array.length > 0x3ffffffe) {
        return makeI32(array as Int32Array<ArrayBufferLike>, base, owner, [d0, d1], dtype) as unknown as TensorMap<D, 2>;
      }
      return new MatrixI32(array as Int32Array<ArrayBufferLike>, base, owner, d0, d1, dtype) as unknown as TensorMap<D, 2>;
    },
    tensor3(array, base, owner, d0, d1, d2) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || !(base + d0 * d1 * d2 <= array.length) || array.length > 0x3ffffffe) {
        return makeI32(array as Int32Array<ArrayBufferLike>, base, owner, [d0, d1, d2], dtype) as unknown as TensorMap<D, 3>;
      }
      return new Tensor3I32(array as Int32Array<ArrayBufferLike>, base, owner, d0, d1, d2, dtype) as unknown as TensorMap<D, 3>;
    },
    tensor4(array, base, owner, d0, d1, d2, d3) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || !(base + d0 * d1 * d2 * d3 <= array.length) || array.length > 0x3ffffffe) {
        return makeI32(array as Int32Array<ArrayBufferLike>, base, owner, [d0, d1, d2, d3], dtype) as unknown as TensorMap<D, 4>;
      }
      return new Tensor4I32(array as Int32Array<ArrayBufferLike>, base, owner, d0, d1, d2, d3, dtype) as unknown as TensorMap<D, 4>;
    },
    tensor5(array, base, owner, d0, d1, d2, d3, d4) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || typeof d4 !== "number" || (d4 & 0x3fffffff) !== d4 || !(base + d0 * d1 * d2 * d3 * d4 <= array.length) || array.length > 0x3ffffffe) {
        return makeI32(array as Int32Array<ArrayBufferLike>, base, owner, [d0, d1, d2, d3, d4], dtype) as unknown as TensorMap<D, 5>;
      }
      return new Tensor5I32(array as Int32Array<ArrayBufferLike>, base, owner, d0, d1, d2, d3, d4, dtype) as unknown as TensorMap<D, 5>;
    },
    tensor6(array, base, owner, d0, d1, d2, d3, d4, d5) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || typeof d4 !== "number" || (d4 & 0x3fffffff) !== d4 || typeof d5 !== "number" || (d5 & 0x3fffffff) !== d5 || !(base + d0 * d1 * d2 * d3 * d4 * d5 <= array.length) || array.length > 0x3ffffffe) {
        return makeI32(array as Int32Array<ArrayBufferLike>, base, owner, [d0, d1, d2, d3, d4, d5], dtype) as unknown as TensorMap<D, 6>;
      }
      return new Tensor6I32(array as Int32Array<ArrayBufferLike>, base, owner, d0, d1, d2, d3, d4, d5, dtype) as unknown as TensorMap<D, 6>;
    },
    general(array, base, owner, dims) {
      return makeI32(array as Int32Array<ArrayBufferLike>, base, owner, dims, dtype) as unknown as TensorMap<D, number>;
    },
    strided(array, offset, owner, dims, strides) {
      const g = checkStrides(dtype, array.length, offset, 1, dims, strides, true);
      return makeStridedI32(array as Int32Array<ArrayBufferLike>, g.offset, owner, g.dims, g.strides, dtype, true) as unknown as StridedMap<D, number>;
    },
    constStrided(array, offset, owner, dims, strides) {
      const g = checkStrides(dtype, array.length, offset, 1, dims, strides, false);
      return makeStridedI32(array as Int32Array<ArrayBufferLike>, g.offset, owner, g.dims, g.strides, dtype, false) as unknown as ConstStridedMap<D, number>;
    },
  };
}
