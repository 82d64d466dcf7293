/** The memory and the dtype of other libraries' typed arrays. */
import type { RawDType } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import { isDType } from "@onebuffer/base";
import { checkInteger, isArray, shownValue, typedArrayKind, viewPlace } from "@onebuffer/base/internal";
import { memoryOwnerOf, withMemoryOwner } from "@onebuffer/storage/internal";

/** The dtypes of typed arrays by the names of their classes. */
const kDTypes: ReadonlyMap<string, RawDType> = new Map([
  ["Int8Array", "int8"],
  ["Uint8Array", "uint8"],
  ["Uint8ClampedArray", "uint8"],
  ["Int16Array", "int16"],
  ["Uint16Array", "uint16"],
  ["Int32Array", "int32"],
  ["Uint32Array", "uint32"],
  ["BigInt64Array", "int64"],
  ["BigUint64Array", "uint64"],
  ["Float16Array", "float16"],
  ["Float32Array", "float32"],
  ["Float64Array", "float64"],
]);

/** The memory of some elements. */
export interface ElementMemory {
  readonly dtype: RawDType;
  readonly memory: Uint8Array<ArrayBufferLike>;
}

/** Returns a view of the bytes of a view of any realm, which carries its memory owner. Throws FAILED_PRECONDITION if its memory is detached. */
export function bytesOfView(view: ArrayBufferView<ArrayBufferLike>): Uint8Array<ArrayBufferLike> {
  const { buffer, byteOffset, byteLength } = viewPlace(view);
  try {
    return withMemoryOwner(new Uint8Array(buffer, byteOffset, byteLength), memoryOwnerOf(view));
  } catch (cause) {
    throw new FailedPreconditionError("the memory of the array is detached, as after it was sent to a worker", { cause });
  }
}

/**
 * Returns the memory of an array and the dtype of its elements: the class's, or `wanted` if its elements are stored in that class, as
 * those of bool and uint8 are.
 *
 * Throws INVALID_ARGUMENT for anything but a typed array, and for a dtype that is stored in another class.
 */
export function elementMemory(data: unknown, wanted: RawDType | undefined, what: string): ElementMemory {
  const bits = bitArray(data);
  if (bits !== null && (wanted === undefined || wanted === "bool")) return { dtype: "bool", memory: bits };
  const kind = typedArrayKind(data);
  const found = kDTypes.get(kind);
  if (found === undefined) {
    const advice = isArray(data) ? "; Tensor.from copies a plain array" : "";
    throw new InvalidArgumentError(`${what}: expected a typed array as data, got ${kind || shownValue(data)}${advice}`);
  }
  const memory = bytesOfView(data as ArrayBufferView<ArrayBufferLike>);
  if (wanted === undefined) return { dtype: found, memory };
  if (!isDType(wanted) || isObjectDType(wanted)) throw new InvalidArgumentError(`${what}: ${shownValue(wanted)} is no dtype of numbers`);
  const stored = (typedArrayConstructor(wanted) as unknown as { readonly name: string }).name;
  // An Uint8ClampedArray has the memory of an Uint8Array, and a Float16Array that of an Uint16Array.
  const same = kind === "Uint8ClampedArray" ? "Uint8Array" : kind === "Float16Array" && wanted === "float16" ? stored : kind;
  if (stored !== same) throw new InvalidArgumentError(`${what}: elements of ${wanted} are stored in a ${stored}, got a ${kind}`);
  return { dtype: wanted, memory };
}

/** Returns the bytes of an array of bools that is no typed array but has one's places, as zarrita's BoolArray; otherwise null. */
function bitArray(data: unknown): Uint8Array<ArrayBufferLike> | null {
  if (typeof data !== "object" || data === null || ArrayBuffer.isView(data) || isArray(data)) return null;
  const { buffer, byteOffset, length, get, BYTES_PER_ELEMENT } = data as Readonly<Record<string, unknown>>;
  const tag = Object.prototype.toString.call(buffer);
  if (tag !== "[object ArrayBuffer]" && tag !== "[object SharedArrayBuffer]") return null;
  if (typeof byteOffset !== "number" || typeof length !== "number" || typeof get !== "function" || BYTES_PER_ELEMENT !== 1) return null;
  if (typeof (get as (this: unknown, index: number) => unknown).call(data, 0) !== "boolean" && length > 0) return null;
  const bytes = buffer as ArrayBufferLike;
  checkInteger(byteOffset, "the byteOffset of an array of bools", 0, bytes.byteLength);
  checkInteger(length, "the length of an array of bools", 0, bytes.byteLength - byteOffset);
  // A detached buffer has 0 bytes and takes no view.
  return bytes.byteLength === 0 ? new Uint8Array(0) : new Uint8Array(bytes, byteOffset, length);
}
