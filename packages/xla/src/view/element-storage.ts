/**
 * How the elements of an array are stored in a typed array: the class of the array, the slots per element, the bits per
 * element.
 *
 *     f32   Float32Array   one slot               c64   Float32Array   two slots: re, im
 *     bf16  Uint16Array    the bit pattern        pred  Uint8Array     0 or 1
 *     s4    Int8Array or Uint8Array, one per byte; with E(4) two per byte, the first in the high bits
 *
 * Quirk: XLA packs from the high bits down (PackIntN in xla/util.h), other libraries from the low bits up.
 */
import type { RawDType, TypedArray } from "@onebuffer/base";
import { arraySlots, InvalidArgumentError, typedArrayConstructor, UnimplementedError } from "@onebuffer/base";
import { typedArrayKind, typedArrayLength, shownValue } from "@onebuffer/base/internal";
import type { Addressing } from "../address/addressing.ts";
import { PrimitiveType, primitiveTypeName } from "../type/primitive-type.ts";
import { dtypeOfType } from "../type/primitive-type-data-type.ts";
import { bitWidth, byteWidth, isSubByteNonPredType } from "../type/primitive-type-traits.ts";
import type { Shape } from "../model/shape.ts";
import { shownShape } from "../model/shape.ts";
import { alignedCells, storedBits } from "../surgery/shape-size.ts";

/** The storage of the elements of one shape. */
export interface ElementStorage {
  /** The number of bits of one element: 1, 2 or 4 if packed, else whole bytes. */
  readonly bits: number;
  /** The number of slots of the typed array that one element takes; 1 if packed. */
  readonly slots: 1 | 2;
  /** The number of cells in the buffer, including the tail padding of tiles. */
  readonly cells: number;
}

/**
 * Returns the storage of a shape's elements in `data`, after checking the array's class and length.
 *
 * Throws INVALID_ARGUMENT for an array of another class and for one that is too short; UNIMPLEMENTED for an element size
 * that is neither the natural one nor a packing of a small type, and for a layout that is split over several memories.
 */
export function elementStorage(shape: Shape, addressing: Addressing, data: TypedArray, what: string): ElementStorage {
  const type = shape.elementType;
  const name = primitiveTypeName(type);
  const bits = storedBits(shape);
  const isPacked = isSubByteNonPredType(type) && (bits === 1 || bits === 2 || bits === 4) && bits >= bitWidth(type);
  if (!isPacked && bits !== 8 * byteWidth(type))
    throw new UnimplementedError(`${what}: elements of ${name} stored in ${bits} bits are not supported: ${shownShape(shape, true)}`);
  if ((shape.layout?.splitConfigs.length ?? 0) > 0)
    throw new UnimplementedError(`${what}: ${shownShape(shape, true)} is split over several memories, which is not supported`);
  const classes = arrayClasses(type);
  const given = typedArrayKind(data) || shownValue(data);
  if (!classes.includes(given))
    throw new InvalidArgumentError(`${what}: elements of ${name} are stored in ${classes.join(" or ")}, not in ${given}`);
  const slots = slotsOf(type);
  const cells =
    addressing.tiling === null ? addressing.cells : alignedCells(addressing.cells, shape.layout!.tailPaddingAlignmentInElements);
  const needed = isPacked ? Math.ceil((cells * bits) / 8) : cells * slots;
  if (!(typedArrayLength(data) >= needed))
    throw new InvalidArgumentError(
      `${what}: ${shownShape(shape, true)} needs ${needed} slots of a ${given}, which has ${typedArrayLength(data)}`,
    );
  return { bits, slots, cells };
}

/** Returns the class names of the typed arrays that may hold elements of a type. */
function arrayClasses(type: PrimitiveType): readonly string[] {
  if (isSubByteNonPredType(type) && type !== PrimitiveType.F4E2M1FN) return ["Int8Array", "Uint8Array"];
  const dtype = dtypeOfType(type) as RawDType | null;
  return [dtype === null ? "Uint8Array" : className(new (typedArrayConstructor(dtype))(0))];
}

/** Returns the class name of a typed array from any realm. */
function className(array: TypedArray): string {
  return typedArrayKind(array);
}

function slotsOf(type: PrimitiveType): 1 | 2 {
  const dtype = dtypeOfType(type) as RawDType | null;
  return dtype === null ? 1 : arraySlots(dtype);
}
