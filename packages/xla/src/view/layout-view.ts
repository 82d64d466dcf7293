/**
 * LayoutView: reads and writes an array's elements by index, at the places that the layout gives them.
 *
 *     array  a d 0 b e 0 c f 0 0 0 0 0 0 0       u8[2,3]{0,1} in [3,5], ZERO_PAD
 *     view   at(0, 2) is c, at(1, 0) is d        rows a b c / d e f; the padding belongs to no element
 * (Letters and drawing: the XLA documentation, "Shapes and Layout", TensorFlow and OpenXLA authors, CC BY 3.0.)
 *
 * A view keeps the typed array it is given and copies nothing; the array may be the memory of a tensor. This base class has
 * what all views share: geometry, bounds checks and iteration. One subclass reads numbers and another all other elements,
 * because an access that may return either makes engines allocate every number on the heap (3 ns per access instead of
 * 1.4).
 *
 * Fields are only declared here and set once by the constructors. A field that is first defined and later set again is
 * slower to read, and reading fields is most of the cost of an access.
 */
import type { Complex, TypedArray } from "@onebuffer/base";
import { argumentError, isArray, plainTypedArray, typedArrayKind, shownValue, defineInspection } from "@onebuffer/base/internal";
import { FailedPreconditionError, InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { Addressing } from "../address/addressing.ts";
import { checkNumbers } from "../type/argument-check.ts";
import { AxisOffsets } from "../address/axis-offsets.ts";
import type { ElementStorage } from "./element-storage.ts";
import { elementStorage } from "./element-storage.ts";
import { paddingElement } from "./padding-element.ts";
import type { Shape } from "../model/shape.ts";
import { shownShape } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";

/** The value of an element: a number, a bigint for s64 and u64, a boolean for pred, [re, im] for complex types. */
export type LayoutElement = number | bigint | boolean | Complex;

/** Beyond this number of cells the general path is taken: products of index and stride no longer fit 32-bit integers. */
const kMaxFastCells = 2 ** 31 - 1;
const kNoTable = new Int32Array(0);

/**
 * A view of the elements of an array of any layout. Made by `layoutView`; the subclasses are not exported.
 *
 * Copies: never, except for `toArray`, `sliceValues` and `copyFrom`.
 *
 * @example
 * const shape = ShapeUtil.makeShapeWithDenseLayout("f32", [2, 3], [0, 1]);
 * const view: LayoutView<number> = layoutView(shape, new Float32Array([1, 4, 2, 5, 3, 6]));
 * view.at(1, 0); // => 4
 * view.at(1, 3); // throws OUT_OF_RANGE
 * view.toArray(); // => [1, 2, 3, 4, 5, 6]
 */
export abstract class LayoutView<E extends LayoutElement = LayoutElement> {
  /** The shape, with its layout. */
  declare readonly shape: Shape;
  /** The typed array that was passed in. */
  declare readonly data: TypedArray;
  /** The number of dimensions. */
  declare readonly rank: number;
  /** The number of elements. */
  declare readonly size: number;
  /** The number of cells of the layout: elements and padding, including the tail padding of tiles. */
  declare readonly cells: number;
  declare protected readonly addressing: Addressing;
  declare protected readonly storage: ElementStorage;
  /** True if every cell is a 32-bit integer and the layout has strides, or rank 2 and tables. */
  declare private readonly fast: boolean;
  declare private readonly tabled: boolean;
  declare private readonly d0: number;
  declare private readonly d1: number;
  declare private readonly d2: number;
  declare private readonly d3: number;
  declare private readonly s0: number;
  declare private readonly s1: number;
  declare private readonly s2: number;
  declare private readonly s3: number;
  declare private readonly t0: Int32Array<ArrayBuffer>;
  declare private readonly t1: Int32Array<ArrayBuffer>;

  constructor(shape: Shape, data: TypedArray) {
    const addressing = new Addressing(shape, "LayoutView");
    const storage = elementStorage(shape, addressing, data, "LayoutView");
    const { dimensions, strides } = addressing;
    this.shape = shape;
    this.data = data;
    this.rank = dimensions.length;
    this.size = addressing.elements;
    this.cells = storage.cells;
    this.addressing = addressing;
    this.storage = storage;
    const tables = strides === null && dimensions.length === 2 ? dimensions.map((size, d) => tableOf(addressing, d, size)) : [];
    this.tabled = tables.length === 2 && tables.every((table) => table !== null);
    this.fast = (strides !== null || this.tabled) && storage.cells <= kMaxFastCells && dimensions.every((size) => size <= kMaxFastCells);
    const known = this.fast ? (strides ?? []) : [];
    // Without the fast path the sizes are 0, so no index passes its bounds check.
    const sizes = this.fast ? dimensions : [0];
    this.d0 = (sizes[0] ?? 1) | 0;
    this.d1 = (sizes[1] ?? 1) | 0;
    this.d2 = (sizes[2] ?? 1) | 0;
    this.d3 = (sizes[3] ?? 1) | 0;
    this.s0 = (known[0] ?? 0) | 0;
    this.s1 = (known[1] ?? 0) | 0;
    this.s2 = (known[2] ?? 0) | 0;
    this.s3 = (known[3] ?? 0) | 0;
    this.t0 = tables[0] ?? kNoTable;
    this.t1 = tables[1] ?? kNoTable;
  }

  /** The size of each dimension. */
  get dimensions(): readonly number[] {
    return this.shape.dimensions;
  }

  /**
   * Returns the element at one index per dimension. Throws OUT_OF_RANGE, naming the index and the dimension, if an index is
   * outside its dimension; INVALID_ARGUMENT for another number of indices; FAILED_PRECONDITION if the array's memory is
   * detached.
   */
  abstract at(...indices: number[]): E;

  /**
   * Stores the last argument at the index given by the others. Integers wrap as in a typed array; floats round to nearest,
   * ties to even. Throws as `at` does, and INVALID_ARGUMENT for a value of the wrong type.
   */
  abstract set(...indicesAndValue: [...indices: number[], value: E]): void;

  /** Returns the element in a cell of the buffer; undefined if the memory is detached. Nothing is checked. */
  protected abstract readCell(cell: number): E | undefined;

  /** Stores a value that has been checked in a cell. */
  protected abstract writeCell(cell: number, value: E): void;

  /** Stores one value in the cells from `from` up to but not including `to`. */
  protected abstract fillCells(value: E, from: number, to: number): void;

  /** Throws INVALID_ARGUMENT for a value of the wrong type. */
  protected abstract checkElement(value: E): void;

  /** Returns the cell of an index of rank 2, by strides or by tables; all other cases go to cellOf. */
  protected cell2(i: number, j: number): number {
    if (typeof i !== "number" || typeof j !== "number") throw argumentError("an index of two numbers", typeof i === "number" ? j : i);
    const ii = i | 0;
    const jj = j | 0;
    if (ii !== i || jj !== j || ii < 0 || jj < 0 || ii >= this.d0 || jj >= this.d1) return this.cellOf([i, j]);
    if (this.tabled) return (this.t0[ii]! + this.t1[jj]!) | 0;
    return (Math.imul(ii, this.s0) + Math.imul(jj, this.s1)) | 0;
  }

  /** Returns the cell of an index of `count` entries. Ranks above 4 are refused; their subclass does not call this. */
  protected cellOfUpTo4(count: number, i?: number, j?: number, k?: number, l?: number): number {
    if (count !== this.rank || count > 4)
      throw new InvalidArgumentError(`${count} indices for ${shownShape(this.shape)} of rank ${this.rank}`);
    const ii = count > 0 ? i! | 0 : 0;
    const jj = count > 1 ? j! | 0 : 0;
    const kk = count > 2 ? k! | 0 : 0;
    const ll = count > 3 ? l! | 0 : 0;
    const isWhole = (count < 1 || ii === i) && (count < 2 || jj === j) && (count < 3 || kk === k) && (count < 4 || ll === l);
    // A missing dimension has size 1 here, so its index 0 is inside.
    const isInside = ii >= 0 && jj >= 0 && kk >= 0 && ll >= 0 && ii < this.d0 && jj < this.d1 && kk < this.d2 && ll < this.d3;
    if (!this.fast || this.tabled || !isWhole || !isInside) return this.cellOf([i!, j!, k!, l!].slice(0, count));
    return (Math.imul(ii, this.s0) + Math.imul(jj, this.s1) + Math.imul(kk, this.s2) + Math.imul(ll, this.s3)) | 0;
  }

  /** Returns the cell of any index, after all checks. Throws OUT_OF_RANGE and INVALID_ARGUMENT. */
  protected cellOf(index: readonly number[]): number {
    const { dimensions } = this.shape;
    if (index.length !== dimensions.length)
      throw new InvalidArgumentError(`${index.length} indices for ${shownShape(this.shape)} of rank ${dimensions.length}`);
    for (let d = 0; d < dimensions.length; d++) {
      const i = index[d]!;
      if (!(Number.isInteger(i) && i >= 0 && i < dimensions[d]!))
        throw new OutOfRangeError(`index ${shownValue(i)} of dimension ${d} is not in [0, ${dimensions[d]!}) of ${shownShape(this.shape)}`);
    }
    return this.addressing.cellOf(index);
  }

  /** Returns the error of an access to detached memory. */
  protected detachedError(): FailedPreconditionError {
    return new FailedPreconditionError(`The memory of a view of ${shownShape(this.shape)} is detached`);
  }

  /** Calls `visit` with the cell of every element in row-major order. Within a row, cells come from strides, a table or the tiles. */
  protected forEachCell(visit: (cell: number) => void): void {
    const { dimensions, strides } = this.addressing;
    const last = dimensions.length - 1;
    if (this.size === 0) return;
    if (last < 0) return visit(0);
    const index = new Array<number>(dimensions.length).fill(0);
    const axis = AxisOffsets.of(this.addressing, last);
    const run = dimensions[last]!;
    const rows = this.size / run;
    for (let row = 0; row < rows; row++) {
      index[last] = 0;
      const start = this.addressing.cellOf(index);
      for (let i = 0; i < run; i++) {
        if (strides !== null) visit(start + i * strides[last]!);
        else if (axis !== null) visit(start + axis.at(i));
        else {
          index[last] = i;
          visit(this.addressing.cellOf(index));
        }
      }
      for (let d = last - 1; d >= 0; d--) {
        index[d]! += 1;
        if (index[d]! < dimensions[d]!) break;
        index[d] = 0;
      }
    }
  }

  /**
   * Writes all elements, given in row-major order. Throws INVALID_ARGUMENT for another number of values, or if a value has
   * the wrong type; nothing is written then. Copies: every element.
   *
   * @example
   * const view = layoutView(ShapeUtil.makeShapeWithDenseLayout("u8", [2, 3], [0, 1]), new Uint8Array(6));
   * view.copyFrom([1, 2, 3, 4, 5, 6]);
   * [...view.data]; // => [1, 4, 2, 5, 3, 6]
   */
  copyFrom(values: Iterable<E>): void {
    if (typeof (values as Partial<Iterable<E>> | null | undefined)?.[Symbol.iterator] !== "function")
      throw argumentError("a list of values", values);
    const list = isArray(values)
      ? (values as readonly E[])
      : [...(typedArrayKind(values) === "" ? values : (plainTypedArray(values as unknown as TypedArray) as unknown as Iterable<E>))];
    if (list.length !== this.size)
      throw new InvalidArgumentError(`${list.length} values for ${shownShape(this.shape)} of ${this.size} elements`);
    for (const value of list) this.checkElement(value);
    let next = 0;
    this.forEachCell((cell) => this.writeCell(cell, list[next++]!));
  }

  /**
   * Fills the cells that hold no element: the padding of padded dimensions and of tiles. The default value is the layout's
   * padding value: zero, one, the lowest or the highest value of the element type (an infinity if it has one), or NaN for
   * UNKNOWN_PAD if the type has it. It is zero if the layout has no padding value, which is the case for tiles.
   *
   * Throws INVALID_ARGUMENT for a value of the wrong type, and for LOWEST_PAD and HIGHEST_PAD of complex types.
   *
   * @example
   * const layout = new Layout([0, 1], { paddedDimensions: [3, 5], paddingValue: PaddingValue.ONE_PAD });
   * const view = layoutView(Shape.array("u8", [2, 3], { layout }), new Uint8Array(15));
   * view.fillPadding();
   * [...view.data]; // => [0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1]
   */
  fillPadding(value: E = paddingElement(this.shape) as E): void {
    this.checkElement(value);
    if (this.cells === this.size) return;
    const isElement = new Uint8Array(this.cells);
    this.forEachCell((cell) => (isElement[cell] = 1));
    for (let from = isElement.indexOf(0); from >= 0; ) {
      const next = isElement.indexOf(1, from);
      const to = next < 0 ? this.cells : next;
      this.fillCells(value, from, to);
      from = isElement.indexOf(0, to);
    }
  }

  /**
   * Returns the elements from `starts` up to but not including `limits`, in row-major order; `steps` gives the step in each
   * dimension, by default 1. These are the values of Literal::Slice. Copies: the returned elements.
   *
   * Throws INVALID_ARGUMENT for lists of another length than the rank, bounds that are not 0 <= start <= limit <= size, and
   * steps that are not positive; FAILED_PRECONDITION if the memory is detached.
   *
   * @example
   * const view = layoutView(ShapeUtil.makeShape("s32", [2, 3]), new Int32Array([1, 2, 3, 4, 5, 6]));
   * view.sliceValues([0, 1], [2, 3]); // => [2, 3, 5, 6]
   * view.sliceValues([0, 0], [1, 3], [1, 2]); // => [1, 3]
   * view.sliceValues([0, 0], [1, 4]); // throws INVALID_ARGUMENT
   */
  sliceValues(starts: readonly number[], limits: readonly number[], steps?: readonly number[]): E[] {
    checkNumbers(starts, "starts");
    checkNumbers(limits, "limits");
    if (steps !== undefined) checkNumbers(steps, "strides");
    const strides = steps ?? starts.map(() => 1);
    const { dimensions } = this.shape;
    checkSlice(dimensions, starts, limits, strides);
    const found: E[] = [];
    const index = starts.slice();
    const walk = (d: number): void => {
      if (d === dimensions.length) {
        const value = this.readCell(this.addressing.cellOf(index));
        if (value === undefined) throw this.detachedError();
        found.push(value);
        return;
      }
      for (let i = starts[d]!; i < limits[d]!; i += strides[d]!) {
        index[d] = i;
        walk(d + 1);
      }
    };
    if (limits.every((limit, d) => limit > starts[d]!)) walk(0);
    return found;
  }

  /** Returns the elements in row-major order. Copies: every element. Throws FAILED_PRECONDITION if the memory is detached. */
  toArray(): E[] {
    const all: E[] = [];
    this.forEachCell((cell) => {
      const value = this.readCell(cell);
      if (value === undefined) throw this.detachedError();
      all.push(value);
    });
    return all;
  }

  /** Iterates over the elements in row-major order. Each element is read when it is requested. */
  *[Symbol.iterator](): IterableIterator<E> {
    const { dimensions } = this.shape;
    const index = new Array<number>(dimensions.length).fill(0);
    for (let n = 0; n < this.size; n++) {
      const value = this.readCell(this.addressing.cellOf(index));
      if (value === undefined) throw this.detachedError();
      yield value;
      for (let d = dimensions.length - 1; d >= 0; d--) {
        index[d]! += 1;
        if (index[d]! < dimensions[d]!) break;
        index[d] = 0;
      }
    }
  }

  /** Returns the text of the shape with its layout, without elements. */
  toString(): string {
    return `LayoutView ${this.shape.toString(true)}`;
  }

  static {
    defineInspection(this.prototype, (view) => view.toString());
  }
}

/** Returns the offset of every index of a dimension, or null if offsets exceed 32 bits or the table would be too long. */
function tableOf(addressing: Addressing, d: number, size: number): Int32Array<ArrayBuffer> | null {
  const offsets = addressing.cells <= kMaxFastCells ? AxisOffsets.of(addressing, d) : null;
  return offsets !== null && offsets.table.length >= size ? Int32Array.from(offsets.table) : null;
}

function checkSlice(dimensions: readonly number[], starts: readonly number[], limits: readonly number[], strides: readonly number[]): void {
  for (const list of [starts, limits, strides]) {
    if (list.length !== dimensions.length)
      throw new InvalidArgumentError(`A slice of rank ${dimensions.length} with ${list.length} numbers ${shownList(list)}`);
  }
  dimensions.forEach((size, d) => {
    const [start, limit, stride] = [starts[d]!, limits[d]!, strides[d]!];
    const isInside = Number.isInteger(start) && Number.isInteger(limit) && start >= 0 && start <= limit && limit <= size;
    if (!isInside)
      throw new InvalidArgumentError(
        `The slice from ${shownValue(start)} to ${shownValue(limit)} of dimension ${d} is not inside [0, ${size}]`,
      );
    if (!(Number.isInteger(stride) && stride > 0))
      throw new InvalidArgumentError(`The stride ${shownValue(stride)} of dimension ${d} is not a positive integer`);
  });
}
