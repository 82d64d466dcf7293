/**
 * Views a caller's bytes as a Uint8Array, without a copy: a whole ArrayBuffer or SharedArrayBuffer, or the part of one that a
 * typed array, a DataView or a Node Buffer covers.
 */
import { shownValue } from "../status/shown-value.ts";
import { InvalidArgumentError } from "../status/status-error.ts";
import { viewPlace } from "./typed-array-view.ts";

/**
 * Returns the bytes of `input` as a Uint8Array over the same memory. Never copies.
 *
 * Throws INVALID_ARGUMENT if `input` is neither a buffer nor a view, or if its memory is detached.
 */
export function byteView(input: ArrayBufferLike | ArrayBufferView<ArrayBufferLike>): Uint8Array<ArrayBufferLike> {
  const view = ArrayBuffer.isView(input);
  const tag = Object.prototype.toString.call(input);
  if (typeof input === "string") {
    const name = shownValue(input);
    throw new InvalidArgumentError(
      `expected the bytes of a file, got the string ${name}: in Node give readFileSync(${name}), elsewhere await (await fetch(${name})).arrayBuffer()`,
    );
  }
  if (!view && tag !== "[object ArrayBuffer]" && tag !== "[object SharedArrayBuffer]") {
    throw new InvalidArgumentError(`expected an ArrayBuffer, a SharedArrayBuffer or a view of one, got ${tag.slice(8, -1)}`);
  }
  try {
    if (!view) return new Uint8Array(input);
    const { buffer, byteOffset, byteLength } = viewPlace(input);
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (cause) {
    throw new InvalidArgumentError("the bytes are in an ArrayBuffer that is detached or has shrunk", { cause });
  }
}
