/**
 * Encodes and decodes the key under which a checkpoint stores one slice of one tensor (tensorflow/core/util/saved_tensor_slice_util.h).
 *
 *     "foo", -:-:1,3:4,5   ->   00   66 6f 6f 00 01   01 04   80 7f   80 7f   81 83   84 85
 *                               0    "foo"            rank 4  0 -1    0 -1    1 3     4 5
 *
 * The bytes sort like (name, rank, extents). The leading 0 distinguishes slices from whole tensors, whose key is only the
 * name. TensorFlow allows any bytes as a name, so decoding returns bytes and does not assume a text encoding.
 */
import { InternalError, InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { typedArrayKind } from "@onebuffer/base/internal";
import { checkSlice } from "./argument-check.ts";
import { OrderedCodeReader, writeNumIncreasing, writeSignedNumIncreasing, writeString } from "./ordered-code.ts";
import { TensorSlice } from "./tensor-slice.ts";

/** Declared here because Node and browsers have it, but the library's types must not depend on the types of either. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

/** Ranks from here on are refused: TensorFlow's rank is an int32. */
const kMaxRank = 2 ** 31 - 1;
/** The most bytes of a malformed code in an error message. */
const kShownBytes = 64;

/**
 * The contents of a checkpoint key: the tensor's name as bytes, and the slice.
 *
 * @example
 * const key: TensorNameSlice = decodeTensorNameSlice(encodeTensorNameSlice("w", TensorSlice.parse("0,2")));
 * [...key.name]; // => [0x77]
 */
export interface TensorNameSlice {
  /** The tensor's name, as bytes. */
  readonly name: Uint8Array<ArrayBuffer>;
  /** The slice stored under the key. */
  readonly slice: TensorSlice;
}

/** Returns true if a value is a Uint8Array of any realm; a Node Buffer is one, too. */
function isBytes(value: unknown): value is Uint8Array {
  return typedArrayKind(value) === "Uint8Array";
}

function nameBytes(name: Uint8Array | string): Uint8Array {
  if (typeof name === "string") {
    // UTF-8 has no lone surrogates; encoding them as U+FFFD would give two names one key.
    if (!name.isWellFormed()) throw new InvalidArgumentError(`Expected a well-formed tensor name, got ${JSON.stringify(name)}`);
    return new TextEncoder().encode(name);
  }
  if (!isBytes(name)) throw new InvalidArgumentError(`Expected the tensor name as bytes or a string, got ${typeof name}`);
  return name;
}

/**
 * Returns the checkpoint key of a slice of the tensor called `name`. A string is encoded as UTF-8. Copies the name.
 *
 * Throws INVALID_ARGUMENT for a string with lone surrogates. Quirk: a slice of rank 0 has a key, but decodeTensorNameSlice
 * refuses it.
 *
 * @example
 * const code = encodeTensorNameSlice("foo", TensorSlice.parse("-:1,3"));
 * [...code]; // => [0, 0x66, 0x6f, 0x6f, 0, 1, 1, 2, 0x80, 0x7f, 0x81, 0x83]
 */
export function encodeTensorNameSlice(name: Uint8Array | string, slice: TensorSlice): Uint8Array<ArrayBuffer> {
  checkSlice(slice);
  const out: number[] = [];
  writeNumIncreasing(out, 0);
  writeString(out, nameBytes(name));
  writeNumIncreasing(out, slice.dims);
  for (const [start, length] of slice) {
    writeSignedNumIncreasing(out, start);
    writeSignedNumIncreasing(out, length);
  }
  return Uint8Array.from(out);
}

/**
 * Returns the name and slice of a checkpoint key. A negative length means a full dimension, and its start is ignored. Bytes
 * after the last dimension are ignored, too. Both are as in TensorFlow. Copies the name.
 *
 * Throws INTERNAL for malformed codes, OUT_OF_RANGE for starts, lengths and ends above 2^53 - 1, and INVALID_ARGUMENT
 * if `code` is not a Uint8Array.
 *
 * @example
 * const { name, slice } = decodeTensorNameSlice(Uint8Array.of(0, 0x77, 0, 1, 1, 1, 0x80, 0x82));
 * [...name]; // => [0x77]
 * slice.debugString(); // => "0,2"
 * decodeTensorNameSlice(Uint8Array.of(0, 0x77)); // throws INTERNAL
 */
export function decodeTensorNameSlice(code: Uint8Array): TensorNameSlice {
  if (!isBytes(code)) throw new InvalidArgumentError(`Expected a code as bytes, got ${typeof code}`);
  const reader = new OrderedCodeReader(code);
  const lead = reader.readNumIncreasing();
  if (lead === null) throw new InternalError(`Failed to parse the leading number: src = ${hex(code)}`);
  if (lead !== 0) throw new InternalError(`The leading number should always be 0 for any valid code, got ${lead}: src = ${hex(code)}`);
  const name = reader.readString();
  if (name === null) throw new InternalError(`Failed to parse the tensor name: src = ${hex(code)}`);
  const rank = reader.readNumIncreasing();
  if (rank === null) throw new InternalError(`Failed to parse the tensor rank: src = ${hex(code)}`);
  if (rank === 0) throw new InternalError(`Expecting positive rank of the tensor, got 0: src = ${hex(code)}`);
  if (rank >= kMaxRank) throw new InternalError(`Too many elements ${rank}: src = ${hex(code)}`);
  // A dimension takes at least two bytes, so the loop ends with the code's last byte even if the rank is 2^31 - 2.
  const extents: [number, number][] = [];
  for (let d = 0; d < rank; d++) {
    const start = reader.readSignedNumIncreasing();
    if (start === null) throw new InternalError(`Failed to parse start of dimension ${d}: src = ${hex(code)}`);
    const length = reader.readSignedNumIncreasing();
    if (length === null) throw new InternalError(`Failed to parse length of dimension ${d}: src = ${hex(code)}`);
    extents.push(length < 0 ? [0, TensorSlice.kFullExtent] : decodedExtent(start, length, d));
  }
  return { name, slice: TensorSlice.fromExtents(extents) };
}

/** Returns an extent as numbers. Throws INTERNAL for a negative start, OUT_OF_RANGE if a number would be rounded. */
function decodedExtent(start: number | bigint, length: number | bigint, d: number): [number, number] {
  if (start < 0) throw new InternalError(`Failed to parse start of dimension ${d}: it is negative, ${start}`);
  if (typeof start === "bigint" || typeof length === "bigint" || start + length > Number.MAX_SAFE_INTEGER) {
    throw new OutOfRangeError(`Extent end exceeds ${Number.MAX_SAFE_INTEGER} in dimension ${d}: start = ${start}, length = ${length}`);
  }
  return [start, length];
}

/** Returns the first bytes of the code as lower-case hex. */
function hex(code: Uint8Array): string {
  const shown = Array.from(code.subarray(0, kShownBytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return code.length > kShownBytes ? `${shown}... (${code.length} bytes)` : shown;
}
