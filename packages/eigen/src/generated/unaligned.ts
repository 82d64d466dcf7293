// Maps of every raw dtype at any byte offset. Written by tools/generate-tensor-maps.mjs: change the templates there, not this file.
// The methods are documented in tensor-map.ts.
import type { ElementOf, RawDType } from "@onebuffer/base";
import type { Bytewise } from "../bytewise.ts";
import { copyElements } from "../copy-elements.ts";
import { accessError, checkAlive, checkStore, dimensionError, goneError, storeError } from "../map-errors.ts";
import { checkGeometry, chipAxis, chipStart, flatIndex, product } from "../map-geometry.ts";
import type { MemoryOwner } from "../memory-owner.ts";
import { stridedIndex } from "../strided-bounds.ts";
import { isSmallStrided } from "../strided-geometry.ts";
import { StridedMapBase } from "../strided-map-base.ts";
import { StridedWalk, forEachRow } from "../strided-walk.ts";
import type { ConstStridedMap, ConstTensorMap, CopySource, StridedMap, TensorMap } from "../tensor-map.ts";
import { TensorMapBase } from "../tensor-map-base.ts";

/** What the maps of this storage kind share. */
abstract class MapUnaligned<D extends RawDType, R extends number> extends TensorMapBase<D, R> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly codec: Bytewise<D>;

  get dtype(): D {
    return this.codec.dtype;
  }

  override get slots(): number {
    return this.codec.bytes;
  }

  override get start(): number {
    return this.base;
  }

  protected override get bytewise(): boolean {
    return true;
  }

  /** The elements in row-major order. */
  *[Symbol.iterator](): IterableIterator<ElementOf<D>> {
    const size = this.size;
    checkAlive(this);
    for (let n = 0; n < size; n++) {
      const place = this.base + n * this.codec.bytes;
      if (this.owner.refs === 0 || place >= this.array.length) throw goneError(this);
      yield this.codec.read(place);
    }
  }

  protected override withStrides(offset: number, dims: readonly number[], strides: readonly number[]): StridedMap<D, number> {
    return makeStridedUnaligned(this.array, offset * this.codec.bytes, this.owner, dims, strides, this.codec, "set" in this);
  }
}

/** Stores a checked value at a flat index. */
function storeUnaligned<D extends RawDType>(map: MapUnaligned<D, number>, index: number, value: ElementOf<D>): void {
  map.codec.write(map.base + index * map.codec.bytes, value);
}

/** Stores one value everywhere. */
function fillUnaligned<D extends RawDType>(map: MapUnaligned<D, number>, value: ElementOf<D>): void {
  checkStore(map, value);
  const size = map.size;
  for (let index = 0; index < size; index++) storeUnaligned(map, index, value);
}

/** One element, read-only. */
class ConstScalarUnaligned<D extends RawDType> extends MapUnaligned<D, 0> implements ConstTensorMap<D, 0> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.codec = codec;
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

  at(): ElementOf<D> {
    const place =
      arguments.length === 0 && this.owner.refs !== 0
        ? this.base
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [], arguments.length);
    return this.codec.read(place);
  }

  chip(offset: number, dim: number = 0): never {
    chipStart(this, offset, chipAxis(this, dim));
    throw accessError(this, []);
  }

  /** This map, read-only. */
  asConst(): ConstScalarUnaligned<D> {
    return this;
  }
}

/** One element. */
class ScalarUnaligned<D extends RawDType> extends ConstScalarUnaligned<D> implements TensorMap<D, 0> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, codec: Bytewise<D>) {
    super(array, base, owner, codec);
  }

  set(value: ElementOf<D>): void {
    const place =
      arguments.length === 1 && this.owner.refs !== 0
        ? this.base
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyElements(this, source, (index: number, value: ElementOf<D>) => storeUnaligned(this, index, value));
  }

  override asConst(): ConstScalarUnaligned<D> {
    return new ConstScalarUnaligned(this.array, this.base, this.owner, this.codec);
  }
}

