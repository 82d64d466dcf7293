// Maps of float32. Written by tools/generate-tensor-maps.mjs: change the templates there, not this file.
// The methods are documented in tensor-map.ts.
import { copyElements } from "../copy-elements.ts";
import { dtypeNumber, kCode } from "../expression/node-code.ts";
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
abstract class MapF32<R extends number> extends TensorMapBase<"float32", R> {
  declare readonly array: Float32Array<ArrayBufferLike>;

  static {
    Object.defineProperty(this.prototype, kCode, { value: dtypeNumber("float32") });
  }

  get dtype(): "float32" {
    return "float32";
  }

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

  protected override withStrides(offset: number, dims: readonly number[], strides: readonly number[]): StridedMap<"float32", number> {
    return makeStridedF32(this.array, offset, this.owner, dims, strides, "set" in this);
  }
}

/** Stores a checked value at a flat index. */
function storeF32(map: MapF32<number>, index: number, value: number): void {
  map.array[map.base + index] = value;
}

/** Stores one value everywhere. */
function fillF32(map: MapF32<number>, value: number): void {
  checkStore(map, value);
  map.array.fill(value, map.base, map.base + map.size);
}

/** One element, read-only. */
class ConstScalarF32 extends MapF32<0> implements ConstTensorMap<"float32", 0> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
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
  asConst(): ConstScalarF32 {
    return this;
  }
}

/** One element. */
class ScalarF32 extends ConstScalarF32 implements TensorMap<"float32", 0> {
  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner) {
    super(array, base, owner);
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
    fillF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyElements(this, source, (index: number, value: number) => storeF32(this, index, value));
  }

  override asConst(): ConstScalarF32 {
    return new ConstScalarF32(this.array, this.base, this.owner);
  }
}

/** Rank 1, read-only. */
class ConstVecF32 extends MapF32<1> implements ConstTensorMap<"float32", 1> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
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

  chip(offset: number, dim: number = 0): ConstScalarF32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset;
      return new ConstScalarF32(this.array, start, this.owner);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return new ConstScalarF32(this.array, start, this.owner);
  }

  /** This map, read-only. */
  asConst(): ConstVecF32 {
    return this;
  }
}

/** Rank 1. */
class VecF32 extends ConstVecF32 implements TensorMap<"float32", 1> {
  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number) {
    super(array, base, owner, d0);
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
    fillF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyElements(this, source, (index: number, value: number) => storeF32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): ScalarF32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset;
      return new ScalarF32(this.array, start, this.owner);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return new ScalarF32(this.array, start, this.owner);
  }

  override asConst(): ConstVecF32 {
    return new ConstVecF32(this.array, this.base, this.owner, this.d0);
  }
}

/** Rank 2, read-only. */
class ConstMatrixF32 extends MapF32<2> implements ConstTensorMap<"float32", 2> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
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

  chip(offset: number, dim: number = 0): ConstVecF32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1;
      return new ConstVecF32(this.array, start, this.owner, this.d1);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstVecF32(this.array, start, this.owner, this.d0);
    return new ConstVecF32(this.array, start, this.owner, this.d1);
  }

  /** This map, read-only. */
  asConst(): ConstMatrixF32 {
    return this;
  }
}

/** Rank 2. */
class MatrixF32 extends ConstMatrixF32 implements TensorMap<"float32", 2> {
  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number) {
    super(array, base, owner, d0, d1);
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
    fillF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyElements(this, source, (index: number, value: number) => storeF32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): VecF32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1;
      return new VecF32(this.array, start, this.owner, this.d1);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new VecF32(this.array, start, this.owner, this.d0);
    return new VecF32(this.array, start, this.owner, this.d1);
  }

  override asConst(): ConstMatrixF32 {
    return new ConstMatrixF32(this.array, this.base, this.owner, this.d0, this.d1);
  }
}

/** Rank 3, read-only. */
class ConstTensor3F32 extends MapF32<3> implements ConstTensorMap<"float32", 3> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
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

  chip(offset: number, dim: number = 0): ConstMatrixF32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2;
      return new ConstMatrixF32(this.array, start, this.owner, this.d1, this.d2);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstMatrixF32(this.array, start, this.owner, this.d0, this.d2);
    if (axis === 2) return new ConstMatrixF32(this.array, start, this.owner, this.d0, this.d1);
    return new ConstMatrixF32(this.array, start, this.owner, this.d1, this.d2);
  }

  /** This map, read-only. */
  asConst(): ConstTensor3F32 {
    return this;
  }
}

