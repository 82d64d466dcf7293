// Maps of float8_e5m2, float8_e4m3fn, float8_e4m3fnuz, float8_e4m3b11fnuz, float8_e5m2fnuz, float4_e2m1fn. Written by tools/generate-tensor-maps.mjs: change the templates there, not this file.
// The methods are documented in tensor-map.ts.
import { copyElements } from "../copy-elements.ts";
import { accessError, checkAlive, checkStore, dimensionError, goneError, storeError } from "../map-errors.ts";
import { checkGeometry, chipStart, flatIndex, product } from "../map-geometry.ts";
import type { MemoryOwner } from "../memory-owner.ts";
import { smallFormat } from "../small-format.ts";
import type { SmallFormat } from "../small-format.ts";
import { checkStrides, stridedIndex } from "../strided-bounds.ts";
import { isSmallStrided } from "../strided-geometry.ts";
import { StridedMapBase } from "../strided-map-base.ts";
import { StridedWalk, forEachRow } from "../strided-walk.ts";
import type { ConstStridedMap, ConstTensorMap, CopySource, StridedMap, TensorMap } from "../tensor-map.ts";
import { TensorMapBase } from "../tensor-map-base.ts";
import type { TensorMapKind } from "../tensor-map-kind.ts";

/** What the maps of this storage kind share. */
abstract class MapF8<R extends number> extends TensorMapBase<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", R> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  get dtype(): "float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn" {
    return this.format.dtype;
  }

  /** The elements in row-major order. */
  *[Symbol.iterator](): IterableIterator<number> {
    const size = this.size;
    checkAlive(this);
    for (let n = 0; n < size; n++) {
      const raw = this.array[this.base + n];
      if (this.owner.refs === 0 || raw === undefined) throw goneError(this);
      yield this.format.table[raw & 0xff] as number;
    }
  }

  protected override withStrides(offset: number, dims: readonly number[], strides: readonly number[]): StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
    return makeStridedF8(this.array, offset, this.owner, dims, strides, this.format, "set" in this);
  }
}

/** Stores a checked value at a flat index. */
function storeF8(map: MapF8<number>, index: number, value: number): void {
  map.array[map.base + index] = map.format.encode(value);
}

/** Stores one value everywhere. */
function fillF8(map: MapF8<number>, value: number): void {
  checkStore(map, value);
  map.array.fill(map.format.encode(value), map.base, map.base + map.size);
}

/** One element, read-only. */
class ConstScalarF8 extends MapF8<0> implements ConstTensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 0> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }

  chip(offset: number, dim: number = 0): never {
    chipStart(this, offset, dim);
    throw accessError(this, []);
  }

  /** This map, read-only. */
  asConst(): ConstScalarF8 {
    return this;
  }
}

/** One element. */
class ScalarF8 extends ConstScalarF8 implements TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 0> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super(array, base, owner, format);
  }

  set(value: number): void {
    const array = this.array;
    const place =
      arguments.length === 1 && this.owner.refs !== 0 &&
      typeof value === "number"
        ? this.base
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [], value, arguments.length - 1);
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyElements(this, source, (index: number, value: number) => storeF8(this, index, value));
  }

  override asConst(): ConstScalarF8 {
    return new ConstScalarF8(this.array, this.base, this.owner, this.format);
  }
}

/** Rank 1, read-only. */
class ConstVecF8 extends MapF8<1> implements ConstTensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 1> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }

  chip(offset: number, dim: number = 0): ConstScalarF8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset;
      return new ConstScalarF8(this.array, start, this.owner, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    return new ConstScalarF8(this.array, start, this.owner, this.format);
  }

  /** This map, read-only. */
  asConst(): ConstVecF8 {
    return this;
  }
}

/** Rank 1. */
class VecF8 extends ConstVecF8 implements TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 1> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super(array, base, owner, d0, format);
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyElements(this, source, (index: number, value: number) => storeF8(this, index, value));
  }

  override chip(offset: number, dim: number = 0): ScalarF8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset;
      return new ScalarF8(this.array, start, this.owner, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    return new ScalarF8(this.array, start, this.owner, this.format);
  }

  override asConst(): ConstVecF8 {
    return new ConstVecF8(this.array, this.base, this.owner, this.d0, this.format);
  }
}

