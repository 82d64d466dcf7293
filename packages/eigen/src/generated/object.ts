// Maps of string, resource, variant. Written by tools/generate-tensor-maps.mjs: change the templates there, not this file.
// The methods are documented in tensor-map.ts.
import type { ElementInput } from "@onebuffer/base";
import { copyElements } from "../copy-elements.ts";
import { isElementInput } from "../element-check.ts";
import { accessError, checkAlive, checkStore, dimensionError, goneError, storeError } from "../map-errors.ts";
import { checkGeometry, chipAxis, chipStart, flatIndex, product } from "../map-geometry.ts";
import type { MemoryOwner } from "../memory-owner.ts";
import { storeObjectAt, storeObjects, storeObjectsAt } from "../object-element.ts";
import { checkStrides, stridedIndex } from "../strided-bounds.ts";
import { isSmallStrided } from "../strided-geometry.ts";
import { StridedMapBase } from "../strided-map-base.ts";
import { StridedWalk } from "../strided-walk.ts";
import type { ConstStridedMap, ConstTensorMap, CopySource, StridedMap, TensorMap } from "../tensor-map.ts";
import { TensorMapBase } from "../tensor-map-base.ts";
import type { TensorMapKind } from "../tensor-map-kind.ts";

/** What the maps of this storage kind share. */
abstract class MapObject<R extends number> extends TensorMapBase<"string" | "resource" | "variant", R> {
  declare readonly array: unknown[];
  declare readonly dtype: "string" | "resource" | "variant";

  /** The elements in row-major order. */
  *[Symbol.iterator](): IterableIterator<unknown> {
    const size = this.size;
    checkAlive(this);
    for (let n = 0; n < size; n++) {
      if (this.owner.refs === 0 || this.base + n >= this.array.length) throw goneError(this);
      yield this.array[this.base + n];
    }
  }

  protected override withStrides(offset: number, dims: readonly number[], strides: readonly number[]): StridedMap<"string" | "resource" | "variant", number> {
    return makeStridedObject(this.array, offset, this.owner, dims, strides, this.dtype, "set" in this);
  }
}

/** Stores one value everywhere. */
function fillObject(map: MapObject<number>, value: unknown): void {
  checkStore(map, value);
  // All copies are made first: the value may be an element of this very map.
  storeObjects(map.array, map.base, map.dtype, new Array<unknown>(map.size).fill(value));
}

/** One element, read-only. */
class ConstScalarObject extends MapObject<0> implements ConstTensorMap<"string" | "resource" | "variant", 0> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, dtype: "string" | "resource" | "variant") {
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

  at(): unknown {
    const place =
      arguments.length === 0 && this.owner.refs !== 0
        ? this.base
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [], arguments.length);
    return this.array[place];
  }

  chip(offset: number, dim: number = 0): never {
    chipStart(this, offset, chipAxis(this, dim));
    throw accessError(this, []);
  }

  /** This map, read-only. */
  asConst(): ConstScalarObject {
    return this;
  }
}

/** One element. */
class ScalarObject extends ConstScalarObject implements TensorMap<"string" | "resource" | "variant", 0> {
  constructor(array: unknown[], base: number, owner: MemoryOwner, dtype: "string" | "resource" | "variant") {
    super(array, base, owner, dtype);
  }

  set(value: unknown): void {
    const place =
      arguments.length === 1 && this.owner.refs !== 0 &&
      isElementInput(this.dtype, value)
        ? this.base
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyElements(this, source, null);
  }

  override asConst(): ConstScalarObject {
    return new ConstScalarObject(this.array, this.base, this.owner, this.dtype);
  }
}