/** Rank 3. */
class Tensor3F32 extends ConstTensor3F32 implements TensorMap<"float32", 3> {
  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number) {
    super(array, base, owner, d0, d1, d2);
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
    fillF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyElements(this, source, (index: number, value: number) => storeF32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): MatrixF32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2;
      return new MatrixF32(this.array, start, this.owner, this.d1, this.d2);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new MatrixF32(this.array, start, this.owner, this.d0, this.d2);
    if (axis === 2) return new MatrixF32(this.array, start, this.owner, this.d0, this.d1);
    return new MatrixF32(this.array, start, this.owner, this.d1, this.d2);
  }

  override asConst(): ConstTensor3F32 {
    return new ConstTensor3F32(this.array, this.base, this.owner, this.d0, this.d1, this.d2);
  }
}

/** Rank 4, read-only. */
class ConstTensor4F32 extends MapF32<4> implements ConstTensorMap<"float32", 4> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
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

  chip(offset: number, dim: number = 0): ConstTensor3F32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3;
      return new ConstTensor3F32(this.array, start, this.owner, this.d1, this.d2, this.d3);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstTensor3F32(this.array, start, this.owner, this.d0, this.d2, this.d3);
    if (axis === 2) return new ConstTensor3F32(this.array, start, this.owner, this.d0, this.d1, this.d3);
    if (axis === 3) return new ConstTensor3F32(this.array, start, this.owner, this.d0, this.d1, this.d2);
    return new ConstTensor3F32(this.array, start, this.owner, this.d1, this.d2, this.d3);
  }

  /** This map, read-only. */
  asConst(): ConstTensor4F32 {
    return this;
  }
}

/** Rank 4. */
class Tensor4F32 extends ConstTensor4F32 implements TensorMap<"float32", 4> {
  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number) {
    super(array, base, owner, d0, d1, d2, d3);
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
    fillF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyElements(this, source, (index: number, value: number) => storeF32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor3F32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3;
      return new Tensor3F32(this.array, start, this.owner, this.d1, this.d2, this.d3);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new Tensor3F32(this.array, start, this.owner, this.d0, this.d2, this.d3);
    if (axis === 2) return new Tensor3F32(this.array, start, this.owner, this.d0, this.d1, this.d3);
    if (axis === 3) return new Tensor3F32(this.array, start, this.owner, this.d0, this.d1, this.d2);
    return new Tensor3F32(this.array, start, this.owner, this.d1, this.d2, this.d3);
  }

  override asConst(): ConstTensor4F32 {
    return new ConstTensor4F32(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3);
  }
}

/** Rank 5, read-only. */
class ConstTensor5F32 extends MapF32<5> implements ConstTensorMap<"float32", 5> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.d4 = d4;
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

  chip(offset: number, dim: number = 0): ConstTensor4F32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4;
      return new ConstTensor4F32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstTensor4F32(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4);
    if (axis === 2) return new ConstTensor4F32(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4);
    if (axis === 3) return new ConstTensor4F32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4);
    if (axis === 4) return new ConstTensor4F32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3);
    return new ConstTensor4F32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4);
  }

  /** This map, read-only. */
  asConst(): ConstTensor5F32 {
    return this;
  }
}

/** Rank 5. */
class Tensor5F32 extends ConstTensor5F32 implements TensorMap<"float32", 5> {
  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number) {
    super(array, base, owner, d0, d1, d2, d3, d4);
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
    fillF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyElements(this, source, (index: number, value: number) => storeF32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor4F32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4;
      return new Tensor4F32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new Tensor4F32(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4);
    if (axis === 2) return new Tensor4F32(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4);
    if (axis === 3) return new Tensor4F32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4);
    if (axis === 4) return new Tensor4F32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3);
    return new Tensor4F32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4);
  }

  override asConst(): ConstTensor5F32 {
    return new ConstTensor5F32(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4);
  }
}

/** Rank 6, read-only. */
class ConstTensor6F32 extends MapF32<6> implements ConstTensorMap<"float32", 6> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly d5: number;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number) {
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

  chip(offset: number, dim: number = 0): ConstTensor5F32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.d5;
      return new ConstTensor5F32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstTensor5F32(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.d5);
    if (axis === 2) return new ConstTensor5F32(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.d5);
    if (axis === 3) return new ConstTensor5F32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.d5);
    if (axis === 4) return new ConstTensor5F32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d5);
    if (axis === 5) return new ConstTensor5F32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4);
    return new ConstTensor5F32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5);
  }

  /** This map, read-only. */
  asConst(): ConstTensor6F32 {
    return this;
  }
}

