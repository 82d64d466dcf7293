/** An .npy file, or a member of an .npz file, as a tensor of the command line, whatever its type. */
import { isStatusError, UnimplementedError } from "@onebuffer/base";
import { openNpy } from "@onebuffer/io";
import type { NpyFile, TransferOptions } from "@onebuffer/io";
import type { ChecksumVerdict, StoredTensor, TensorSlot } from "./tensor-file.ts";

/** The first bytes of an .npy file: more than the longest header that is read. */
const kHeaderBytes = 65_552;

/** The bytes that an .npy file is in. */
export interface NpyBytes {
  readonly size: number;
  readonly name?: string;
  read(offset: number, length: number): Promise<Uint8Array<ArrayBufferLike>>;
}

/**
 * Opens an .npy file. Strings are tensors of strings. A type without a dtype here, such as a structured one, keeps its NumPy name; its bytes
 * can be read, but not a tensor. Throws the errors of `openNpy` for a malformed header.
 */
export async function npyTensor(name: string, source: NpyBytes, crc: ChecksumVerdict, transfer: TransferOptions): Promise<TensorSlot> {
  const { signal } = transfer;
  try {
    const file = await openNpy(source, { strings: true, ...(signal === undefined ? {} : { signal }) });
    return slotOf(name, source, file, crc);
  } catch (error) {
    if (!isStatusError(error, "UNIMPLEMENTED")) throw error;
    const foreign = foreignSlot(name, source, await source.read(0, Math.min(source.size, kHeaderBytes)), crc, error);
    if (foreign === null) throw error;
    return foreign;
  }
}

function slotOf(name: string, source: NpyBytes, file: NpyFile, crc: ChecksumVerdict): TensorSlot {
  const { dtype, shape, dataOffset, dataBytes } = file;
  return {
    name,
    dtype,
    shape,
    bytes: dataBytes,
    tensor: (transfer) => file.tensor({ ...transfer, boolBytes: "keep" }),
    async stored(transfer) {
      if (dtype === "string") return { bytes: await source.read(dataOffset, dataBytes), crc };
      using tensor = await file.tensor({ ...transfer, boolBytes: "keep" });
      return { bytes: tensor.tensorData.slice(), crc };
    },
  };
}

/** Returns the slot of a type without a dtype, or null if its header is not one that NumPy writes, or its elements are Python objects. */
function foreignSlot(
  name: string,
  source: NpyBytes,
  start: Uint8Array<ArrayBufferLike>,
  crc: ChecksumVerdict,
  cause: unknown,
): TensorSlot | null {
  const isVersion1 = start[6] === 1;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const textOffset = isVersion1 ? 10 : 12;
  const dataOffset = textOffset + (isVersion1 ? view.getUint16(8, true) : view.getUint32(8, true));
  const text = String.fromCharCode(...start.subarray(textOffset, Math.min(dataOffset, start.length)));
  const [, descr, order, sizes] = /^\{'descr': (.*), 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), ?\}\s*$/s.exec(text) ?? [];
  if (descr === undefined || sizes === undefined || dataOffset > source.size) return null;
  const isObject = /^'[|<>=]?O/.test(descr);
  const bytes = source.size - dataOffset;
  const shape = sizes.split(",").flatMap((size) => (size.trim() === "" ? [] : [Number(size)]));
  const unknown = new UnimplementedError(`npy: descr ${descr} has no dtype here`, { cause });
  const isStoredInOrder = !isObject && order === "False" && !/'>/.test(descr);
  return {
    name,
    dtype: descr.replace(/^'(.*)'$/, "$1"),
    shape,
    bytes,
    tensor: () => Promise.reject(unknown),
    async stored(): Promise<StoredTensor> {
      if (!isStoredInOrder) throw unknown;
      return { bytes: await source.read(dataOffset, bytes), crc };
    },
  };
}