/** Rank 1, read-only. */
class ConstVecObject extends MapObject<1> implements ConstTensorMap<"string" | "resource" | "variant", 1> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number): unknown {
    const place =
      arguments.length === 1 && typeof i === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0
        ? (this.base + i) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i], arguments.length);
    return this.array[place];
  }

  chip(offset: number, dim: number = 0): ConstScalarObject {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset;
      return new ConstScalarObject(this.array, start, this.owner, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return new ConstScalarObject(this.array, start, this.owner, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstVecObject {
    return this;
  }
}

/** Rank 1. */
class VecObject extends ConstVecObject implements TensorMap<"string" | "resource" | "variant", 1> {
  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, dtype: "string" | "resource" | "variant") {
    super(array, base, owner, d0, dtype);
  }

  set(i: number, value: unknown): void {
    const place =
      arguments.length === 2 && typeof i === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      isElementInput(this.dtype, value)
        ? (this.base + i) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyElements(this, source, null);
  }

  override chip(offset: number, dim: number = 0): ScalarObject {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset;
      return new ScalarObject(this.array, start, this.owner, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return new ScalarObject(this.array, start, this.owner, this.dtype);
  }

  override asConst(): ConstVecObject {
    return new ConstVecObject(this.array, this.base, this.owner, this.d0, this.dtype);
  }
}

/** Rank 2, read-only. */
class ConstMatrixObject extends MapObject<2> implements ConstTensorMap<"string" | "resource" | "variant", 2> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number, j: number): unknown {
    const inner = this.d1;
    const place =
      arguments.length === 2 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j
        ? (this.base + Math.imul(i, inner) + j) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j], arguments.length);
    return this.array[place];
  }

  chip(offset: number, dim: number = 0): ConstVecObject {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1;
      return new ConstVecObject(this.array, start, this.owner, this.d1, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstVecObject(this.array, start, this.owner, this.d0, this.dtype);
    return new ConstVecObject(this.array, start, this.owner, this.d1, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstMatrixObject {
    return this;
  }
}

/** Rank 2. */
class MatrixObject extends ConstMatrixObject implements TensorMap<"string" | "resource" | "variant", 2> {
  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, dtype: "string" | "resource" | "variant") {
    super(array, base, owner, d0, d1, dtype);
  }

  set(i: number, j: number, value: unknown): void {
    const inner = this.d1;
    const place =
      arguments.length === 3 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j &&
      isElementInput(this.dtype, value)
        ? (this.base + Math.imul(i, inner) + j) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyElements(this, source, null);
  }

  override chip(offset: number, dim: number = 0): VecObject {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1;
      return new VecObject(this.array, start, this.owner, this.d1, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new VecObject(this.array, start, this.owner, this.d0, this.dtype);
    return new VecObject(this.array, start, this.owner, this.d1, this.dtype);
  }

  override asConst(): ConstMatrixObject {
    return new ConstMatrixObject(this.array, this.base, this.owner, this.d0, this.d1, this.dtype);
  }
}

/** Rank 3, read-only. */
class ConstTensor3Object extends MapObject<3> implements ConstTensorMap<"string" | "resource" | "variant", 3> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number, j: number, k: number): unknown {
    const inner = this.d2;
    const place =
      arguments.length === 3 && typeof i === "number" && typeof j === "number" && typeof k === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < inner && (k | 0) === k
        ? (this.base + Math.imul(Math.imul(i, this.d1) + j, inner) + k) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i, j, k], arguments.length);
    return this.array[place];
  }

  chip(offset: number, dim: number = 0): ConstMatrixObject {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2;
      return new ConstMatrixObject(this.array, start, this.owner, this.d1, this.d2, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstMatrixObject(this.array, start, this.owner, this.d0, this.d2, this.dtype);
    if (axis === 2) return new ConstMatrixObject(this.array, start, this.owner, this.d0, this.d1, this.dtype);
    return new ConstMatrixObject(this.array, start, this.owner, this.d1, this.d2, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstTensor3Object {
    return this;
  }
}

/** Rank 3. */
class Tensor3Object extends ConstTensor3Object implements TensorMap<"string" | "resource" | "variant", 3> {
  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, dtype: "string" | "resource" | "variant") {
    super(array, base, owner, d0, d1, d2, dtype);
  }

  set(i: number, j: number, k: number, value: unknown): void {
    const inner = this.d2;
    const place =
      arguments.length === 4 && typeof i === "number" && typeof j === "number" && typeof k === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < inner && (k | 0) === k &&
      isElementInput(this.dtype, value)
        ? (this.base + Math.imul(Math.imul(i, this.d1) + j, inner) + k) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyElements(this, source, null);
  }

  override chip(offset: number, dim: number = 0): MatrixObject {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2;
      return new MatrixObject(this.array, start, this.owner, this.d1, this.d2, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new MatrixObject(this.array, start, this.owner, this.d0, this.d2, this.dtype);
    if (axis === 2) return new MatrixObject(this.array, start, this.owner, this.d0, this.d1, this.dtype);
    return new MatrixObject(this.array, start, this.owner, this.d1, this.d2, this.dtype);
  }

  override asConst(): ConstTensor3Object {
    return new ConstTensor3Object(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.dtype);
  }
}

/** Rank 4, read-only. */
class ConstTensor4Object extends MapObject<4> implements ConstTensorMap<"string" | "resource" | "variant", 4> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number, j: number, k: number, l: number): unknown {
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
    if (place >= this.array.length) throw accessError(this, [i, j, k, l], arguments.length);
    return this.array[place];
  }

  chip(offset: number, dim: number = 0): ConstTensor3Object {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3;
      return new ConstTensor3Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstTensor3Object(this.array, start, this.owner, this.d0, this.d2, this.d3, this.dtype);
    if (axis === 2) return new ConstTensor3Object(this.array, start, this.owner, this.d0, this.d1, this.d3, this.dtype);
    if (axis === 3) return new ConstTensor3Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.dtype);
    return new ConstTensor3Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstTensor4Object {
    return this;
  }
}