/** Rank 6. */
class Tensor6F32 extends ConstTensor6F32 implements TensorMap<"float32", 6> {
  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number) {
    super(array, base, owner, d0, d1, d2, d3, d4, d5);
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
    fillF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyElements(this, source, (index: number, value: number) => storeF32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor5F32 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.d5;
      return new Tensor5F32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new Tensor5F32(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.d5);
    if (axis === 2) return new Tensor5F32(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.d5);
    if (axis === 3) return new Tensor5F32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.d5);
    if (axis === 4) return new Tensor5F32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d5);
    if (axis === 5) return new Tensor5F32(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4);
    return new Tensor5F32(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5);
  }

  override asConst(): ConstTensor6F32 {
    return new ConstTensor6F32(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.d5);
  }
}

/** Any rank, read-only. */
class ConstGeneralF32 extends MapF32<number> implements ConstTensorMap<"float32", number> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[]) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
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

  chip(offset: number, dim: number = 0): ConstTensorMap<"float32", number> {
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return makeF32(this.array, start, this.owner, this.dims.filter((_, d) => d !== axis)).asConst();
  }

  asConst(): ConstGeneralF32 {
    return this;
  }
}

/** Any rank. */
class GeneralF32 extends ConstGeneralF32 implements TensorMap<"float32", number> {
  set(...args: [...indices: readonly number[], value: number]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as number;
    const flat = this.owner.refs === 0 || !(typeof value === "number") ? -1 : flatIndex(this.dims, indices);
    const place = flat < 0 ? -1 : this.base + flat;
    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
    this.array[place] = value;
  }

  fill(value: number): void {
    fillF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyElements(this, source, (index: number, value: number) => storeF32(this, index, value));
  }

  override chip(offset: number, dim: number = 0): TensorMap<"float32", number> {
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return makeF32(this.array, start, this.owner, this.dims.filter((_, d) => d !== axis));
  }

  override asConst(): ConstGeneralF32 {
    return new ConstGeneralF32(this.array, this.base, this.owner, this.dims);
  }
}

/** A map of any rank. Throws INVALID_ARGUMENT if it does not fit the array. */
function makeF32(
  array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[],
): TensorMap<"float32", number> {
  const small = checkGeometry("float32", array.length, base, 1, 1, dims);
  if (!small) return new GeneralF32(array, base, owner, dims.slice());
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  switch (dims.length) {
    case 0:
      return new ScalarF32(array, base, owner);
    case 1:
      return new VecF32(array, base, owner, d0);
    case 2:
      return new MatrixF32(array, base, owner, d0, d1);
    case 3:
      return new Tensor3F32(array, base, owner, d0, d1, d2);
    case 4:
      return new Tensor4F32(array, base, owner, d0, d1, d2, d3);
    case 5:
      return new Tensor5F32(array, base, owner, d0, d1, d2, d3, d4);
    case 6:
      return new Tensor6F32(array, base, owner, d0, d1, d2, d3, d4, d5);
    default:
      return new GeneralF32(array, base, owner, dims.slice());
  }
}

/** What the strided maps of this storage kind share. */
abstract class StridedF32<R extends number> extends StridedMapBase<"float32", R> {
  declare readonly array: Float32Array<ArrayBufferLike>;

  get dtype(): "float32" {
    return "float32";
  }

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
  ): StridedMap<"float32", number> {
    return makeStridedF32(this.array, offset, this.owner, dims, strides, writable);
  }

  protected override withoutStrides(dims: readonly number[]): TensorMap<"float32", number> {
    return makeF32(this.array, this.base, this.owner, dims);
  }
}

/** Stores a checked value at a place, counted in elements. */
function storeStridedF32(map: StridedF32<number>, place: number, value: number): void {
  map.array[place] = value;
}

/** Stores one value everywhere. */
function fillStridedF32(map: StridedF32<number>, value: number): void {
  checkStore(map, value);
  const raw = value;
  const array = map.array;
  forEachRow(map.geometry, (place, count, stride) => {
    if (stride === 1) array.fill(raw, place, place + count);
    else for (let n = 0; n < count; n++) array[place + n * stride] = raw;
  });
}

/** Stores the elements of a source in row-major order. */
function copyStridedF32(map: StridedF32<number>, source: CopySource<"float32">): void {
  const next = map.places();
  copyElements(map, source, (_: number, value: number) => storeStridedF32(map, next(), value));
}

/** One element, read-only. */
class ConstStridedScalarF32 extends StridedF32<0> implements ConstStridedMap<"float32", 0> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
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
class StridedScalarF32 extends ConstStridedScalarF32 implements StridedMap<"float32", 0> {
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
    fillStridedF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyStridedF32(this, source);
  }
}