/** Rank 1, read-only. */
class ConstVecUnaligned<D extends RawDType> extends MapUnaligned<D, 1> implements ConstTensorMap<D, 1> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.codec = codec;
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

  at(i: number): ElementOf<D> {
    const place =
      arguments.length === 1 && typeof i === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0
        ? (this.base + Math.imul(i, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i], arguments.length);
    return this.codec.read(place);
  }

  chip(offset: number, dim: number = 0): ConstScalarUnaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.codec.bytes;
      return new ConstScalarUnaligned(this.array, start, this.owner, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    return new ConstScalarUnaligned(this.array, start, this.owner, this.codec);
  }

  /** This map, read-only. */
  asConst(): ConstVecUnaligned<D> {
    return this;
  }
}

/** Rank 1. */
class VecUnaligned<D extends RawDType> extends ConstVecUnaligned<D> implements TensorMap<D, 1> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, codec: Bytewise<D>) {
    super(array, base, owner, d0, codec);
  }

  set(i: number, value: ElementOf<D>): void {
    const place =
      arguments.length === 2 && typeof i === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0
        ? (this.base + Math.imul(i, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyElements(this, source, (index: number, value: ElementOf<D>) => storeUnaligned(this, index, value));
  }

  override chip(offset: number, dim: number = 0): ScalarUnaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.codec.bytes;
      return new ScalarUnaligned(this.array, start, this.owner, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    return new ScalarUnaligned(this.array, start, this.owner, this.codec);
  }

  override asConst(): ConstVecUnaligned<D> {
    return new ConstVecUnaligned(this.array, this.base, this.owner, this.d0, this.codec);
  }
}

/** Rank 2, read-only. */
class ConstMatrixUnaligned<D extends RawDType> extends MapUnaligned<D, 2> implements ConstTensorMap<D, 2> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.codec = codec;
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

  at(i: number, j: number): ElementOf<D> {
    const inner = this.d1;
    const place =
      arguments.length === 2 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j
        ? (this.base + Math.imul(Math.imul(i, inner) + j, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j], arguments.length);
    return this.codec.read(place);
  }

  chip(offset: number, dim: number = 0): ConstVecUnaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.codec.bytes;
      return new ConstVecUnaligned(this.array, start, this.owner, this.d1, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    if (axis === 1) return new ConstVecUnaligned(this.array, start, this.owner, this.d0, this.codec);
    return new ConstVecUnaligned(this.array, start, this.owner, this.d1, this.codec);
  }

  /** This map, read-only. */
  asConst(): ConstMatrixUnaligned<D> {
    return this;
  }
}

/** Rank 2. */
class MatrixUnaligned<D extends RawDType> extends ConstMatrixUnaligned<D> implements TensorMap<D, 2> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, codec: Bytewise<D>) {
    super(array, base, owner, d0, d1, codec);
  }

  set(i: number, j: number, value: ElementOf<D>): void {
    const inner = this.d1;
    const place =
      arguments.length === 3 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j
        ? (this.base + Math.imul(Math.imul(i, inner) + j, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyElements(this, source, (index: number, value: ElementOf<D>) => storeUnaligned(this, index, value));
  }

  override chip(offset: number, dim: number = 0): VecUnaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.codec.bytes;
      return new VecUnaligned(this.array, start, this.owner, this.d1, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    if (axis === 1) return new VecUnaligned(this.array, start, this.owner, this.d0, this.codec);
    return new VecUnaligned(this.array, start, this.owner, this.d1, this.codec);
  }

  override asConst(): ConstMatrixUnaligned<D> {
    return new ConstMatrixUnaligned(this.array, this.base, this.owner, this.d0, this.d1, this.codec);
  }
}

/** Rank 3, read-only. */
class ConstTensor3Unaligned<D extends RawDType> extends MapUnaligned<D, 3> implements ConstTensorMap<D, 3> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.codec = codec;
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

  at(i: number, j: number, k: number): ElementOf<D> {
    const inner = this.d2;
    const place =
      arguments.length === 3 && typeof i === "number" && typeof j === "number" && typeof k === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < inner && (k | 0) === k
        ? (this.base + Math.imul(Math.imul(Math.imul(i, this.d1) + j, inner) + k, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j, k], arguments.length);
    return this.codec.read(place);
  }

  chip(offset: number, dim: number = 0): ConstMatrixUnaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.codec.bytes;
      return new ConstMatrixUnaligned(this.array, start, this.owner, this.d1, this.d2, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    if (axis === 1) return new ConstMatrixUnaligned(this.array, start, this.owner, this.d0, this.d2, this.codec);
    if (axis === 2) return new ConstMatrixUnaligned(this.array, start, this.owner, this.d0, this.d1, this.codec);
    return new ConstMatrixUnaligned(this.array, start, this.owner, this.d1, this.d2, this.codec);
  }

  /** This map, read-only. */
  asConst(): ConstTensor3Unaligned<D> {
    return this;
  }
}