/** Rank 4. */
class Tensor4Object extends ConstTensor4Object implements TensorMap<"string" | "resource" | "variant", 4> {
  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, dtype: "string" | "resource" | "variant") {
    super(array, base, owner, d0, d1, d2, d3, dtype);
  }

  set(i: number, j: number, k: number, l: number, value: unknown): void {
    const inner = this.d3;
    const place =
      arguments.length === 5 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < inner && (l | 0) === l &&
      isElementInput(this.dtype, value)
        ? (this.base + Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, inner) + l) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyElements(this, source, null);
  }

  override chip(offset: number, dim: number = 0): Tensor3Object {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3;
      return new Tensor3Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new Tensor3Object(this.array, start, this.owner, this.d0, this.d2, this.d3, this.dtype);
    if (axis === 2) return new Tensor3Object(this.array, start, this.owner, this.d0, this.d1, this.d3, this.dtype);
    if (axis === 3) return new Tensor3Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.dtype);
    return new Tensor3Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.dtype);
  }

  override asConst(): ConstTensor4Object {
    return new ConstTensor4Object(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.dtype);
  }
}

/** Rank 5, read-only. */
class ConstTensor5Object extends MapObject<5> implements ConstTensorMap<"string" | "resource" | "variant", 5> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number, j: number, k: number, l: number, m: number): unknown {
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
    if (place >= this.array.length) throw accessError(this, [i, j, k, l, m], arguments.length);
    return this.array[place];
  }

  chip(offset: number, dim: number = 0): ConstTensor4Object {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4;
      return new ConstTensor4Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstTensor4Object(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.dtype);
    if (axis === 2) return new ConstTensor4Object(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.dtype);
    if (axis === 3) return new ConstTensor4Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.dtype);
    if (axis === 4) return new ConstTensor4Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.dtype);
    return new ConstTensor4Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstTensor5Object {
    return this;
  }
}

/** Rank 5. */
class Tensor5Object extends ConstTensor5Object implements TensorMap<"string" | "resource" | "variant", 5> {
  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, dtype: "string" | "resource" | "variant") {
    super(array, base, owner, d0, d1, d2, d3, d4, dtype);
  }

  set(i: number, j: number, k: number, l: number, m: number, value: unknown): void {
    const inner = this.d4;
    const place =
      arguments.length === 6 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < inner && (m | 0) === m &&
      isElementInput(this.dtype, value)
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, this.d3) + l, inner) + m) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l, m], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyElements(this, source, null);
  }

  override chip(offset: number, dim: number = 0): Tensor4Object {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4;
      return new Tensor4Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new Tensor4Object(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.dtype);
    if (axis === 2) return new Tensor4Object(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.dtype);
    if (axis === 3) return new Tensor4Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.dtype);
    if (axis === 4) return new Tensor4Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.dtype);
    return new Tensor4Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.dtype);
  }

  override asConst(): ConstTensor5Object {
    return new ConstTensor5Object(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.dtype);
  }
}

/** Rank 6, read-only. */
class ConstTensor6Object extends MapObject<6> implements ConstTensorMap<"string" | "resource" | "variant", 6> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly d3: number;
  declare readonly d4: number;
  declare readonly d5: number;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number, j: number, k: number, l: number, m: number, n: number): unknown {
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
    if (place >= this.array.length) throw accessError(this, [i, j, k, l, m, n], arguments.length);
    return this.array[place];
  }

  chip(offset: number, dim: number = 0): ConstTensor5Object {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.d5;
      return new ConstTensor5Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new ConstTensor5Object(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.d5, this.dtype);
    if (axis === 2) return new ConstTensor5Object(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.d5, this.dtype);
    if (axis === 3) return new ConstTensor5Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.d5, this.dtype);
    if (axis === 4) return new ConstTensor5Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d5, this.dtype);
    if (axis === 5) return new ConstTensor5Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.dtype);
    return new ConstTensor5Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.dtype);
  }

  /** This map, read-only. */
  asConst(): ConstTensor6Object {
    return this;
  }
}

