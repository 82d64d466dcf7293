/**
 * The key under which a checkpoint stores one slice of one tensor (tensorflow/core/util/saved_tensor_slice_util.h).
 *
 *     "foo", -:-:1,3:4,5   ->   00   66 6f 6f 00 01   01 04   80 7f   80 7f   81 83   84 85
 *                               0    "foo"            rank 4  0 -1    0 -1    1 3     4 5
 *
 * The bytes sort as (name, rank, extents) do. The 0 in front keeps slices apart from whole tensors, whose key is their
 * bare name. A name is bytes: TensorFlow allows any, so decoding does not guess a text encoding.
 */
import { InternalError, InvalidArgumentError, OutOfRangeError, typedArrayKind } from "@onebuffer/base";
import { checkSlice } from "./argument-check.ts";
import { OrderedCodeReader, writeNumIncreasing, writeSignedNumIncreasing, writeString } from "./ordered-code.ts";
import { TensorSlice } from "./tensor-slice.ts";

/** Node and browsers both have it; the library's own types must not depend on either's. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

/** TensorFlow's rank is an int32. */
const kMaxRank = 2 ** 31 - 1;
/** How many bytes of a malformed code an error message shows. */
const kShownBytes = 64;

/**
 * What a checkpoint key says: the tensor's name as bytes, and the slice.
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

/** Whether a value is a Uint8Array (a Node Buffer too) of any realm. */
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
 * The checkpoint key of a slice of the tensor called `name`; a string stands for its UTF-8 bytes.
 *
 * Throws INVALID_ARGUMENT for a string with lone surrogates. Copies: the name. Quirk: a slice of rank 0 gets a key,
 * which decodeTensorNameSlice refuses.
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
 * The name and slice of a checkpoint key. A negative length makes a full dimension and its start is ignored; bytes
 * after the last dimension are ignored too, as in TensorFlow.
 *
 * Throws INTERNAL for malformed codes, OUT_OF_RANGE for starts, lengths and ends above 2^53 - 1, and INVALID_ARGUMENT
 * for what is no Uint8Array. Copies: the name.
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
  // A dimension takes two bytes at least, so a rank the code cannot back ends at its last byte, not after 2^31 pushes.
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

/** An explicit extent of a code, refused when it is negative or not exact as numbers. */
function decodedExtent(start: number | bigint, length: number | bigint, d: number): [number, number] {
  if (start < 0) throw new InternalError(`Failed to parse start of dimension ${d}: it is negative, ${start}`);
  if (typeof start === "bigint" || typeof length === "bigint" || start + length > Number.MAX_SAFE_INTEGER) {
    throw new OutOfRangeError(`Extent end exceeds ${Number.MAX_SAFE_INTEGER} in dimension ${d}: start = ${start}, length = ${length}`);
  }
  return [start, length];
}

/** The code as lower-case hex, its first bytes when it is long. */
function hex(code: Uint8Array): string {
  const shown = Array.from(code.subarray(0, kShownBytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return code.length > kShownBytes ? `${shown}... (${code.length} bytes)` : shown;
}
