/**
 * Bytes from outside, whatever holds them: the whole of an ArrayBuffer or SharedArrayBuffer, or the part of one that a
 * typed array, a DataView or Node's Buffer shows. Seen as a Uint8Array, never copied.
 */
import { InvalidArgumentError, viewPlace } from "@onebuffer/base";

/**
 * What a reader takes: a buffer, or a view of one.
 *
 * @example
 * const inputs: BytesInput[] = [new ArrayBuffer(4), new DataView(new ArrayBuffer(4)), new SharedArrayBuffer(4)];
 * inputs.map((input) => input.byteLength); // => [4, 4, 4]
 * readNpy(inputs[0] as BytesInput); // throws INVALID_ARGUMENT
 */
export type BytesInput = ArrayBufferLike | ArrayBufferView<ArrayBufferLike>;

/**
 * The bytes of `input` as a Uint8Array over the same memory.
 *
 * Throws INVALID_ARGUMENT when `input` is neither a buffer nor a view. Copies: never.
 */
export function byteView(input: BytesInput): Uint8Array<ArrayBufferLike> {
  const view = ArrayBuffer.isView(input);
  const tag = Object.prototype.toString.call(input);
  if (!view && tag !== "[object ArrayBuffer]" && tag !== "[object SharedArrayBuffer]") {
    throw new InvalidArgumentError(`expected an ArrayBuffer, a SharedArrayBuffer or a view of one, got ${tag.slice(8, -1)}`);
  }
  try {
    if (!view) return new Uint8Array(input);
    const { buffer, byteOffset, byteLength } = viewPlace(input);
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (cause) {
    throw new InvalidArgumentError("the bytes lie in an ArrayBuffer that is detached or was made smaller", { cause });
  }
}