/** Rank 3. */
class Tensor3Unaligned<D extends RawDType> extends ConstTensor3Unaligned<D> implements TensorMap<D, 3> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, codec: Bytewise<D>) {
    super(array, base, owner, d0, d1, d2, codec);
  }

  set(i: number, j: number, k: number, value: ElementOf<D>): void {
    const inner = this.d2;
    const place =
      arguments.length === 4 && typeof i === "number" && typeof j === "number" && typeof k === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < inner && (k | 0) === k
        ? (this.base + Math.imul(Math.imul(Math.imul(i, this.d1) + j, inner) + k, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyElements(this, source, (index: number, value: ElementOf<D>) => storeUnaligned(this, index, value));
  }

  override chip(offset: number, dim: number = 0): MatrixUnaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.codec.bytes;
      return new MatrixUnaligned(this.array, start, this.owner, this.d1, this.d2, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    if (axis === 1) return new MatrixUnaligned(this.array, start, this.owner, this.d0, this.d2, this.codec);
    if (axis === 2) return new MatrixUnaligned(this.array, start, this.owner, this.d0, this.d1, this.codec);
    return new MatrixUnaligned(this.array, start, this.owner, this.d1, this.d2, this.codec);
  }

  override asConst(): ConstTensor3Unaligned<D> {
    return new ConstTensor3Unaligned(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.codec);
  }
}

/** Rank 4, read-only. */
class ConstTensor4Unaligned<D extends RawDType> extends MapUnaligned<D, 4> implements ConstTensorMap<D, 4> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.codec = codec;
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

  at(i: number, j: number, k: number, l: number): ElementOf<D> {
    const inner = this.d3;
    const place =
      arguments.length === 4 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < inner && (l | 0) === l
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, inner) + l, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j, k, l], arguments.length);
    return this.codec.read(place);
  }

  chip(offset: number, dim: number = 0): ConstTensor3Unaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.codec.bytes;
      return new ConstTensor3Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    if (axis === 1) return new ConstTensor3Unaligned(this.array, start, this.owner, this.d0, this.d2, this.d3, this.codec);
    if (axis === 2) return new ConstTensor3Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d3, this.codec);
    if (axis === 3) return new ConstTensor3Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.codec);
    return new ConstTensor3Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.codec);
  }

  /** This map, read-only. */
  asConst(): ConstTensor4Unaligned<D> {
    return this;
  }
}

/** Rank 4. */
class Tensor4Unaligned<D extends RawDType> extends ConstTensor4Unaligned<D> implements TensorMap<D, 4> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, codec: Bytewise<D>) {
    super(array, base, owner, d0, d1, d2, d3, codec);
  }

  set(i: number, j: number, k: number, l: number, value: ElementOf<D>): void {
    const inner = this.d3;
    const place =
      arguments.length === 5 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < inner && (l | 0) === l
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, inner) + l, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyElements(this, source, (index: number, value: ElementOf<D>) => storeUnaligned(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor3Unaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.codec.bytes;
      return new Tensor3Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    if (axis === 1) return new Tensor3Unaligned(this.array, start, this.owner, this.d0, this.d2, this.d3, this.codec);
    if (axis === 2) return new Tensor3Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d3, this.codec);
    if (axis === 3) return new Tensor3Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.codec);
    return new Tensor3Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.codec);
  }

  override asConst(): ConstTensor4Unaligned<D> {
    return new ConstTensor4Unaligned(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.codec);
  }
}

/** Rank 5, read-only. */
class ConstTensor5Unaligned<D extends RawDType> extends MapUnaligned<D, 5> implements ConstTensorMap<D, 5> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.d4 = d4;
    this.codec = codec;
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

  at(i: number, j: number, k: number, l: number, m: number): ElementOf<D> {
    const inner = this.d4;
    const place =
      arguments.length === 5 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < inner && (m | 0) === m
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, this.d3) + l, inner) + m, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j, k, l, m], arguments.length);
    return this.codec.read(place);
  }

  chip(offset: number, dim: number = 0): ConstTensor4Unaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.codec.bytes;
      return new ConstTensor4Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    if (axis === 1) return new ConstTensor4Unaligned(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.codec);
    if (axis === 2) return new ConstTensor4Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.codec);
    if (axis === 3) return new ConstTensor4Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.codec);
    if (axis === 4) return new ConstTensor4Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.codec);
    return new ConstTensor4Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.codec);
  }

  /** This map, read-only. */
  asConst(): ConstTensor5Unaligned<D> {
    return this;
  }
}