/** Rank 6. */
class Tensor6Object extends ConstTensor6Object implements TensorMap<"string" | "resource" | "variant", 6> {
  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, dtype: "string" | "resource" | "variant") {
    super(array, base, owner, d0, d1, d2, d3, d4, d5, dtype);
  }

  set(i: number, j: number, k: number, l: number, m: number, n: number, value: unknown): void {
    const inner = this.d5;
    const place =
      arguments.length === 7 && typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number" && typeof m === "number" && typeof n === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < this.d1 && (j | 0) === j &&
      k >>> 0 < this.d2 && (k | 0) === k &&
      l >>> 0 < this.d3 && (l | 0) === l &&
      m >>> 0 < this.d4 && (m | 0) === m &&
      n >>> 0 < inner && (n | 0) === n &&
      isElementInput(this.dtype, value)
        ? (this.base + Math.imul(Math.imul(Math.imul(Math.imul(Math.imul(i, this.d1) + j, this.d2) + k, this.d3) + l, this.d4) + m, inner) + n) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l, m, n], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyElements(this, source, null);
  }

  override chip(offset: number, dim: number = 0): Tensor5Object {
    if (dim === 0 && typeof offset === "number" && offset >>> 0 < this.d0 && (offset | 0) === offset && this.owner.refs !== 0) {
      const start = this.base + offset * this.d1 * this.d2 * this.d3 * this.d4 * this.d5;
      return new Tensor5Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.dtype);
    }
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    if (axis === 1) return new Tensor5Object(this.array, start, this.owner, this.d0, this.d2, this.d3, this.d4, this.d5, this.dtype);
    if (axis === 2) return new Tensor5Object(this.array, start, this.owner, this.d0, this.d1, this.d3, this.d4, this.d5, this.dtype);
    if (axis === 3) return new Tensor5Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d4, this.d5, this.dtype);
    if (axis === 4) return new Tensor5Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d5, this.dtype);
    if (axis === 5) return new Tensor5Object(this.array, start, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.dtype);
    return new Tensor5Object(this.array, start, this.owner, this.d1, this.d2, this.d3, this.d4, this.d5, this.dtype);
  }

  override asConst(): ConstTensor6Object {
    return new ConstTensor6Object(this.array, this.base, this.owner, this.d0, this.d1, this.d2, this.d3, this.d4, this.d5, this.dtype);
  }
}

/** Any rank, read-only. */
class ConstGeneralObject extends MapObject<number> implements ConstTensorMap<"string" | "resource" | "variant", number> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, dims: readonly number[], dtype: "string" | "resource" | "variant") {
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

  at(...indices: readonly number[]): unknown {
    const flat = this.owner.refs === 0 ? -1 : flatIndex(this.dims, indices);
    const place = flat < 0 ? -1 : this.base + flat;
    if (place < 0 || place >= this.array.length) throw accessError(this, indices);
    return this.array[place];
  }

  chip(offset: number, dim: number = 0): ConstTensorMap<"string" | "resource" | "variant", number> {
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return makeObject(this.array, start, this.owner, this.dims.filter((_, d) => d !== axis), this.dtype).asConst();
  }

  asConst(): ConstGeneralObject {
    return this;
  }
}

/** Any rank. */
class GeneralObject extends ConstGeneralObject implements TensorMap<"string" | "resource" | "variant", number> {
  set(...args: [...indices: readonly number[], value: ElementInput<"string" | "resource" | "variant">]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as ElementInput<"string" | "resource" | "variant">;
    const flat = this.owner.refs === 0 || !(isElementInput(this.dtype, value)) ? -1 : flatIndex(this.dims, indices);
    const place = flat < 0 ? -1 : this.base + flat;
    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyElements(this, source, null);
  }

  override chip(offset: number, dim: number = 0): TensorMap<"string" | "resource" | "variant", number> {
    const axis = chipAxis(this, dim);
    const start = this.base + chipStart(this, offset, axis);
    return makeObject(this.array, start, this.owner, this.dims.filter((_, d) => d !== axis), this.dtype);
  }

  override asConst(): ConstGeneralObject {
    return new ConstGeneralObject(this.array, this.base, this.owner, this.dims, this.dtype);
  }
}