/** Rank 1 with strides, read-only. */
class ConstStridedVecF32 extends StridedF32<1> implements ConstStridedMap<"float32", 1> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly s0: number;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, s0: number) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.s0 = s0;
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
class StridedVecF32 extends ConstStridedVecF32 implements StridedMap<"float32", 1> {
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
    fillStridedF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyStridedF32(this, source);
  }
}

/** Rank 2 with strides, read-only. */
class ConstStridedMatrixF32 extends StridedF32<2> implements ConstStridedMap<"float32", 2> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly s0: number;
  declare readonly s1: number;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, s0: number, s1: number) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.s0 = s0;
    this.s1 = s1;
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
class StridedMatrixF32 extends ConstStridedMatrixF32 implements StridedMap<"float32", 2> {
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
    fillStridedF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyStridedF32(this, source);
  }
}

/** Rank 3 with strides, read-only. */
class ConstStridedTensor3F32 extends StridedF32<3> implements ConstStridedMap<"float32", 3> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly s2: number;

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, s0: number, s1: number, s2: number) {
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
class StridedTensor3F32 extends ConstStridedTensor3F32 implements StridedMap<"float32", 3> {
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
    fillStridedF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyStridedF32(this, source);
  }
}

/** Rank 4 with strides, read-only. */
class ConstStridedTensor4F32 extends StridedF32<4> implements ConstStridedMap<"float32", 4> {
  declare readonly array: Float32Array<ArrayBufferLike>;
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

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, s0: number, s1: number, s2: number, s3: number) {
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
class StridedTensor4F32 extends ConstStridedTensor4F32 implements StridedMap<"float32", 4> {
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
    fillStridedF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyStridedF32(this, source);
  }
}

/** Rank 5 with strides, read-only. */
class ConstStridedTensor5F32 extends StridedF32<5> implements ConstStridedMap<"float32", 5> {
  declare readonly array: Float32Array<ArrayBufferLike>;
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

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, s0: number, s1: number, s2: number, s3: number, s4: number) {
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
class StridedTensor5F32 extends ConstStridedTensor5F32 implements StridedMap<"float32", 5> {
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
    fillStridedF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyStridedF32(this, source);
  }
}

/** Rank 6 with strides, read-only. */
class ConstStridedTensor6F32 extends StridedF32<6> implements ConstStridedMap<"float32", 6> {
  declare readonly array: Float32Array<ArrayBufferLike>;
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

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, s0: number, s1: number, s2: number, s3: number, s4: number, s5: number) {
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
class StridedTensor6F32 extends ConstStridedTensor6F32 implements StridedMap<"float32", 6> {
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
    fillStridedF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyStridedF32(this, source);
  }
}

/** Any rank with strides, read-only. */
class ConstStridedGeneralF32 extends StridedF32<number> implements ConstStridedMap<"float32", number> {
  declare readonly array: Float32Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];
  declare readonly steps: readonly number[];

  constructor(array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], steps: readonly number[]) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    this.steps = steps;
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
class StridedGeneralF32 extends ConstStridedGeneralF32 implements StridedMap<"float32", number> {
  set(...args: [...indices: readonly number[], value: number]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as number;
    const flat = this.owner.refs === 0 || !(typeof value === "number") ? -1 : stridedIndex(this.offset, this.dims, this.steps, indices);
    const place = flat < 0 ? -1 : flat;
    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
    this.array[place] = value;
  }

  fill(value: number): void {
    fillStridedF32(this, value);
  }

  copyFrom(source: CopySource<"float32">): void {
    copyStridedF32(this, source);
  }
}