/** Rank 5. */
class Tensor5Unaligned<D extends RawDType> extends ConstTensor5Unaligned<D> implements TensorMap<D, 5> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, codec: Bytewise<D>) {
    super(array, base, owner, d0, d1, d2, d3, d4, codec);
  }

  set(i: number, j: number, k: number, l: number, m: number, value: ElementOf<D>): void {
    const inner = this.d4;
    const place =
      arguments.length === 6 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < inner && (m | 0) === m
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, this.d3) + l, inner) + m, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l, m], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyElements(this, source, (index: number, value: ElementOf<D>) => storeUnaligned(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor4Unaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.codec.bytes;
      return new Tensor4Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    if (axis === 1) return new Tensor4Unaligned(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.codec);
    if (axis === 2) return new Tensor4Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.codec);
    if (axis === 3) return new Tensor4Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.codec);
    if (axis === 4) return new Tensor4Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.codec);
    return new Tensor4Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.codec);
  }

  override asConst(): ConstTensor5Unaligned<D> {
    return new ConstTensor5Unaligned(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.codec);
  }
}

/** Rank 6, read-only. */
class ConstTensor6Unaligned<D extends RawDType> extends MapUnaligned<D, 6> implements ConstTensorMap<D, 6> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly d5: number;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, codec: Bytewise<D>) {
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
    this.codec = codec;
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

  at(i: number, j: number, k: number, l: number, m: number, n: number): ElementOf<D> {
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
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, this.d3) + l, this.d4) + m, inner) + n, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j, k, l, m, n], arguments.length);
    return this.codec.read(place);
  }

  chip(offset: number, dim: number = 0): ConstTensor5Unaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.d5 * this.codec.bytes;
      return new ConstTensor5Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    if (axis === 1) return new ConstTensor5Unaligned(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.d5, this.codec);
    if (axis === 2) return new ConstTensor5Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.d5, this.codec);
    if (axis === 3) return new ConstTensor5Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.d5, this.codec);
    if (axis === 4) return new ConstTensor5Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d5, this.codec);
    if (axis === 5) return new ConstTensor5Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.codec);
    return new ConstTensor5Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.codec);
  }

  /** This map, read-only. */
  asConst(): ConstTensor6Unaligned<D> {
    return this;
  }
}

/** Rank 6. */
class Tensor6Unaligned<D extends RawDType> extends ConstTensor6Unaligned<D> implements TensorMap<D, 6> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, codec: Bytewise<D>) {
    super(array, base, owner, d0, d1, d2, d3, d4, d5, codec);
  }

  set(i: number, j: number, k: number, l: number, m: number, n: number, value: ElementOf<D>): void {
    const inner = this.d5;
    const place =
      arguments.length === 7 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" && typeof n === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < this.d4 && (m | 0) === m &&
      n >>> 0 < inner && (n | 0) === n
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, this.d3) + l, this.d4) + m, inner) + n, this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l, m, n], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyElements(this, source, (index: number, value: ElementOf<D>) => storeUnaligned(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor5Unaligned<D> {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.d5 * this.codec.bytes;
      return new Tensor5Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.codec);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    if (axis === 1) return new Tensor5Unaligned(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.d5, this.codec);
    if (axis === 2) return new Tensor5Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.d5, this.codec);
    if (axis === 3) return new Tensor5Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.d5, this.codec);
    if (axis === 4) return new Tensor5Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d5, this.codec);
    if (axis === 5) return new Tensor5Unaligned(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.codec);
    return new Tensor5Unaligned(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.codec);
  }

  override asConst(): ConstTensor6Unaligned<D> {
    return new ConstTensor6Unaligned(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.d5, this.codec);
  }
}

