/**
 * fresh-array: new typed arrays for the elements of results, of sizes that a caller chose. Engines give out arrays of many gigabytes
 * without having the memory, and the process ends when the elements are written; so a length that is out of proportion is refused before.
 */
import type { RawDType, TypedArray } from "@onebuffer/base";
import { ResourceExhaustedError, typedArrayConstructor } from "@onebuffer/base";

/** The most bytes of a new array: what addresses of the linear memory reach. No tensor in it has more. */
const kMostBytes = 2 ** 32;

/** Returns an array of `slots` zeros. Throws RESOURCE_EXHAUSTED, with `what` there is no room for, above 4 GiB and if it cannot be allocated. */
export function freshArray(dtype: RawDType, slots: number, what: () => string): TypedArray {
  const constructor = typedArrayConstructor(dtype);
  if (slots * constructor.BYTES_PER_ELEMENT > kMostBytes) {
    throw new ResourceExhaustedError(`${what()}: ${slots * constructor.BYTES_PER_ELEMENT} bytes are more than 4 GiB`);
  }
  try {
    return new constructor(slots);
  } catch (cause) {
    throw new ResourceExhaustedError(what(), { cause });
  }
}
