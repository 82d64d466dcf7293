/**
 * Reads and writes single elements of any dtype as values: through a typed array if the bytes are aligned, through a DataView if they
 * are not.
 */
import type { Complex, DType, RawDType, TypedArray } from "@onebuffer/base";
import { elementCodec, typedArrayConstructor } from "@onebuffer/base";
import { bfloat16Bits, bfloat16Value, halfBits, halfTable, isSmallDType } from "@onebuffer/base/internal";
import { isComplexDType } from "@onebuffer/expression/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { placeRange, smallFormat } from "@onebuffer/storage/internal";
import type { Value } from "./values.ts";

/** Returns the value at a place. Places are counted in elements from the lowest element of the map. */
export type ReadPlace = (place: number) => Value;
/** Stores a value at a place. */
export type WritePlace = (place: number, value: Value) => void;

/** Access to the elements of a map: `offset` is the place of element (0, 0, …). */
export interface Access {
  readonly offset: number;
  readonly read: ReadPlace;
  readonly write: WritePlace;
}

/** Returns access to the elements of `places`. Does not check that the memory is alive: callers get `places` from a map that is. */
export function accessTo(places: RawPlaces, dtype: RawDType): Access {
  const { buffer, byteOffset, itemBytes, dims, strides } = places;
  const [low, end] = placeRange({ offset: 0, dims, strides });
  const first = byteOffset + low * itemBytes;
  const count = dims.includes(0) ? 0 : end - low;
  const constructor = typedArrayConstructor(dtype);
  if (first % constructor.BYTES_PER_ELEMENT !== 0) {
    return { offset: -low, ...bytewise(new DataView(buffer, first, count * itemBytes), dtype) };
  }
  const slots = itemBytes / constructor.BYTES_PER_ELEMENT;
  return { offset: -low, ...arrayAccess(new constructor(buffer, first, count * slots), dtype) };
}

type ReadWrite = Pick<Access, "read" | "write">;

/** Returns access to a typed array; place 0 is its first element. */
export function arrayAccess(array: TypedArray, dtype: DType): ReadWrite {
  const numbers = array as Float64Array<ArrayBufferLike>;
  switch (dtype) {
    case "bool":
      return { read: (p) => (numbers[p] === 0 ? 0 : 1), write: store(numbers) };
    case "float16": {
      const table = halfTable();
      return { read: (p) => table[numbers[p] as number] as number, write: encoded(numbers, halfBits) };
    }
    case "bfloat16":
      return { read: (p) => bfloat16Value(numbers[p] as number), write: encoded(numbers, bfloat16Bits) };
    case "complex64":
    case "complex128":
      return {
        read: (p) => [numbers[2 * p] as number, numbers[2 * p + 1] as number],
        write: (p, value) => {
          const [re, im] = value as Complex;
          numbers[2 * p] = re;
          numbers[2 * p + 1] = im;
        },
      };
    default:
      if (isSmallDType(dtype)) {
        const { table, encode } = smallFormat(dtype);
        return { read: (p) => table[(numbers[p] as number) & 0xff] as number, write: encoded(numbers, encode) };
      }
      return { read: (p) => numbers[p] as number, write: store(numbers) };
  }
}

function store(numbers: Float64Array<ArrayBufferLike>): WritePlace {
  return (place, value) => {
    numbers[place] = value as number;
  };
}

function encoded(numbers: Float64Array<ArrayBufferLike>, encode: (x: number) => number): WritePlace {
  return (place, value) => {
    numbers[place] = encode(value as number);
  };
}

/** Returns access through the dtype's codec, for any alignment. */
function bytewise(view: DataView, dtype: RawDType): ReadWrite {
  const codec = elementCodec(dtype);
  const { bytes } = codec;
  if (dtype === "bool") {
    return { read: (p) => (view.getUint8(p) === 0 ? 0 : 1), write: (p, value) => view.setUint8(p, value as number) };
  }
  return {
    read: (p) => codec.read(view, p * bytes) as Value,
    write: (p, value) => codec.write(view, p * bytes, value as never),
  };
}

/** Returns the number of array slots per element: 2 for complex dtypes, otherwise 1. */
export function slotsOf(dtype: DType): 1 | 2 {
  return isComplexDType(dtype) ? 2 : 1;
}
