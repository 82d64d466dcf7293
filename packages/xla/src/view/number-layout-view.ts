/**
 * The LayoutView of every element type whose elements are read as numbers.
 *
 * One class serves all these types, and access stays fast after many types have been used: each kind of typed array has its
 * own field, which never holds another kind, and `readCell` chooses the field. All branches return a number, so engines
 * need not allocate a heap object for the result.
 */
import type { TypedArray } from "@onebuffer/base";
import { bfloat16ToFloat, floatToBfloat16, floatToHalf, InvalidArgumentError } from "@onebuffer/base";
import { halfTable, shownValue } from "@onebuffer/base/internal";
import { LayoutView } from "./layout-view.ts";
import { PrimitiveType, primitiveTypeName } from "../type/primitive-type.ts";
import type { Shape } from "../model/shape.ts";
import type { SmallElement } from "../type/small-element.ts";
import { smallElement } from "../type/small-element.ts";

/** How an element is read. The order of the values is that of the decision tree in readCell. */
const Kind = { F32: 0, F64: 1, S32: 2, U8: 3, S8: 4, U16: 5, S16: 6, U32: 7, BF16: 8, F16: 9, SMALL: 10, PACKED: 11 } as const;

const kNoF32 = new Float32Array(0);
const kNoF64 = new Float64Array(0);
const kNoS8 = new Int8Array(0);
const kNoS16 = new Int16Array(0);
const kNoS32 = new Int32Array(0);
const kNoU8 = new Uint8Array(0);
const kNoU16 = new Uint16Array(0);
const kNoU32 = new Uint32Array(0);
const kNoSmall: SmallElement = { values: kNoF32, bitsOf: () => 0 };

const kDirect: Readonly<Partial<Record<PrimitiveType, number>>> = {
  [PrimitiveType.F32]: Kind.F32,
  [PrimitiveType.F64]: Kind.F64,
  [PrimitiveType.S32]: Kind.S32,
  [PrimitiveType.U8]: Kind.U8,
  [PrimitiveType.S8]: Kind.S8,
  [PrimitiveType.U16]: Kind.U16,
  [PrimitiveType.S16]: Kind.S16,
  [PrimitiveType.U32]: Kind.U32,
  [PrimitiveType.BF16]: Kind.BF16,
  [PrimitiveType.F16]: Kind.F16,
};

/** A view of an array whose elements are read as numbers. */
export class NumberLayoutView extends LayoutView<number> {
  declare private readonly kind: number;
  declare private readonly f32: Float32Array<ArrayBufferLike>;
  declare private readonly f64: Float64Array<ArrayBufferLike>;
  declare private readonly s8: Int8Array<ArrayBufferLike>;
  declare private readonly s16: Int16Array<ArrayBufferLike>;
  declare private readonly s32: Int32Array<ArrayBufferLike>;
  declare private readonly u8: Uint8Array<ArrayBufferLike>;
  declare private readonly u16: Uint16Array<ArrayBufferLike>;
  declare private readonly u32: Uint32Array<ArrayBufferLike>;
  declare private readonly small: SmallElement;
  /** The values by bit pattern, for a small type or float16. */
  declare private readonly values: Float32Array<ArrayBuffer>;
  /** If packed: the base-2 logarithm of the number of elements per byte. */
  declare private readonly perByte: number;
  /** If packed: the number of bits of one element. */
  declare private readonly bits: number;

  constructor(shape: Shape, data: TypedArray) {
    super(shape, data);
    const isPacked = this.storage.bits < 8;
    const kind = isPacked ? Kind.PACKED : (kDirect[shape.elementType] ?? Kind.SMALL);
    const isSmall = kind >= Kind.SMALL;
    this.kind = kind | 0;
    this.f32 = kind === Kind.F32 ? (data as Float32Array) : kNoF32;
    this.f64 = kind === Kind.F64 ? (data as Float64Array) : kNoF64;
    this.s8 = kind === Kind.S8 ? (data as Int8Array) : kNoS8;
    this.s16 = kind === Kind.S16 ? (data as Int16Array) : kNoS16;
    this.s32 = kind === Kind.S32 ? (data as Int32Array) : kNoS32;
    this.u8 = isSmall ? new Uint8Array(data.buffer, data.byteOffset, data.length) : kind === Kind.U8 ? (data as Uint8Array) : kNoU8;
    this.u16 = kind === Kind.U16 || kind === Kind.BF16 || kind === Kind.F16 ? (data as Uint16Array) : kNoU16;
    this.u32 = kind === Kind.U32 ? (data as Uint32Array) : kNoU32;
    this.small = isSmall ? smallElement(shape.elementType) : kNoSmall;
    this.values = isSmall ? this.small.values : kind === Kind.F16 ? halfTable() : kNoF32;
    this.perByte = (isPacked ? 3 - Math.log2(this.storage.bits) : 0) | 0;
    this.bits = (isPacked ? this.storage.bits : 8) | 0;
  }

  /** Returns the element at one index per dimension; see LayoutView. */
  override at(i?: number, j?: number, k?: number, l?: number): number {
    if (this.rank === 2 && arguments.length === 2) {
      const value = this.readCell(this.cell2(i!, j!));
      if (value === undefined) throw this.detachedError();
      return value;
    }
    return this.readAt(this.cellOfUpTo4(arguments.length, i, j, k, l));
  }

