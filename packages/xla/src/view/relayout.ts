/**
 * relayout: copies an array's elements from one layout to another (as Literal::Relayout does with a literal's buffer).
 *
 *     s32[2,2,3]{2,1,0}   1 2 3 4 5 6 7 8 9 10 11 12
 *     s32[2,2,3]{0,1,2}   1 7 4 10 2 8 5 11 3 9 6 12
 *
 * The copy goes through the target in its order. Large arrays without tiles are copied by eigen's kernels, fastest if both
 * are in the linear memory. The copy moves bit patterns; it converts neither types nor element sizes.
 */
import type { TypedArray } from "@onebuffer/base";
import { checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { Addressing } from "../address/addressing.ts";
import { checkShape } from "../type/argument-check.ts";
import type { ElementStorage } from "./element-storage.ts";
import { elementStorage } from "./element-storage.ts";
import { copyByKernels } from "./kernel-copy.ts";
import { layoutView } from "./make-layout-view.ts";
import { paddingElement } from "./padding-element.ts";
import { Shape, shownShape } from "../model/shape.ts";
import type { BitSlots } from "@onebuffer/storage/internal";
import { copyStrided, sameSizes } from "@onebuffer/storage/internal";
import type { MoveCell } from "./tiled-copy.ts";
import { forEachCellPair } from "./tiled-copy.ts";

/** An array: a shape with a layout, and the typed array that holds the elements. */
export interface LaidOutArray {
  readonly shape: Shape;
  readonly data: TypedArray;
}

/**
 * Copies the elements of `source` to `target`, whose layout may differ: plain, padded or tiled. Cells of the target that
 * hold no element are filled as `LayoutView.fillPadding` does. The size of a bounded dynamic dimension is its bound.
 *
 * Throws INVALID_ARGUMENT if the shapes differ in type or dimensions, if their element sizes differ, if the two arrays
 * overlap in memory, and as `layoutView` does. Copies: every element. Large arrays outside the linear memory are copied
 * through 4 MiB of it, which are released at the end.
 *
 * @example
 * const rows = { shape: ShapeUtil.makeShape("f32", [2, 3]), data: new Float32Array([1, 2, 3, 4, 5, 6]) };
 * const columns = { shape: ShapeUtil.makeShapeWithDenseLayout("f32", [2, 3], [0, 1]), data: new Float32Array(6) };
 * relayout(rows, columns);
 * [...columns.data]; // => [1, 4, 2, 5, 3, 6]
 * relayout(rows, { shape: ShapeUtil.makeShape("f32", [3, 2]), data: new Float32Array(6) }); // throws INVALID_ARGUMENT
 */
export function relayout(source: LaidOutArray, target: LaidOutArray): void {
  checkObject(source, "an array with its shape");
  checkObject(target, "an array with its shape");
  checkShape(source.shape);
  checkShape(target.shape);
  const from = new Addressing(source.shape, "relayout, source");
  const to = new Addressing(target.shape, "relayout, target");
  if (source.shape.elementType !== target.shape.elementType || !sameSizes(from.dimensions, to.dimensions)) {
    throw new InvalidArgumentError(
      `relayout: ${shownShape(source.shape)} and ${shownShape(target.shape)} differ in more than their layouts`,
    );
  }
  const sourceStorage = elementStorage(source.shape, from, source.data, "relayout, source");
  const storage = elementStorage(target.shape, to, target.data, "relayout, target");
  if (sourceStorage.bits !== storage.bits)
    throw new InvalidArgumentError(
      `relayout: element sizes of ${sourceStorage.bits} and ${storage.bits} bits; relayout does not convert elements`,
    );
  checkApart(source.data, target.data);
  if (storage.cells > to.elements) fillCells(target, storage);
  if (to.elements === 0) return;
  if (storage.bits < 8) return forEachCellPair(from, to, boxTile(source, target), packedMove(source.data, target.data, storage.bits));
  const [sourceSlots, targetSlots] = [bitSlots(source.data), bitSlots(target.data)];
  const slots = storage.bits / 8 / sourceSlots.BYTES_PER_ELEMENT;
  if (from.strides === null || to.strides === null)
    return forEachCellPair(from, to, boxTile(source, target), slotMove(sourceSlots, targetSlots, slots));
  const { strides } = from;
  const axes = to.dimensions.map((size, d) => ({ size, source: strides[d]! * slots, target: to.strides![d]! * slots }));
  if (!copyByKernels(sourceSlots, targetSlots, axes, slots)) copyStrided(sourceSlots, 0, targetSlots, 0, axes, slots);
}

/** Throws INVALID_ARGUMENT if two arrays share bytes: a copy between them would read bytes that it has already written. */
function checkApart(source: TypedArray, target: TypedArray): void {
  if (source.buffer !== target.buffer) return;
  if (source.byteOffset < target.byteOffset + target.byteLength && target.byteOffset < source.byteOffset + source.byteLength) {
    throw new InvalidArgumentError(
      `relayout: source and target overlap in memory, at byte ${source.byteOffset} and at byte ${target.byteOffset} of one buffer`,
    );
  }
}

/** Returns the tile that gives the boxes of the copy: the target's first tile, or the source's if the target has none. */
function boxTile(source: LaidOutArray, target: LaidOutArray): readonly number[] {
  return (target.shape.layout?.tiles[0] ?? source.shape.layout?.tiles[0])?.dimensions ?? [];
}

/** Returns the bytes of an array as slots of its element size, at most 4 bytes. */
function bitSlots(data: TypedArray): BitSlots {
  const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: bytes } = data;
  if (bytes === 1) return new Uint8Array(buffer, byteOffset, byteLength);
  if (bytes === 2) return new Uint16Array(buffer, byteOffset, byteLength / 2);
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

function slotMove(source: BitSlots, target: BitSlots, slots: number): MoveCell {
  if (slots === 1) {
    return (from, to) => {
      target[to] = source[from]!;
    };
  }
  return (from, to) => {
    for (let i = 0; i < slots; i++) target[to * slots + i] = source[from * slots + i]!;
  };
}

/** Returns a function that moves elements of 1, 2 or 4 bits. The first element of a byte has its high bits. */
function packedMove(source: TypedArray, target: TypedArray, bits: number): MoveCell {
  const [s, t] = [bitSlots(source), bitSlots(target)];
  const perByte = 8 / bits;
  const mask = (1 << bits) - 1;
  return (from, to) => {
    const value = (s[Math.floor(from / perByte)]! >> (bits * (perByte - 1 - (from % perByte)))) & mask;
    const at = Math.floor(to / perByte);
    const shift = bits * (perByte - 1 - (to % perByte));
    t[at] = (t[at]! & ~(mask << shift)) | (value << shift);
  };
}

/** Fills every cell of the target with the padding element; the copy then overwrites the cells of the elements. */
function fillCells({ shape, data }: LaidOutArray, { bits, slots, cells }: ElementStorage): void {
  const value = paddingElement(shape);
  const one = data.slice(0, slots);
  const scalar = Shape.array(shape.elementType, []);
  layoutView<typeof value>(scalar, one).set(value);
  const target = bitSlots(data);
  if (bits < 8) {
    const mask = (1 << bits) - 1;
    const pattern = ((bitSlots(one)[0]! & mask) * 0xff) / mask;
    const whole = Math.floor((cells * bits) / 8);
    target.fill(pattern, 0, whole);
    // The array owns only the high bits of the last byte.
    const used = (cells * bits) % 8;
    if (used > 0) target[whole] = (target[whole]! & (0xff >> used)) | (pattern & ~(0xff >> used) & 0xff);
    return;
  }
  const element = bitSlots(one);
  const width = element.length;
  if (width === 1) {
    target.fill(element[0]!, 0, cells);
    return;
  }
  for (let cell = 0; cell < cells; cell++) target.set(element, cell * width);
}
