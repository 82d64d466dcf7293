/**
 * The LayoutView of the element types whose elements are not read as numbers.
 *
 *     s64, u64     a bigint       one slot of a BigInt64Array or BigUint64Array; larger values wrap
 *     pred         a boolean      one byte; any value but 0 is true
 *     c64, c128    [re, im]       two slots of a Float32Array or Float64Array
 *
 * As in NumberLayoutView, each kind of array has its own field. Reads return heap values anyway, so one class is enough
 * for all these types.
 */
import type { Complex, TypedArray } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { LayoutElement } from "./layout-view.ts";
import { LayoutView } from "./layout-view.ts";
import { PrimitiveType, primitiveTypeName } from "../type/primitive-type.ts";
import type { Shape } from "../model/shape.ts";

const kNoS64 = new BigInt64Array(0);
const kNoU64 = new BigUint64Array(0);
const kNoPred = new Uint8Array(0);
const kNoC64 = new Float32Array(0);
const kNoC128 = new Float64Array(0);

/** A view of bigints (s64, u64), booleans (pred) or complex numbers (c64, c128). */
export class ValueLayoutView extends LayoutView {
  declare private readonly type: PrimitiveType;
  declare private readonly s64: BigInt64Array<ArrayBufferLike>;
  declare private readonly u64: BigUint64Array<ArrayBufferLike>;
  declare private readonly pred: Uint8Array<ArrayBufferLike>;
  declare private readonly c64: Float32Array<ArrayBufferLike>;
  declare private readonly c128: Float64Array<ArrayBufferLike>;

  constructor(shape: Shape, data: TypedArray) {
    super(shape, data);
    const type = shape.elementType;
    this.type = type;
    this.s64 = type === PrimitiveType.S64 ? (data as BigInt64Array) : kNoS64;
    this.u64 = type === PrimitiveType.U64 ? (data as BigUint64Array) : kNoU64;
    this.pred = type === PrimitiveType.PRED ? (data as Uint8Array) : kNoPred;
    this.c64 = type === PrimitiveType.C64 ? (data as Float32Array) : kNoC64;
    this.c128 = type === PrimitiveType.C128 ? (data as Float64Array) : kNoC128;
  }

  /** Returns the element at one index per dimension; see LayoutView. */
  override at(...indices: number[]): LayoutElement {
    const value = this.readCell(this.#cellAt(indices));
    if (value === undefined) throw this.detachedError();
    return value;
  }

  /** Stores the last argument at the index given by the others; see LayoutView. */
  override set(...indicesAndValue: [...indices: number[], value: LayoutElement]): void {
    const value = indicesAndValue.pop() as LayoutElement;
    const cell = this.#cellAt(indicesAndValue as unknown as number[]);
    this.checkElement(value);
    this.writeCell(cell, value);
    if (this.readCell(cell) === undefined) throw this.detachedError();
  }

  /** Returns the cell of an index. Rank 2, the most frequent, takes a fast path. */
  #cellAt(indices: readonly number[]): number {
    return this.rank === 2 && indices.length === 2 ? this.cell2(indices[0]!, indices[1]!) : this.cellOf(indices);
  }

  protected override readCell(cell: number): LayoutElement | undefined {
    switch (this.type) {
      case PrimitiveType.S64:
        return this.s64[cell];
      case PrimitiveType.U64:
        return this.u64[cell];
      case PrimitiveType.C64:
        return pair(this.c64[2 * cell], this.c64[2 * cell + 1]);
      case PrimitiveType.C128:
        return pair(this.c128[2 * cell], this.c128[2 * cell + 1]);
      default: {
        const byte = this.pred[cell];
        return byte === undefined ? undefined : byte !== 0;
      }
    }
  }

  protected override writeCell(cell: number, value: LayoutElement): void {
    switch (this.type) {
      case PrimitiveType.S64:
        this.s64[cell] = value as bigint;
        return;
      case PrimitiveType.U64:
        this.u64[cell] = value as bigint;
        return;
      case PrimitiveType.C64:
        this.c64.set(value as Complex, 2 * cell);
        return;
      case PrimitiveType.C128:
        this.c128.set(value as Complex, 2 * cell);
        return;
      default:
        this.pred[cell] = value === true ? 1 : 0;
    }
  }

  protected override fillCells(value: LayoutElement, from: number, to: number): void {
    for (let cell = from; cell < to; cell++) this.writeCell(cell, value);
  }

  protected override checkElement(value: LayoutElement): void {
    if (!isElementOf(this.type, value))
      throw new InvalidArgumentError(`Not an element of ${primitiveTypeName(this.type)}: ${shownValue(value)}`);
  }
}

/** Returns a complex number, or undefined if its memory is detached. */
function pair(re: number | undefined, im: number | undefined): Complex | undefined {
  return re === undefined || im === undefined ? undefined : [re, im];
}

/** Returns true if a value has the form in which elements of a type are read. */
function isElementOf(type: PrimitiveType, value: unknown): boolean {
  if (type === PrimitiveType.PRED) return typeof value === "boolean";
  if (type === PrimitiveType.S64 || type === PrimitiveType.U64) return typeof value === "bigint";
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "number" && typeof value[1] === "number";
}