  /** Stores the last argument at the index given by the others; see LayoutView. */
  override set(...indicesAndValue: [...indices: number[], value: number]): void;
  override set(i?: number, j?: number, k?: number, l?: number, m?: number, ..._more: number[]): void {
    if (this.rank === 2 && arguments.length === 3) return this.storeAt(this.cell2(i!, j!), k!);
    const count = arguments.length - 1;
    this.storeAt(this.cellOfUpTo4(count, i, j, k, l), (count === 0 ? i : count === 1 ? j : count === 3 ? l : m)!);
  }

  /** Returns the element in a cell. Throws FAILED_PRECONDITION if the memory is detached. */
  protected readAt(cell: number): number {
    const value = this.readCell(cell);
    if (value === undefined) throw this.detachedError();
    return value;
  }

  /** Stores a value in a cell. Throws INVALID_ARGUMENT if it is not a number, and FAILED_PRECONDITION if the memory is detached. */
  protected storeAt(cell: number, value: number): void {
    if (typeof value !== "number") throw this.#kindError(value);
    this.writeCell(cell, value);
    if (this.readCell(cell) === undefined) throw this.detachedError();
  }

  protected override readCell(cell: number): number | undefined {
    const kind = this.kind;
    // The most frequent kind is tested first, the others by a decision tree.
    if (kind === Kind.F32) return this.f32[cell];
    if (kind < 8) {
      if (kind < 4) {
        if (kind === Kind.F64) return this.f64[cell];
        return kind === Kind.S32 ? this.s32[cell] : this.u8[cell];
      }
      if (kind < 6) return kind === Kind.S8 ? this.s8[cell] : this.u16[cell];
      return kind === Kind.S16 ? this.s16[cell] : this.u32[cell];
    }
    return this.#decode(cell);
  }

  /** Returns the element of a type stored as a bit pattern. Always a number: if it could be undefined, engines would allocate. */
  #decode(cell: number): number {
    const kind = this.kind;
    const raw = kind < Kind.SMALL ? this.u16[cell] : this.u8[kind === Kind.SMALL ? cell : Math.floor(cell / (1 << this.perByte))];
    if (raw === undefined) throw this.detachedError();
    if (kind === Kind.BF16) return bfloat16ToFloat(raw);
    return this.values[kind === Kind.PACKED ? (raw >> this.#shift(cell)) & ((1 << this.bits) - 1) : raw]!;
  }

  /** If packed: returns the position of the element's lowest bit in its byte. The first element has the highest bits. */
  #shift(cell: number): number {
    const perByte = 1 << this.perByte;
    return this.bits * (perByte - 1 - (cell % perByte));
  }

  protected override writeCell(cell: number, value: number): void {
    switch (this.kind) {
      case Kind.F32:
        this.f32[cell] = value;
        return;
      case Kind.F64:
        this.f64[cell] = value;
        return;
      case Kind.S32:
        this.s32[cell] = value;
        return;
      case Kind.U8:
        this.u8[cell] = value;
        return;
      case Kind.S8:
        this.s8[cell] = value;
        return;
      case Kind.U16:
        this.u16[cell] = value;
        return;
      case Kind.S16:
        this.s16[cell] = value;
        return;
      case Kind.U32:
        this.u32[cell] = value;
        return;
      default:
        this.#encode(cell, value);
    }
  }

  #encode(cell: number, value: number): void {
    if (this.kind === Kind.BF16) this.u16[cell] = floatToBfloat16(value);
    else if (this.kind === Kind.F16) this.u16[cell] = floatToHalf(value);
    else if (this.kind === Kind.SMALL) this.u8[cell] = this.#storedByte(value);
    else {
      const at = Math.floor(cell / (1 << this.perByte));
      const shift = this.#shift(cell);
      const mask = (1 << this.bits) - 1;
      this.u8[at] = (this.u8[at]! & ~(mask << shift)) | ((this.small.bitsOf(value) & mask) << shift);
    }
  }

  /** Returns the byte of an unpacked small element. Signed integers are sign-extended, as TensorFlow's int4 is. */
  #storedByte(value: number): number {
    const bits = this.small.bitsOf(value);
    const type = this.shape.elementType;
    return type === PrimitiveType.S4 || type === PrimitiveType.S2 || type === PrimitiveType.S1 ? this.values[bits]! : bits;
  }

  protected override fillCells(value: number, from: number, to: number): void {
    for (let cell = from; cell < to; cell++) this.writeCell(cell, value);
  }

  protected override checkElement(value: number): void {
    if (typeof value !== "number") throw this.#kindError(value);
  }

  #kindError(value: unknown): InvalidArgumentError {
    return new InvalidArgumentError(`Not an element of ${primitiveTypeName(this.shape.elementType)}: ${shownValue(value)}`);
  }
}

/** A view of numbers in more than four dimensions; indices are passed on as a list. */
export class HighRankNumberLayoutView extends NumberLayoutView {
  /** Returns the element at one index per dimension; see LayoutView. */
  override at(...indices: number[]): number {
    return this.readAt(this.cellOf(indices));
  }

  /** Stores the last argument at the index given by the others; see LayoutView. */
  override set(...indicesAndValue: [...indices: number[], value: number]): void {
    this.storeAt(this.cellOf(indicesAndValue.slice(0, -1)), indicesAndValue.at(-1)!);
  }
}