/** Any rank, read-only. */
class ConstGeneralUnaligned<D extends RawDType> extends MapUnaligned<D, number> implements ConstTensorMap<D, number> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    this.codec = codec;
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

  at(...indices: readonly number[]): ElementOf<D> {
    const flat = this.owner.refs === 0 ? -1 : flatIndex(this.dims, indices);
    const place = flat < 0 ? -1 : this.base + flat * this.codec.bytes;
    if (place < 0 || place >= this.array.length) throw accessError(this, indices);
    return this.codec.read(place);
  }

  chip(offset: number, dim: number = 0): ConstTensorMap<D, number> {
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    return makeUnaligned<D>(this.array, start, this.owner, this.dims.filter((_, d) => d !== axis), this.codec).asConst();
  }

  asConst(): ConstGeneralUnaligned<D> {
    return this;
  }
}

/** Any rank. */
class GeneralUnaligned<D extends RawDType> extends ConstGeneralUnaligned<D> implements TensorMap<D, number> {
  set(...args: [...indices: readonly number[], value: ElementOf<D>]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as ElementOf<D>;
    const flat = this.owner.refs === 0 ? -1 : flatIndex(this.dims, indices);
    const place = flat < 0 ? -1 : this.base + flat * this.codec.bytes;
    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyElements(this, source, (index: number, value: ElementOf<D>) => storeUnaligned(this, index, value));
  }

  override chip(offset: number, dim: number = 0): TensorMap<D, number> {
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis) * this.codec.bytes;
    return makeUnaligned<D>(this.array, start, this.owner, this.dims.filter((_, d) => d !== axis), this.codec);
  }

  override asConst(): ConstGeneralUnaligned<D> {
    return new ConstGeneralUnaligned(this.array, this.base, this.owner, this.dims, this.codec);
  }
}

/** A map of any rank. Throws INVALID_ARGUMENT if it does not fit the array. */
export function makeUnaligned<D extends RawDType>(
  array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], codec: Bytewise<D>,
): TensorMap<D, number> {
  const small = checkGeometry(codec.dtype, array.length, base, 1, codec.bytes, dims);
  if (!small) return new GeneralUnaligned<D>(array, base, owner, dims.slice(), codec) as unknown as TensorMap<D, number>;
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  switch (dims.length) {
    case 0:
      return new ScalarUnaligned(array, base, owner, codec) as unknown as TensorMap<D, number>;
    case 1:
      return new VecUnaligned(array, base, owner, d0, codec) as unknown as TensorMap<D, number>;
    case 2:
      return new MatrixUnaligned(array, base, owner, d0, d1, codec) as unknown as TensorMap<D, number>;
    case 3:
      return new Tensor3Unaligned(array, base, owner, d0, d1, d2, codec) as unknown as TensorMap<D, number>;
    case 4:
      return new Tensor4Unaligned(array, base, owner, d0, d1, d2, d3, codec) as unknown as TensorMap<D, number>;
    case 5:
      return new Tensor5Unaligned(array, base, owner, d0, d1, d2, d3, d4, codec) as unknown as TensorMap<D, number>;
    case 6:
      return new Tensor6Unaligned(array, base, owner, d0, d1, d2, d3, d4, d5, codec) as unknown as TensorMap<D, number>;
    default:
      return new GeneralUnaligned<D>(array, base, owner, dims.slice(), codec) as unknown as TensorMap<D, number>;
  }
}

/** What the strided maps of this storage kind share. */
abstract class StridedUnaligned<D extends RawDType, R extends number> extends StridedMapBase<D, R> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly codec: Bytewise<D>;

  get dtype(): D {
    return this.codec.dtype;
  }

  override get slots(): number {
    return this.codec.bytes;
  }

  override get offset(): number {
    return this.base / this.codec.bytes;
  }

  /** The elements in row-major order. */
  *[Symbol.iterator](): IterableIterator<ElementOf<D>> {
    const size = this.size;
    checkAlive(this);
    const walk = new StridedWalk(this.geometry);
    for (let n = 0; n < size; n++) {
      const place = walk.place * this.codec.bytes;
      if (this.owner.refs === 0 || place >= this.array.length) throw goneError(this);
      yield this.codec.read(place);
      walk.next();
    }
  }

  protected override withStrides(
    offset: number, dims: readonly number[], strides: readonly number[], writable: boolean,
  ): StridedMap<D, number> {
    return makeStridedUnaligned(this.array, offset * this.codec.bytes, this.owner, dims, strides, this.codec, writable);
  }

  protected override withoutStrides(dims: readonly number[]): TensorMap<D, number> {
    return makeUnaligned<D>(this.array, this.base, this.owner, dims, this.codec);
  }
}

