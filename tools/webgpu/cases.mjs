// The operands of the cases of interop as maps.
import { arraySlots, dtypeOf, dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { tensorMap } from "@onebuffer/eigen";
import { bytesOf } from "../interop/samples.mjs";

/** Returns a map of an encoded tensor. */
export function mapOf({ dtype, dims, content }) {
  const name = dtypeOf(dtype);
  const bytes = bytesOf(content);
  const array = new (typedArrayConstructor(name))((bytes.byteLength / dtypeSize(name)) * arraySlots(name));
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes);
  return tensorMap(name, array, dims);
}