/** Rank 2, read-only. */
class ConstMatrixF8 extends MapF8<2> implements ConstTensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 2> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }

  chip(offset: number, dim: number = 0): ConstVecF8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1;
      return new ConstVecF8(this.array, start, this.owner, this.d1, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    if (dim === 1) return new ConstVecF8(this.array, start, this.owner, this.d0, this.format);
    return new ConstVecF8(this.array, start, this.owner, this.d1, this.format);
  }

  /** This map, read-only. */
  asConst(): ConstMatrixF8 {
    return this;
  }
}

/** Rank 2. */
class MatrixF8 extends ConstMatrixF8 implements TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 2> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super(array, base, owner, d0, d1, format);
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyElements(this, source, (index: number, value: number) => storeF8(this, index, value));
  }

  override chip(offset: number, dim: number = 0): VecF8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1;
      return new VecF8(this.array, start, this.owner, this.d1, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    if (dim === 1) return new VecF8(this.array, start, this.owner, this.d0, this.format);
    return new VecF8(this.array, start, this.owner, this.d1, this.format);
  }

  override asConst(): ConstMatrixF8 {
    return new ConstMatrixF8(this.array, this.base, this.owner, this.d0, this.d1, this.format);
  }
}

/** Rank 3, read-only. */
class ConstTensor3F8 extends MapF8<3> implements ConstTensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 3> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }

  chip(offset: number, dim: number = 0): ConstMatrixF8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2;
      return new ConstMatrixF8(this.array, start, this.owner, this.d1, this.d2, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    if (dim === 1) return new ConstMatrixF8(this.array, start, this.owner, this.d0, this.d2, this.format);
    if (dim === 2) return new ConstMatrixF8(this.array, start, this.owner, this.d0, this.d1, this.format);
    return new ConstMatrixF8(this.array, start, this.owner, this.d1, this.d2, this.format);
  }

  /** This map, read-only. */
  asConst(): ConstTensor3F8 {
    return this;
  }
}

/** Rank 3. */
class Tensor3F8 extends ConstTensor3F8 implements TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 3> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super(array, base, owner, d0, d1, d2, format);
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyElements(this, source, (index: number, value: number) => storeF8(this, index, value));
  }

  override chip(offset: number, dim: number = 0): MatrixF8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2;
      return new MatrixF8(this.array, start, this.owner, this.d1, this.d2, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    if (dim === 1) return new MatrixF8(this.array, start, this.owner, this.d0, this.d2, this.format);
    if (dim === 2) return new MatrixF8(this.array, start, this.owner, this.d0, this.d1, this.format);
    return new MatrixF8(this.array, start, this.owner, this.d1, this.d2, this.format);
  }

  override asConst(): ConstTensor3F8 {
    return new ConstTensor3F8(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.format);
  }
}

/** Rank 4, read-only. */
class ConstTensor4F8 extends MapF8<4> implements ConstTensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 4> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }

  chip(offset: number, dim: number = 0): ConstTensor3F8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3;
      return new ConstTensor3F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    if (dim === 1) return new ConstTensor3F8(this.array, start, this.owner, this.d0, this.d2, this.d3, this.format);
    if (dim === 2) return new ConstTensor3F8(this.array, start, this.owner, this.d0, this.d1, this.d3, this.format);
    if (dim === 3) return new ConstTensor3F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.format);
    return new ConstTensor3F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.format);
  }

  /** This map, read-only. */
  asConst(): ConstTensor4F8 {
    return this;
  }
}

/** Rank 4. */
class Tensor4F8 extends ConstTensor4F8 implements TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 4> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super(array, base, owner, d0, d1, d2, d3, format);
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyElements(this, source, (index: number, value: number) => storeF8(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor3F8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3;
      return new Tensor3F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    if (dim === 1) return new Tensor3F8(this.array, start, this.owner, this.d0, this.d2, this.d3, this.format);
    if (dim === 2) return new Tensor3F8(this.array, start, this.owner, this.d0, this.d1, this.d3, this.format);
    if (dim === 3) return new Tensor3F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.format);
    return new Tensor3F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.format);
  }

  override asConst(): ConstTensor4F8 {
    return new ConstTensor4F8(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.format);
  }
}

/** Rank 5, read-only. */
class ConstTensor5F8 extends MapF8<5> implements ConstTensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 5> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.d2 = d2;
    this.d3 = d3;
    this.d4 = d4;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }

  chip(offset: number, dim: number = 0): ConstTensor4F8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4;
      return new ConstTensor4F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    if (dim === 1) return new ConstTensor4F8(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.format);
    if (dim === 2) return new ConstTensor4F8(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.format);
    if (dim === 3) return new ConstTensor4F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.format);
    if (dim === 4) return new ConstTensor4F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.format);
    return new ConstTensor4F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.format);
  }

  /** This map, read-only. */
  asConst(): ConstTensor5F8 {
    return this;
  }
}