/** A map of any rank. Throws INVALID_ARGUMENT if it does not fit the array. */
function makeObject(
  array: unknown[], base: number, owner: MemoryOwner, dims: readonly number[], dtype: "string" | "resource" | "variant",
): TensorMap<"string" | "resource" | "variant", number> {
  const small = checkGeometry(dtype, array.length, base, 1, 1, dims);
  if (!small) return new GeneralObject(array, base, owner, dims.slice(), dtype);
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  switch (dims.length) {
    case 0:
      return new ScalarObject(array, base, owner, dtype);
    case 1:
      return new VecObject(array, base, owner, d0, dtype);
    case 2:
      return new MatrixObject(array, base, owner, d0, d1, dtype);
    case 3:
      return new Tensor3Object(array, base, owner, d0, d1, d2, dtype);
    case 4:
      return new Tensor4Object(array, base, owner, d0, d1, d2, d3, dtype);
    case 5:
      return new Tensor5Object(array, base, owner, d0, d1, d2, d3, d4, dtype);
    case 6:
      return new Tensor6Object(array, base, owner, d0, d1, d2, d3, d4, d5, dtype);
    default:
      return new GeneralObject(array, base, owner, dims.slice(), dtype);
  }
}

/** What the strided maps of this storage kind share. */
abstract class StridedObject<R extends number> extends StridedMapBase<"string" | "resource" | "variant", R> {
  declare readonly array: unknown[];
  declare readonly dtype: "string" | "resource" | "variant";

  /** The elements in row-major order. */
  *[Symbol.iterator](): IterableIterator<unknown> {
    const size = this.size;
    checkAlive(this);
    const walk = new StridedWalk(this.geometry);
    for (let n = 0; n < size; n++) {
      if (this.owner.refs === 0 || walk.place >= this.array.length) throw goneError(this);
      yield this.array[walk.place];
      walk.next();
    }
  }

  protected override withStrides(
    offset: number, dims: readonly number[], strides: readonly number[], writable: boolean,
  ): StridedMap<"string" | "resource" | "variant", number> {
    return makeStridedObject(this.array, offset, this.owner, dims, strides, this.dtype, writable);
  }

  protected override withoutStrides(dims: readonly number[]): TensorMap<"string" | "resource" | "variant", number> {
    return makeObject(this.array, this.base, this.owner, dims, this.dtype);
  }
}

/** Stores one value everywhere. */
function fillStridedObject(map: StridedObject<number>, value: unknown): void {
  checkStore(map, value);
  storeObjectsAt(map.array, map.places(), map.dtype, new Array<unknown>(map.size).fill(value));
}

/** Stores the elements of a source in row-major order. */
function copyStridedObject(map: StridedObject<number>, source: CopySource<"string" | "resource" | "variant">): void {
  copyElements(map, source, null);
}

/** One element, read-only. */
class ConstStridedScalarObject extends StridedObject<0> implements ConstStridedMap<"string" | "resource" | "variant", 0> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, dtype: "string" | "resource" | "variant") {
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

  at(): unknown {
    const place =
      arguments.length === 0 && this.owner.refs !== 0
        ? this.base
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [], arguments.length);
    return this.array[place];
  }
}

/** One element. */
class StridedScalarObject extends ConstStridedScalarObject implements StridedMap<"string" | "resource" | "variant", 0> {
  set(value: unknown): void {
    const place =
      arguments.length === 1 && this.owner.refs !== 0 &&
      isElementInput(this.dtype, value)
        ? this.base
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillStridedObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyStridedObject(this, source);
  }
}

/** Rank 1 with strides, read-only. */
class ConstStridedVecObject extends StridedObject<1> implements ConstStridedMap<"string" | "resource" | "variant", 1> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly s0: number;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, s0: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number): unknown {
    const inner = this.d0;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 1 && typeof i === "number" &&
      i >>> 0 < inner && (i | 0) === i &&
      this.owner.refs !== 0
        ? (base + Math.imul(i, s0)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw accessError(this, [i], arguments.length);
    return this.array[place];
  }
}

/** Rank 1 with strides. */
class StridedVecObject extends ConstStridedVecObject implements StridedMap<"string" | "resource" | "variant", 1> {
  set(i: number, value: unknown): void {
    const inner = this.d0;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 2 && typeof i === "number" &&
      i >>> 0 < inner && (i | 0) === i &&
      this.owner.refs !== 0 &&
      isElementInput(this.dtype, value)
        ? (base + Math.imul(i, s0)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillStridedObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyStridedObject(this, source);
  }
}

/** Rank 2 with strides, read-only. */
class ConstStridedMatrixObject extends StridedObject<2> implements ConstStridedMap<"string" | "resource" | "variant", 2> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, s0: number, s1: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number, j: number): unknown {
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
    if (place >= this.array.length) throw accessError(this, [i, j], arguments.length);
    return this.array[place];
  }
}