/** Stores a checked value at a place, counted in elements. */
function storeStridedUnaligned<D extends RawDType>(map: StridedUnaligned<D, number>, place: number, value: ElementOf<D>): void {
  map.codec.write(place * map.codec.bytes, value);
}

/** Stores one value everywhere. */
function fillStridedUnaligned<D extends RawDType>(map: StridedUnaligned<D, number>, value: ElementOf<D>): void {
  checkStore(map, value);
  forEachRow(map.geometry, (place, count, stride) => {
    for (let n = 0; n < count; n++) storeStridedUnaligned(map, place + n * stride, value);
  });
}

/** Stores the elements of a source in row-major order. */
function copyStridedUnaligned<D extends RawDType>(map: StridedUnaligned<D, number>, source: CopySource<D>): void {
  const next = map.places();
  copyElements(map, source, (_: number, value: ElementOf<D>) => storeStridedUnaligned<D>(map, next(), value));
}

/** One element, read-only. */
class ConstStridedScalarUnaligned<D extends RawDType> extends StridedUnaligned<D, 0> implements ConstStridedMap<D, 0> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.codec = codec;
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

  at(): ElementOf<D> {
    const place =
      arguments.length === 0 && this.owner.refs !== 0
        ? this.base
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [], arguments.length);
    return this.codec.read(place);
  }
}

/** One element. */
class StridedScalarUnaligned<D extends RawDType> extends ConstStridedScalarUnaligned<D> implements StridedMap<D, 0> {
  set(value: ElementOf<D>): void {
    const place =
      arguments.length === 1 && this.owner.refs !== 0
        ? this.base
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillStridedUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyStridedUnaligned(this, source);
  }
}

/** Rank 1 with strides, read-only. */
class ConstStridedVecUnaligned<D extends RawDType> extends StridedUnaligned<D, 1> implements ConstStridedMap<D, 1> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly s0: number;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, s0: number, codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.s0 = s0;
    this.codec = codec;
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

  at(i: number): ElementOf<D> {
    const inner = this.d0;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 1 && typeof i === "number" &&
      i >>> 0 < inner && (i | 0) === i &&
      this.owner.refs !== 0
        ? (base + Math.imul(Math.imul(i, s0), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i], arguments.length);
    return this.codec.read(place);
  }
}