/** Rank 5. */
class Tensor5F8 extends ConstTensor5F8 implements TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 5> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super(array, base, owner, d0, d1, d2, d3, d4, format);
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyElements(this, source, (index: number, value: number) => storeF8(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor4F8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4;
      return new Tensor4F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    if (dim === 1) return new Tensor4F8(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.format);
    if (dim === 2) return new Tensor4F8(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.format);
    if (dim === 3) return new Tensor4F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.format);
    if (dim === 4) return new Tensor4F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.format);
    return new Tensor4F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.format);
  }

  override asConst(): ConstTensor5F8 {
    return new ConstTensor5F8(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.format);
  }
}

/** Rank 6, read-only. */
class ConstTensor6F8 extends MapF8<6> implements ConstTensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 6> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly d5: number;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
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
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }

  chip(offset: number, dim: number = 0): ConstTensor5F8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.d5;
      return new ConstTensor5F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    if (dim === 1) return new ConstTensor5F8(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.d5, this.format);
    if (dim === 2) return new ConstTensor5F8(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.d5, this.format);
    if (dim === 3) return new ConstTensor5F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.d5, this.format);
    if (dim === 4) return new ConstTensor5F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d5, this.format);
    if (dim === 5) return new ConstTensor5F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.format);
    return new ConstTensor5F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.format);
  }

  /** This map, read-only. */
  asConst(): ConstTensor6F8 {
    return this;
  }
}

/** Rank 6. */
class Tensor6F8 extends ConstTensor6F8 implements TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 6> {
  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super(array, base, owner, d0, d1, d2, d3, d4, d5, format);
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyElements(this, source, (index: number, value: number) => storeF8(this, index, value));
  }

  override chip(offset: number, dim: number = 0): Tensor5F8 {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.d5;
      return new Tensor5F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.format);
    }
    const start = this.base + chipStart(this, offset, dim);
    if (dim === 1) return new Tensor5F8(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.d5, this.format);
    if (dim === 2) return new Tensor5F8(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.d5, this.format);
    if (dim === 3) return new Tensor5F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.d5, this.format);
    if (dim === 4) return new Tensor5F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d5, this.format);
    if (dim === 5) return new Tensor5F8(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.format);
    return new Tensor5F8(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.format);
  }

  override asConst(): ConstTensor6F8 {
    return new ConstTensor6F8(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.d5, this.format);
  }
}

/** Any rank, read-only. */
class ConstGeneralF8 extends MapF8<number> implements ConstTensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }

  chip(offset: number, dim: number = 0): ConstTensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
    const start = this.base + chipStart(this, offset, dim);
    return makeF8(this.array, start, this.owner, this.dims.filter((_, d) => d !== dim), this.format).asConst();
  }

  asConst(): ConstGeneralF8 {
    return this;
  }
}

/** Any rank. */
class GeneralF8 extends ConstGeneralF8 implements TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
  set(...args: [...indices: readonly number[], value: number]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as number;
    const flat = this.owner.refs === 0 || !(typeof value === "number") ? -1 : flatIndex(this.dims, indices);
    const place = flat < 0 ? -1 : this.base + flat;
    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
    this.array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyElements(this, source, (index: number, value: number) => storeF8(this, index, value));
  }

  override chip(offset: number, dim: number = 0): TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
    const start = this.base + chipStart(this, offset, dim);
    return makeF8(this.array, start, this.owner, this.dims.filter((_, d) => d !== dim), this.format);
  }

  override asConst(): ConstGeneralF8 {
    return new ConstGeneralF8(this.array, this.base, this.owner, this.dims, this.format);
  }
}

/** A map of any rank. Throws INVALID_ARGUMENT if it does not fit the array. */
function makeF8(
  array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">,
): TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
  const small = checkGeometry(format.dtype, array.length, base, 1, 1, dims);
  if (!small) return new GeneralF8(array, base, owner, dims.slice(), format);
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  switch (dims.length) {
    case 0:
      return new ScalarF8(array, base, owner, format);
    case 1:
      return new VecF8(array, base, owner, d0, format);
    case 2:
      return new MatrixF8(array, base, owner, d0, d1, format);
    case 3:
      return new Tensor3F8(array, base, owner, d0, d1, d2, format);
    case 4:
      return new Tensor4F8(array, base, owner, d0, d1, d2, d3, format);
    case 5:
      return new Tensor5F8(array, base, owner, d0, d1, d2, d3, d4, format);
    case 6:
      return new Tensor6F8(array, base, owner, d0, d1, d2, d3, d4, d5, format);
    default:
      return new GeneralF8(array, base, owner, dims.slice(), format);
  }
}

