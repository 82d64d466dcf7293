/**
 * Plans how rows are appended to an .npy file in place: which bytes go behind its data, and the header that then says so.
 *
 *     before    {'descr': '<f4', 'fortran_order': False, 'shape': (9, 2), }   spaces \n   9 rows
 *     after     {'descr': '<f4', 'fortran_order': False, 'shape': (12, 2), }  spaces \n   9 rows  3 rows
 *
 * NumPy leaves room in the header for a first size of 21 digits, so the data never moves. The result has the bytes that np.save would write
 * for all rows.
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { componentSize } from "../tensor/tensor-bytes.ts";
import { swapByteOrder } from "./byte-order.ts";
import { isSameInBothOrders } from "./column-major.ts";
import type { NpyDType } from "./npy-descr.ts";
import { checkDataBytes } from "./npy-destination.ts";
import type { NpyAnyHeader } from "./npy-header.ts";
import { tensorToWrite } from "./write-npy.ts";
import type { NpySource } from "./write-npy.ts";

/** What is written into the file. */
export interface AppendPlan {
  /** The index at which the new rows begin. */
  readonly end: number;
  /** The bytes of the new rows, in the byte order of the file. */
  readonly data: Uint8Array<ArrayBufferLike>;
  /** The new text of the header, which is as long as the old one, and the index at which it begins. */
  readonly text: Uint8Array<ArrayBuffer>;
  readonly textOffset: number;
  /** The number of rows of the file with the new ones. */
  readonly rows: number;
}

/**
 * Plans the append of `rows` to a file of `size` bytes with this header, and calls `act` with the plan while the rows' memory is held.
 *
 * Throws INVALID_ARGUMENT if the file is a scalar or the rows have another dtype or other sizes than the file's; FAILED_PRECONDITION if the
 * file is in Fortran order, or its header has no room for the new number of rows; DATA_LOSS if the file is shorter than its header says.
 */
export function appendRows<T>(header: NpyAnyHeader, size: number, rows: NpySource, act: (plan: AppendPlan) => T): T {
  using tensor = tensorToWrite("appendNpyFile", rows);
  const { dtype, shape, fortranOrder, littleEndian, dataOffset, dataBytes } = header;
  checkDataBytes(header, size - dataOffset);
  const [count, ...inner] = shape;
  if (count === undefined) throw new InvalidArgumentError("npy: a scalar has no rows to append to");
  const [more, ...innerMore] = tensor.shape.dimSizes;
  if (tensor.dtype !== dtype || more === undefined || innerMore.join() !== inner.join())
    throw new InvalidArgumentError(
      `npy: expected rows of ${dtype} of shape (n${inner.map((each) => `, ${each}`).join("")}), got ${tensor.dtype} of shape (${tensor.shape.dimSizes.join(", ")})`,
    );
  const total = count + more;
  if (fortranOrder && !isSameInBothOrders([total, ...inner]))
    throw new FailedPreconditionError("npy: the file is in Fortran order, where rows are not at the end: read it and write it again");
  const end = dataOffset + dataBytes;
  if (end + tensor.totalBytes > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError(`npy: ${total} rows are too many`);
  let data = tensor.numElements === 0 ? new Uint8Array(0) : tensor.tensorData;
  if (!littleEndian && data.length > 0) {
    data = data.slice();
    swapByteOrder(data, componentSize(dtype as NpyDType));
  }
  const textOffset = header.version[0] === 1 ? 10 : 12;
  return act({ end, data, text: headerText(header, [total, ...inner], dataOffset - textOffset), textOffset, rows: total });
}

function headerText({ descr, fortranOrder }: NpyAnyHeader, sizes: readonly number[], length: number): Uint8Array<ArrayBuffer> {
  const shape = sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`;
  const dict = `{'descr': ${descr}, 'fortran_order': ${fortranOrder ? "True" : "False"}, 'shape': ${shape}, }`;
  if (dict.length + 1 > length)
    throw new FailedPreconditionError(
      `npy: the header has ${length} characters, ${sizes[0]} rows need ${dict.length + 1}: read the file and write it again`,
    );
  return Uint8Array.from(`${dict.padEnd(length - 1)}\n`, (character) => character.charCodeAt(0));
}
