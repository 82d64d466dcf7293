/** Checks the slice of `inspect --slice` against the shape of a tensor. */
import { InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { TensorSlice } from "@onebuffer/slice";
import type { TensorInfo } from "@onebuffer/io";

/**
 * Throws INVALID_ARGUMENT if a slice has not as many dimensions as a tensor, OUT_OF_RANGE if it ends behind the tensor. TensorFlow's own
 * check throws INTERNAL, because a slice comes from a file there.
 */
export function checkSlice({ name, shape }: TensorInfo, slice: TensorSlice): void {
  const subject = `--slice ${slice.debugString()} of the tensor ${shownValue(name)} of shape [${shape.join(",")}]`;
  if (slice.dims !== shape.length)
    throw new InvalidArgumentError(`${subject}: it has ${slice.dims} extents, the tensor has ${shape.length} dimensions`);
  for (const [d, size] of shape.entries()) {
    if (slice.isFullAt(d)) continue;
    const start = slice.start(d);
    const end = slice.end(d);
    if (end > size) throw new OutOfRangeError(`${subject}: it is ${start} to ${end} in dimension ${d}, which has ${size}`);
  }
}