/** Rank 2 with strides. */
class StridedMatrixObject extends ConstStridedMatrixObject implements StridedMap<"string" | "resource" | "variant", 2> {
  set(i: number, j: number, value: unknown): void {
    const inner = this.d1;
    const s1 = this.s1;
    const s0 = this.s0;
    const base = this.base;
    const place =
      arguments.length === 3 && typeof i === "number" && typeof j === "number" &&
      i >>> 0 < this.d0 && (i | 0) === i &&
      this.owner.refs !== 0 &&
      j >>> 0 < inner && (j | 0) === j &&
      isElementInput(this.dtype, value)
        ? (base + Math.imul(i, s0) + Math.imul(j, s1)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillStridedObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyStridedObject(this, source);
  }
}

/** Rank 3 with strides, read-only. */
class ConstStridedTensor3Object extends StridedObject<3> implements ConstStridedMap<"string" | "resource" | "variant", 3> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly d0: number;
  declare readonly d1: number;
  declare readonly d2: number;
  declare readonly s0: number;
  declare readonly s1: number;
  declare readonly s2: number;
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, s0: number, s1: number, s2: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number, j: number, k: number): unknown {
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
    if (place >= this.array.length) throw accessError(this, [i, j, k], arguments.length);
    return this.array[place];
  }
}

/** Rank 3 with strides. */
class StridedTensor3Object extends ConstStridedTensor3Object implements StridedMap<"string" | "resource" | "variant", 3> {
  set(i: number, j: number, k: number, value: unknown): void {
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
      k >>> 0 < inner && (k | 0) === k &&
      isElementInput(this.dtype, value)
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillStridedObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyStridedObject(this, source);
  }
}

/** Rank 4 with strides, read-only. */
class ConstStridedTensor4Object extends StridedObject<4> implements ConstStridedMap<"string" | "resource" | "variant", 4> {
  declare readonly array: unknown[];
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
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, s0: number, s1: number, s2: number, s3: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number, j: number, k: number, l: number): unknown {
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
    if (place >= this.array.length) throw accessError(this, [i, j, k, l], arguments.length);
    return this.array[place];
  }
}

/** Rank 4 with strides. */
class StridedTensor4Object extends ConstStridedTensor4Object implements StridedMap<"string" | "resource" | "variant", 4> {
  set(i: number, j: number, k: number, l: number, value: unknown): void {
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
      l >>> 0 < inner && (l | 0) === l &&
      isElementInput(this.dtype, value)
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillStridedObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyStridedObject(this, source);
  }
}

/** Rank 5 with strides, read-only. */
class ConstStridedTensor5Object extends StridedObject<5> implements ConstStridedMap<"string" | "resource" | "variant", 5> {
  declare readonly array: unknown[];
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
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, s0: number, s1: number, s2: number, s3: number, s4: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number, j: number, k: number, l: number, m: number): unknown {
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
    if (place >= this.array.length) throw accessError(this, [i, j, k, l, m], arguments.length);
    return this.array[place];
  }
}

/** Rank 5 with strides. */
class StridedTensor5Object extends ConstStridedTensor5Object implements StridedMap<"string" | "resource" | "variant", 5> {
  set(i: number, j: number, k: number, l: number, m: number, value: unknown): void {
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
      m >>> 0 < inner && (m | 0) === m &&
      isElementInput(this.dtype, value)
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3) + Math.imul(m, s4)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l, m], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillStridedObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyStridedObject(this, source);
  }
}

/** Rank 6 with strides, read-only. */
class ConstStridedTensor6Object extends StridedObject<6> implements ConstStridedMap<"string" | "resource" | "variant", 6> {
  declare readonly array: unknown[];
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
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number, d4: number, d5: number, s0: number, s1: number, s2: number, s3: number, s4: number, s5: number, dtype: "string" | "resource" | "variant") {
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

  at(i: number, j: number, k: number, l: number, m: number, n: number): unknown {
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
    if (place >= this.array.length) throw accessError(this, [i, j, k, l, m, n], arguments.length);
    return this.array[place];
  }
}

/** Rank 6 with strides. */
class StridedTensor6Object extends ConstStridedTensor6Object implements StridedMap<"string" | "resource" | "variant", 6> {
  set(i: number, j: number, k: number, l: number, m: number, n: number, value: unknown): void {
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
      n >>> 0 < inner && (n | 0) === n &&
      isElementInput(this.dtype, value)
        ? (base + Math.imul(i, s0) + Math.imul(j, s1) + Math.imul(k, s2) + Math.imul(l, s3) + Math.imul(m, s4) + Math.imul(n, s5)) | 0
        : 0x3ffffffe;
    if (place >= this.array.length) throw storeError(this, [i, j, k, l, m, n], value, arguments.length - 1);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillStridedObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyStridedObject(this, source);
  }
}