/** What the strided maps of this storage kind share. */
abstract class StridedF8<R extends number> extends StridedMapBase<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", R> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  get dtype(): "float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn" {
    return this.format.dtype;
  }

  /** The elements in row-major order. */
  *[Symbol.iterator](): IterableIterator<number> {
    const size = this.size;
    checkAlive(this);
    const walk = new StridedWalk(this.geometry);
    for (let n = 0; n < size; n++) {
      const raw = this.array[walk.place];
      if (this.owner.refs === 0 || raw === undefined) throw goneError(this);
      yield this.format.table[raw & 0xff] as number;
      walk.next();
    }
  }

  protected override withStrides(
    offset: number, dims: readonly number[], strides: readonly number[], writable: boolean,
  ): StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
    return makeStridedF8(this.array, offset, this.owner, dims, strides, this.format, writable);
  }

  protected override withoutStrides(dims: readonly number[]): TensorMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
    return makeF8(this.array, this.base, this.owner, dims, this.format);
  }
}

/** Stores a checked value at a place, counted in elements. */
function storeStridedF8(map: StridedF8<number>, place: number, value: number): void {
  map.array[place] = map.format.encode(value);
}

/** Stores one value everywhere. */
function fillStridedF8(map: StridedF8<number>, value: number): void {
  checkStore(map, value);
  const raw = map.format.encode(value);
  const array = map.array;
  forEachRow(map.geometry, (place, count, stride) => {
    if (stride === 1) array.fill(raw, place, place + count);
    else for (let n = 0; n < count; n++) array[place + n * stride] = raw;
  });
}

/** Stores the elements of a source in row-major order. */
function copyStridedF8(map: StridedF8<number>, source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
  const next = map.places();
  copyElements(map, source, (_: number, value: number) => storeStridedF8(map, next(), value));
}

/** One element, read-only. */
class ConstStridedScalarF8 extends StridedF8<0> implements ConstStridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 0> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }
}

/** One element. */
class StridedScalarF8 extends ConstStridedScalarF8 implements StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 0> {
  set(value: number): void {
    const array = this.array;
    const place =
      arguments.length === 1 && this.owner.refs !== 0 &&
      typeof value === "number"
        ? this.base
        : 0x3ffffffe;
    if (array[place] === undefined) throw storeError(this, [], value, arguments.length - 1);
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillStridedF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyStridedF8(this, source);
  }
}

/** Rank 1 with strides, read-only. */
class ConstStridedVecF8 extends StridedF8<1> implements ConstStridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 1> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly s0: number;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, s0: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.s0 = s0;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }
}

/** Rank 1 with strides. */
class StridedVecF8 extends ConstStridedVecF8 implements StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 1> {
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillStridedF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyStridedF8(this, source);
  }
}

/** Rank 2 with strides, read-only. */
class ConstStridedMatrixF8 extends StridedF8<2> implements ConstStridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 2> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, s0: number, s1: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.d0 = d0;
    this.d1 = d1;
    this.s0 = s0;
    this.s1 = s1;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }
}

/** Rank 2 with strides. */
class StridedMatrixF8 extends ConstStridedMatrixF8 implements StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 2> {
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillStridedF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyStridedF8(this, source);
  }
}

/** Rank 3 with strides, read-only. */
class ConstStridedTensor3F8 extends StridedF8<3> implements ConstStridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 3> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly s2: number;
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, s0: number, s1: number, s2: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
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
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }
}

/** Rank 3 with strides. */
class StridedTensor3F8 extends ConstStridedTensor3F8 implements StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 3> {
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillStridedF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyStridedF8(this, source);
  }
}

/** Rank 4 with strides, read-only. */
class ConstStridedTensor4F8 extends StridedF8<4> implements ConstStridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 4> {
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
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, s0: number, s1: number, s2: number, s3: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
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
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }
}

/** Rank 4 with strides. */
class StridedTensor4F8 extends ConstStridedTensor4F8 implements StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 4> {
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillStridedF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyStridedF8(this, source);
  }
}

/** Rank 5 with strides, read-only. */
class ConstStridedTensor5F8 extends StridedF8<5> implements ConstStridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 5> {
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
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, s0: number, s1: number, s2: number, s3: number, s4: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
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
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }
}