/** Rank 1 with strides. */
class StridedVecUnaligned<D extends RawDType> extends ConstStridedVecUnaligned<D> implements StridedMap<D, 1> {
  set(i: number, value: ElementOf<D>): void {
    const inner = this.d0;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 2 && typeof i === "number" &&
      i >>> 0 < inner && (i | 0) === i &&
      this.owner.refs !== 0
        ? (base + Math.imul(Math.imul(i, s0), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillStridedUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyStridedUnaligned(this, source);
  }
}

/** Rank 2 with strides, read-only. */
class ConstStridedMatrixUnaligned<D extends RawDType> extends StridedUnaligned<D, 2> implements ConstStridedMap<D, 2> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, s0: number, s1: number, codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.s0 = s0;
    this.s1 = s1;
    this.codec = codec;
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

  at(i: number, j: number): ElementOf<D> {
    const inner = this.d1;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 2 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j
        ? (base + Math.imul(Math.imul(i, s0) + Math.imul(j, s1), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j], arguments.length);
    return this.codec.read(place);
  }
}

/** Rank 2 with strides. */
class StridedMatrixUnaligned<D extends RawDType> extends ConstStridedMatrixUnaligned<D> implements StridedMap<D, 2> {
  set(i: number, j: number, value: ElementOf<D>): void {
    const inner = this.d1;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 3 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j
        ? (base + Math.imul(Math.imul(i, s0) + Math.imul(j, s1), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillStridedUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyStridedUnaligned(this, source);
  }
}

/** Rank 3 with strides, read-only. */
class ConstStridedTensor3Unaligned<D extends RawDType> extends StridedUnaligned<D, 3> implements ConstStridedMap<D, 3> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly s2: number;
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, s0: number, s1: number, s2: number, codec: Bytewise<D>) {
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
    this.codec = codec;
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

  at(i: number, j: number, k: number): ElementOf<D> {
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
        ? (base + Math.imul(Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j, k], arguments.length);
    return this.codec.read(place);
  }
}

/** Rank 3 with strides. */
class StridedTensor3Unaligned<D extends RawDType> extends ConstStridedTensor3Unaligned<D> implements StridedMap<D, 3> {
  set(i: number, j: number, k: number, value: ElementOf<D>): void {
    const inner = this.d2;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 4 && typeof i === "number" && typeof j === "number" && typeof k === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < inner && (k | 0) === k
        ? (base + Math.imul(Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillStridedUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyStridedUnaligned(this, source);
  }
}

/** Rank 4 with strides, read-only. */
class ConstStridedTensor4Unaligned<D extends RawDType> extends StridedUnaligned<D, 4> implements ConstStridedMap<D, 4> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
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
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, s0: number, s1: number, s2: number, s3: number, codec: Bytewise<D>) {
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
    this.codec = codec;
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

  at(i: number, j: number, k: number, l: number): ElementOf<D> {
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
        ? (base + Math.imul(Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j, k, l], arguments.length);
    return this.codec.read(place);
  }
}

/** Rank 4 with strides. */
class StridedTensor4Unaligned<D extends RawDType> extends ConstStridedTensor4Unaligned<D> implements StridedMap<D, 4> {
  set(i: number, j: number, k: number, l: number, value: ElementOf<D>): void {
    const inner = this.d3;
    const s3 = this.s3;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 5 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < inner && (l | 0) === l
        ? (base + Math.imul(Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillStridedUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyStridedUnaligned(this, source);
  }
}

/** Rank 5 with strides, read-only. */
class ConstStridedTensor5Unaligned<D extends RawDType> extends StridedUnaligned<D, 5> implements ConstStridedMap<D, 5> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
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
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, s0: number, s1: number, s2: number, s3: number, s4: number, codec: Bytewise<D>) {
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
    this.codec = codec;
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

  at(i: number, j: number, k: number, l: number, m: number): ElementOf<D> {
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
        ? (base + Math.imul(Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3) + Math.imul(m, s4), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j, k, l, m], arguments.length);
    return this.codec.read(place);
  }
}

/** Rank 5 with strides. */
class StridedTensor5Unaligned<D extends RawDType> extends ConstStridedTensor5Unaligned<D> implements StridedMap<D, 5> {
  set(i: number, j: number, k: number, l: number, m: number, value: ElementOf<D>): void {
    const inner = this.d4;
    const s4 = this.s4;
    const s3 = this.s3;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 6 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < inner && (m | 0) === m
        ? (base + Math.imul(Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3) + Math.imul(m, s4), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l, m], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillStridedUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyStridedUnaligned(this, source);
  }
}

/** Rank 6 with strides, read-only. */
class ConstStridedTensor6Unaligned<D extends RawDType> extends StridedUnaligned<D, 6> implements ConstStridedMap<D, 6> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
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
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, s0: number, s1: number, s2: number, s3: number, s4: number, s5: number, codec: Bytewise<D>) {
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
    this.codec = codec;
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

  at(i: number, j: number, k: number, l: number, m: number, n: number): ElementOf<D> {
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
        ? (base + Math.imul(Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3) + Math.imul(m, s4) + Math.imul(n, s5), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j, k, l, m, n], arguments.length);
    return this.codec.read(place);
  }
}

/** Rank 6 with strides. */
class StridedTensor6Unaligned<D extends RawDType> extends ConstStridedTensor6Unaligned<D> implements StridedMap<D, 6> {
  set(i: number, j: number, k: number, l: number, m: number, n: number, value: ElementOf<D>): void {
    const inner = this.d5;
    const s5 = this.s5;
    const s4 = this.s4;
    const s3 = this.s3;
    const s2 = this.s2;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 7 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" && typeof n === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < this.d4 && (m | 0) === m &&
      n >>> 0 < inner && (n | 0) === n
        ? (base + Math.imul(Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3) + Math.imul(m, s4) + Math.imul(n, s5), this.codec.bytes)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l, m, n], value, arguments.length - 1);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillStridedUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyStridedUnaligned(this, source);
  }
}