/** Any rank with strides, read-only. */
class ConstStridedGeneralObject extends StridedObject<number> implements ConstStridedMap<"string" | "resource" | "variant", number> {
  declare readonly array: unknown[];
  declare readonly base: number;
  declare readonly owner: MemoryOwner;
  declare readonly dims: readonly number[];
  declare readonly steps: readonly number[];
  declare readonly dtype: "string" | "resource" | "variant";

  constructor(array: unknown[], base: number, owner: MemoryOwner, dims: readonly number[], steps: readonly number[], dtype: "string" | "resource" | "variant") {
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

  at(...indices: readonly number[]): unknown {
    const flat = this.owner.refs === 0 ? -1 : stridedIndex(this.offset, this.dims, this.steps, indices);
    const place = flat < 0 ? -1 : flat;
    if (place < 0 || place >= this.array.length) throw accessError(this, indices);
    return this.array[place];
  }
}

/** Any rank with strides. */
class StridedGeneralObject extends ConstStridedGeneralObject implements StridedMap<"string" | "resource" | "variant", number> {
  set(...args: [...indices: readonly number[], value: ElementInput<"string" | "resource" | "variant">]): void {
    const indices = args.slice(0, -1) as number[];
    const value = args[args.length - 1] as ElementInput<"string" | "resource" | "variant">;
    const flat = this.owner.refs === 0 || !(isElementInput(this.dtype, value)) ? -1 : stridedIndex(this.offset, this.dims, this.steps, indices);
    const place = flat < 0 ? -1 : flat;
    if (place < 0 || place >= this.array.length) throw storeError(this, indices, value);
    storeObjectAt(this.array, place, this.dtype, value);
  }

  fill(value: ElementInput<"string" | "resource" | "variant">): void {
    fillStridedObject(this, value);
  }

  copyFrom(source: CopySource<"string" | "resource" | "variant">): void {
    copyStridedObject(this, source);
  }
}

/** A strided map over places known to lie in the array; without `set` unless writable. */
function makeStridedObject(
  array: unknown[], base: number, owner: MemoryOwner, dims: readonly number[], strides: readonly number[], dtype: "string" | "resource" | "variant", writable: boolean,
): StridedMap<"string" | "resource" | "variant", number> {
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dims;
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0] = strides;
  switch (isSmallStrided(array.length, dims, strides) ? dims.length : -1) {
    case 0:
      if (!writable) return new ConstStridedScalarObject(array, base, owner, dtype) as unknown as StridedMap<"string" | "resource" | "variant", number>;
      return new StridedScalarObject(array, base, owner, dtype);
    case 1:
      if (!writable) return new ConstStridedVecObject(array, base, owner, d0, s0, dtype) as unknown as StridedMap<"string" | "resource" | "variant", number>;
      return new StridedVecObject(array, base, owner, d0, s0, dtype);
    case 2:
      if (!writable) return new ConstStridedMatrixObject(array, base, owner, d0, d1, s0, s1, dtype) as unknown as StridedMap<"string" | "resource" | "variant", number>;
      return new StridedMatrixObject(array, base, owner, d0, d1, s0, s1, dtype);
    case 3:
      if (!writable) return new ConstStridedTensor3Object(array, base, owner, d0, d1, d2, s0, s1, s2, dtype) as unknown as StridedMap<"string" | "resource" | "variant", number>;
      return new StridedTensor3Object(array, base, owner, d0, d1, d2, s0, s1, s2, dtype);
    case 4:
      if (!writable) return new ConstStridedTensor4Object(array, base, owner, d0, d1, d2, d3, s0, s1, s2, s3, dtype) as unknown as StridedMap<"string" | "resource" | "variant", number>;
      return new StridedTensor4Object(array, base, owner, d0, d1, d2, d3, s0, s1, s2, s3, dtype);
    case 5:
      if (!writable) return new ConstStridedTensor5Object(array, base, owner, d0, d1, d2, d3, d4, s0, s1, s2, s3, s4, dtype) as unknown as StridedMap<"string" | "resource" | "variant", number>;
      return new StridedTensor5Object(array, base, owner, d0, d1, d2, d3, d4, s0, s1, s2, s3, s4, dtype);
    case 6:
      if (!writable) return new ConstStridedTensor6Object(array, base, owner, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, dtype) as unknown as StridedMap<"string" | "resource" | "variant", number>;
      return new StridedTensor6Object(array, base, owner, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, dtype);
    default:
      if (!writable) return new ConstStridedGeneralObject(array, base, owner, dims.slice(), strides.slice(), dtype) as unknown as StridedMap<"string" | "resource" | "variant", number>;
      return new StridedGeneralObject(array, base, owner, dims.slice(), strides.slice(), dtype);
  }
}