/** Rank 5 with strides. */
class StridedTensor5F8 extends ConstStridedTensor5F8 implements StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 5> {
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillStridedF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyStridedF8(this, source);
  }
}

/** Rank 6 with strides, read-only. */
class ConstStridedTensor6F8 extends StridedF8<6> implements ConstStridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 6> {
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
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, s0: number, s1: number, s2: number, s3: number, s4: number, s5: number, format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
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
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }
}

/** Rank 6 with strides. */
class StridedTensor6F8 extends ConstStridedTensor6F8 implements StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", 6> {
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
    array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillStridedF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyStridedF8(this, source);
  }
}

/** Any rank with strides, read-only. */
class ConstStridedGeneralF8 extends StridedF8<number> implements ConstStridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
  declare readonly array: Uint8Array<ArrayBufferLike>;
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];
  declare readonly steps: readonly number[];
  declare readonly format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">;

  constructor(array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], steps: readonly number[], format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">) {
    super();
    this.array = array;
    this.base = base;
    this.owner = owner;
    this.dims = dims;
    this.steps = steps;
    this.format = format;
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
    return this.format.table[raw & 0xff] as number;
  }
}

/** Any rank with strides. */
class StridedGeneralF8 extends ConstStridedGeneralF8 implements StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
  set(...args: [...indices: readonly number[], value: number]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as number;
    const flat = this.owner.refs === 0 || !(typeof value === "number") ? -1 : stridedIndex(this.offset, this.dims, this.steps, indices);
    const place = flat < 0 ? -1 : flat;
    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
    this.array[place] = this.format.encode(value);
  }

  fill(value: number): void {
    fillStridedF8(this, value);
  }

  copyFrom(source: CopySource<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">): void {
    copyStridedF8(this, source);
  }
}

/** A strided map over places known to lie in the array; without `set` unless writable. */
function makeStridedF8(
  array: Uint8Array<ArrayBufferLike>, base: number, owner: MemoryOwner, dims: readonly number[], strides: readonly number[], format: SmallFormat<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">, writable: boolean,
): StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number> {
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0] = strides;
  switch (isSmallStrided(array.length, dims, strides) ? dims.length : -1) {
    case 0:
      if (!writable) return new ConstStridedScalarF8(array, base, owner, format) as unknown as StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number>;
      return new StridedScalarF8(array, base, owner, format);
    case 1:
      if (!writable) return new ConstStridedVecF8(array, base, owner, d0, s0, format) as unknown as StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number>;
      return new StridedVecF8(array, base, owner, d0, s0, format);
    case 2:
      if (!writable) return new ConstStridedMatrixF8(array, base, owner, d0, d1, s0, s1, format) as unknown as StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number>;
      return new StridedMatrixF8(array, base, owner, d0, d1, s0, s1, format);
    case 3:
      if (!writable) return new ConstStridedTensor3F8(array, base, owner, d0, d1, d2, s0, s1, s2, format) as unknown as StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number>;
      return new StridedTensor3F8(array, base, owner, d0, d1, d2, s0, s1, s2, format);
    case 4:
      if (!writable) return new ConstStridedTensor4F8(array, base, owner, d0, d1, d2, d3, s0, s1, s2, s3, format) as unknown as StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number>;
      return new StridedTensor4F8(array, base, owner, d0, d1, d2, d3, s0, s1, s2, s3, format);
    case 5:
      if (!writable) return new ConstStridedTensor5F8(array, base, owner, d0, d1, d2, d3, d4, s0, s1, s2, s3, s4, format) as unknown as StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number>;
      return new StridedTensor5F8(array, base, owner, d0, d1, d2, d3, d4, s0, s1, s2, s3, s4, format);
    case 6:
      if (!writable) return new ConstStridedTensor6F8(array, base, owner, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, format) as unknown as StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number>;
      return new StridedTensor6F8(array, base, owner, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, format);
    default:
      if (!writable) return new ConstStridedGeneralF8(array, base, owner, dims.slice(), strides.slice(), format) as unknown as StridedMap<"float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn", number>;
      return new StridedGeneralF8(array, base, owner, dims.slice(), strides.slice(), format);
  }
}