/** A strided map over places known to lie in the array; without `set` unless writable. */
function makeStridedF32(
  array: Float32Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], strides: readonly number[], writable: boolean,
): StridedMap<"float32", number> {
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0] = strides;
  switch (isSmallStrided(array.length, dims, strides) ? dims.length : -1) {
    case 0:
      if (!writable) return new ConstStridedScalarF32(array, base, owner) as unknown as StridedMap<"float32", number>;
      return new StridedScalarF32(array, base, owner);
    case 1:
      if (!writable) return new ConstStridedVecF32(array, base, owner, d0, s0) as unknown as StridedMap<"float32", number>;
      return new StridedVecF32(array, base, owner, d0, s0);
    case 2:
      if (!writable) return new ConstStridedMatrixF32(array, base, owner, d0, d1, s0, s1) as unknown as StridedMap<"float32", number>;
      return new StridedMatrixF32(array, base, owner, d0, d1, s0, s1);
    case 3:
      if (!writable) return new ConstStridedTensor3F32(array, base, owner, d0, d1, d2, s0, s1, s2) as unknown as StridedMap<"float32", number>;
      return new StridedTensor3F32(array, base, owner, d0, d1, d2, s0, s1, s2);
    case 4:
      if (!writable) return new ConstStridedTensor4F32(array, base, owner, d0, d1, d2, d3, s0, s1, s2, s3) as unknown as StridedMap<"float32", number>;
      return new StridedTensor4F32(array, base, owner, d0, d1, d2, d3, s0, s1, s2, s3);
    case 5:
      if (!writable) return new ConstStridedTensor5F32(array, base, owner, d0, d1, d2, d3, d4, s0, s1, s2, s3, s4) as unknown as StridedMap<"float32", number>;
      return new StridedTensor5F32(array, base, owner, d0, d1, d2, d3, d4, s0, s1, s2, s3, s4);
    case 6:
      if (!writable) return new ConstStridedTensor6F32(array, base, owner, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5) as unknown as StridedMap<"float32", number>;
      return new StridedTensor6F32(array, base, owner, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5);
    default:
      if (!writable) return new ConstStridedGeneralF32(array, base, owner, dims.slice(), strides.slice()) as unknown as StridedMap<"float32", number>;
      return new StridedGeneralF32(array, base, owner, dims.slice(), strides.slice());
  }
}

/** Makes maps of float32. */
export const kindF32: TensorMapKind<"float32"> = {
    dtype: "float32",
    scalar(array, base, owner) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || !(base + 1 <= array.length) || array.length > 0x3ffffffe) {
        return makeF32(array, base, owner, []) as unknown as TensorMap<"float32", 0>;
      }
      return new ScalarF32(array, base, owner);
    },
    vec(array, base, owner, d0) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || !(base + d0 <= array.length) || array.length > 0x3ffffffe) {
        return makeF32(array, base, owner, [d0]) as unknown as TensorMap<"float32", 1>;
      }
      return new VecF32(array, base, owner, d0);
    },
    matrix(array, base, owner, d0, d1) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || !(base + d0 * d1 <= array.length) || array.length > 0x3ffffffe) {
        return makeF32(array, base, owner, [d0, d1]) as unknown as TensorMap<"float32", 2>;
      }
      return new MatrixF32(array, base, owner, d0, d1);
    },
    tensor3(array, base, owner, d0, d1, d2) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || !(base + d0 * d1 * d2 <= array.length) || array.length > 0x3ffffffe) {
        return makeF32(array, base, owner, [d0, d1, d2]) as unknown as TensorMap<"float32", 3>;
      }
      return new Tensor3F32(array, base, owner, d0, d1, d2);
    },
    tensor4(array, base, owner, d0, d1, d2, d3) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || !(base + d0 * d1 * d2 * d3 <= array.length) || array.length > 0x3ffffffe) {
        return makeF32(array, base, owner, [d0, d1, d2, d3]) as unknown as TensorMap<"float32", 4>;
      }
      return new Tensor4F32(array, base, owner, d0, d1, d2, d3);
    },
    tensor5(array, base, owner, d0, d1, d2, d3, d4) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || typeof d4 !== "number" || (d4 & 0x3fffffff) !== d4 || !(base + d0 * d1 * d2 * d3 * d4 <= array.length) || array.length > 0x3ffffffe) {
        return makeF32(array, base, owner, [d0, d1, d2, d3, d4]) as unknown as TensorMap<"float32", 5>;
      }
      return new Tensor5F32(array, base, owner, d0, d1, d2, d3, d4);
    },
    tensor6(array, base, owner, d0, d1, d2, d3, d4, d5) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || typeof d4 !== "number" || (d4 & 0x3fffffff) !== d4 || typeof d5 !== "number" || (d5 & 0x3fffffff) !== d5 || !(base + d0 * d1 * d2 * d3 * d4 * d5 <= array.length) || array.length > 0x3ffffffe) {
        return makeF32(array, base, owner, [d0, d1, d2, d3, d4, d5]) as unknown as TensorMap<"float32", 6>;
      }
      return new Tensor6F32(array, base, owner, d0, d1, d2, d3, d4, d5);
    },
    general(array, base, owner, dims) {
      return makeF32(array, base, owner, dims);
    },
    strided(array, offset, owner, dims, strides) {
      const g = checkStrides("float32", array.length, offset, 1, dims, strides, true);
      return makeStridedF32(array, g.offset, owner, g.dims, g.strides, true);
    },
    constStrided(array, offset, owner, dims, strides) {
      const g = checkStrides("float32", array.length, offset, 1, dims, strides, false);
      return makeStridedF32(array, g.offset, owner, g.dims, g.strides, false);
    },
  };