/** Makes the factory of one of the dtypes of this kind. */
export function kindObject<D extends "string" | "resource" | "variant">(dtype: D): TensorMapKind<D> {
  return {
    dtype,
    scalar(array, base, owner) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || !(base + 1 <= array.length) || array.length > 0x3ffffffe) {
        return makeObject(array, base, owner, [], dtype) as unknown as TensorMap<D, 0>;
      }
      return new ScalarObject(array, base, owner, dtype) as unknown as TensorMap<D, 0>;
    },
    vec(array, base, owner, d0) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || !(base + d0 <= array.length) || array.length > 0x3ffffffe) {
        return makeObject(array, base, owner, [d0], dtype) as unknown as TensorMap<D, 1>;
      }
      return new VecObject(array, base, owner, d0, dtype) as unknown as TensorMap<D, 1>;
    },
    matrix(array, base, owner, d0, d1) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || !(base + d0 * d1 <= array.length) || array.length > 0x3ffffffe) {
        return makeObject(array, base, owner, [d0, d1], dtype) as unknown as TensorMap<D, 2>;
      }
      return new MatrixObject(array, base, owner, d0, d1, dtype) as unknown as TensorMap<D, 2>;
    },
    tensor3(array, base, owner, d0, d1, d2) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || !(base + d0 * d1 * d2 <= array.length) || array.length > 0x3ffffffe) {
        return makeObject(array, base, owner, [d0, d1, d2], dtype) as unknown as TensorMap<D, 3>;
      }
      return new Tensor3Object(array, base, owner, d0, d1, d2, dtype) as unknown as TensorMap<D, 3>;
    },
    tensor4(array, base, owner, d0, d1, d2, d3) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || !(base + d0 * d1 * d2 * d3 <= array.length) || array.length > 0x3ffffffe) {
        return makeObject(array, base, owner, [d0, d1, d2, d3], dtype) as unknown as TensorMap<D, 4>;
      }
      return new Tensor4Object(array, base, owner, d0, d1, d2, d3, dtype) as unknown as TensorMap<D, 4>;
    },
    tensor5(array, base, owner, d0, d1, d2, d3, d4) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || typeof d4 !== "number" || (d4 & 0x3fffffff) !== d4 || !(base + d0 * d1 * d2 * d3 * d4 <= array.length) || array.length > 0x3ffffffe) {
        return makeObject(array, base, owner, [d0, d1, d2, d3, d4], dtype) as unknown as TensorMap<D, 5>;
      }
      return new Tensor5Object(array, base, owner, d0, d1, d2, d3, d4, dtype) as unknown as TensorMap<D, 5>;
    },
    tensor6(array, base, owner, d0, d1, d2, d3, d4, d5) {
      if (typeof base !== "number" || (base & 0x3fffffff) !== base || typeof d0 !== "number" || (d0 & 0x3fffffff) !== d0 || typeof d1 !== "number" || (d1 & 0x3fffffff) !== d1 || typeof d2 !== "number" || (d2 & 0x3fffffff) !== d2 || typeof d3 !== "number" || (d3 & 0x3fffffff) !== d3 || typeof d4 !== "number" || (d4 & 0x3fffffff) !== d4 || typeof d5 !== "number" || (d5 & 0x3fffffff) !== d5 || !(base + d0 * d1 * d2 * d3 * d4 * d5 <= array.length) || array.length > 0x3ffffffe) {
        return makeObject(array, base, owner, [d0, d1, d2, d3, d4, d5], dtype) as unknown as TensorMap<D, 6>;
      }
      return new Tensor6Object(array, base, owner, d0, d1, d2, d3, d4, d5, dtype) as unknown as TensorMap<D, 6>;
    },
    general(array, base, owner, dims) {
      return makeObject(array, base, owner, dims, dtype) as unknown as TensorMap<D, number>;
    },
    strided(array, offset, owner, dims, strides) {
      const g = checkStrides(dtype, array.length, offset, 1, dims, strides, true);
      return makeStridedObject(array, g.offset, owner, g.dims, g.strides, dtype, true) as unknown as StridedMap<D, number>;
    },
    constStrided(array, offset, owner, dims, strides) {
      const g = checkStrides(dtype, array.length, offset, 1, dims, strides, false);
      return makeStridedObject(array, g.offset, owner, g.dims, g.strides, dtype, false) as unknown as ConstStridedMap<D, number>;
    },
  };
}