/** Makes the factory of one of the dtypes of this kind. */
export function kindF8<D extends "float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz" | "float4_e2m1fn">(dtype: D): TensorMapKind<D> {
  const format = smallFormat(dtype);
  return {
    dtype,
    scalar(array, base, owner) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || !(base + 1 <= array.length) || array.length > 0x3ffffffe) {
        return makeF8(array as Uint8Array<ArrayBufferLike>, base, owner, [], format) as unknown as TensorMap<D, 0>;
      }
      return new ScalarF8(array as Uint8Array<ArrayBufferLike>, base, owner, format) as unknown as TensorMap<D, 0>;
    },
    vec(array, base, owner, d0) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || !(base + d0 <= array.length) || array.length > 0x3ffffffe) {
        return makeF8(array as Uint8Array<ArrayBufferLike>, base, owner, [d0], format) as unknown as TensorMap<D, 1>;
      }
      return new VecF8(array as Uint8Array<ArrayBufferLike>, base, owner, d0, format) as unknown as TensorMap<D, 1>;
    },
    matrix(array, base, owner, d0, d1) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || !(base + d0 * d1 <= array.length) || array.length > 0x3ffffffe) {
        return makeF8(array as Uint8Array<ArrayBufferLike>, base, owner, [d0, d1], format) as unknown as TensorMap<D, 2>;
      }
      return new MatrixF8(array as Uint8Array<ArrayBufferLike>, base, owner, d0, d1, format) as unknown as TensorMap<D, 2>;
    },
    tensor3(array, base, owner, d0, d1, d2) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || !(base + d0 * d1 * d2 <= array.length) || array.length > 0x3ffffffe) {
        return makeF8(array as Uint8Array<ArrayBufferLike>, base, owner, [d0, d1, d2], format) as unknown as TensorMap<D, 3>;
      }
      return new Tensor3F8(array as Uint8Array<ArrayBufferLike>, base, owner, d0, d1, d2, format) as unknown as TensorMap<D, 3>;
    },
    tensor4(array, base, owner, d0, d1, d2, d3) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || !(base + d0 * d1 * d2 * d3 <= array.length) || array.length > 0x3ffffffe) {
        return makeF8(array as Uint8Array<ArrayBufferLike>, base, owner, [d0, d1, d2, d3], format) as unknown as TensorMap<D, 4>;
      }
      return new Tensor4F8(array as Uint8Array<ArrayBufferLike>, base, owner, d0, d1, d2, d3, format) as unknown as TensorMap<D, 4>;
    },
    tensor5(array, base, owner, d0, d1, d2, d3, d4) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || typeof d4 !== "number" || (d4 & 0x3fffffff) !== d4 || !(base + d0 * d1 * d2 * d3 * d4 <= array.length) || array.length > 0x3ffffffe) {
        return makeF8(array as Uint8Array<ArrayBufferLike>, base, owner, [d0, d1, d2, d3, d4], format) as unknown as TensorMap<D, 5>;
      }
      return new Tensor5F8(array as Uint8Array<ArrayBufferLike>, base, owner, d0, d1, d2, d3, d4, format) as unknown as TensorMap<D, 5>;
    },
    tensor6(array, base, owner, d0, d1, d2, d3, d4, d5) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || typeof d4 !== "number" || (d4 & 0x3fffffff) !== d4 || typeof d5 !== "number" || (d5 & 0x3fffffff) !== d5 || !(base + d0 * d1 * d2 * d3 * d4 * d5 <= array.length) || array.length > 0x3ffffffe) {
        return makeF8(array as Uint8Array<ArrayBufferLike>, base, owner, [d0, d1, d2, d3, d4, d5], format) as unknown as TensorMap<D, 6>;
      }
      return new Tensor6F8(array as Uint8Array<ArrayBufferLike>, base, owner, d0, d1, d2, d3, d4, d5, format) as unknown as TensorMap<D, 6>;
    },
    general(array, base, owner, dims) {
      return makeF8(array as Uint8Array<ArrayBufferLike>, base, owner, dims, format) as unknown as TensorMap<D, number>;
    },
    strided(array, offset, owner, dims, strides) {
      const g = checkStrides(dtype, array.length, offset, 1, dims, strides, true);
      return makeStridedF8(array as Uint8Array<ArrayBufferLike>, g.offset, owner, g.dims, g.strides, format, true) as unknown as StridedMap<D, number>;
    },
    constStrided(array, offset, owner, dims, strides) {
      const g = checkStrides(dtype, array.length, offset, 1, dims, strides, false);
      return makeStridedF8(array as Uint8Array<ArrayBufferLike>, g.offset, owner, g.dims, g.strides, format, false) as unknown as ConstStridedMap<D, number>;
    },
  };
}