/** Any rank with strides, read-only. */
class ConstStridedGeneralUnaligned<D extends RawDType> extends StridedUnaligned<D, number> implements ConstStridedMap<D, number> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];
  declare readonly steps: readonly number[];
  declare readonly codec: Bytewise<D>;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], steps: readonly number[], codec: Bytewise<D>) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    this.steps = steps;
    this.codec = codec;
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

  at(...indices: readonly number[]): ElementOf<D> {
    const flat = this.owner.refs === 0 ? -1 : stridedIndex(this.offset, this.dims, this.steps, indices);
    const place = flat < 0 ? -1 : flat * this.codec.bytes;
    if (place < 0 || place >= this.array.length) throw accessError(this, indices);
    return this.codec.read(place);
  }
}

/** Any rank with strides. */
class StridedGeneralUnaligned<D extends RawDType> extends ConstStridedGeneralUnaligned<D> implements StridedMap<D, number> {
  set(...args: [...indices: readonly number[], value: ElementOf<D>]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as ElementOf<D>;
    const flat = this.owner.refs === 0 ? -1 : stridedIndex(this.offset, this.dims, this.steps, indices);
    const place = flat < 0 ? -1 : flat * this.codec.bytes;
    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
    this.codec.write(place, value);
  }

  fill(value: ElementOf<D>): void {
    fillStridedUnaligned(this, value);
  }

  copyFrom(source: CopySource<D>): void {
    copyStridedUnaligned(this, source);
  }
}

/** A strided map over places known to lie in the array; without `set` unless writable. */
function makeStridedUnaligned<D extends RawDType>(
  array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], strides: readonly number[], codec: Bytewise<D>, writable: boolean,
): StridedMap<D, number> {
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0] = strides;
  switch (isSmallStrided(array.length, dims, strides) ? dims.length : -1) {
    case 0:
      if (!writable) return new ConstStridedScalarUnaligned(array, base, owner, codec) as unknown as StridedMap<D, number>;
      return new StridedScalarUnaligned(array, base, owner, codec) as unknown as StridedMap<D, number>;
    case 1:
      if (!writable) return new ConstStridedVecUnaligned(array, base, owner, d0, s0, codec) as unknown as StridedMap<D, number>;
      return new StridedVecUnaligned(array, base, owner, d0, s0, codec) as unknown as StridedMap<D, number>;
    case 2:
      if (!writable) return new ConstStridedMatrixUnaligned(array, base, owner, d0, d1, s0, s1, codec) as unknown as StridedMap<D, number>;
      return new StridedMatrixUnaligned(array, base, owner, d0, d1, s0, s1, codec) as unknown as StridedMap<D, number>;
    case 3:
      if (!writable) return new ConstStridedTensor3Unaligned(array, base, owner, d0, d1, d2, s0, s1, s2, codec) as unknown as StridedMap<D, number>;
      return new StridedTensor3Unaligned(array, base, owner, d0, d1, d2, s0, s1, s2, codec) as unknown as StridedMap<D, number>;
    case 4:
      if (!writable) return new ConstStridedTensor4Unaligned(array, base, owner, d0, d1, d2, d3, s0, s1, s2, s3, codec) as unknown as StridedMap<D, number>;
      return new StridedTensor4Unaligned(array, base, owner, d0, d1, d2, d3, s0, s1, s2, s3, codec) as unknown as StridedMap<D, number>;
    case 5:
      if (!writable) return new ConstStridedTensor5Unaligned(array, base, owner, d0, d1, d2, d3, d4, s0, s1, s2, s3, s4, codec) as unknown as StridedMap<D, number>;
      return new StridedTensor5Unaligned(array, base, owner, d0, d1, d2, d3, d4, s0, s1, s2, s3, s4, codec) as unknown as StridedMap<D, number>;
    case 6:
      if (!writable) return new ConstStridedTensor6Unaligned(array, base, owner, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, codec) as unknown as StridedMap<D, number>;
      return new StridedTensor6Unaligned(array, base, owner, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, codec) as unknown as StridedMap<D, number>;
    default:
      if (!writable) return new ConstStridedGeneralUnaligned(array, base, owner, dims.slice(), strides.slice(), codec) as unknown as StridedMap<D, number>;
      return new StridedGeneralUnaligned(array, base, owner, dims.slice(), strides.slice(), codec) as unknown as StridedMap<D, number>;
  }
}
