/**
 * The header of an .npy file as the info of a tensor, whatever its element type.
 *
 * Strings are tensors of strings. A type without a dtype here, such as a structured one, keeps its NumPy name; its bytes can be read, but not
 * a tensor.
 */
import { isStatusError, UnimplementedError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import type { NpyAnyHeader } from "../npy/npy-header.ts";
import { readNpyHeaderSteps } from "../npy/read-npy-data.ts";
import type { ByteSource } from "../source/byte-source.ts";
import { checkedRead } from "../source/checked-read.ts";
import { runSteps } from "../source/read-steps.ts";
import type { AbortSignalLike } from "../source/transfer-options.ts";
import type { TensorInfo } from "./tensor-store.ts";

/** The first bytes of an .npy file: more than the longest header that is read. */
export const kMostHeaderBytes = 65_552;

/** An array of an .npy file. */
export interface NpyEntry {
  readonly info: TensorInfo;
  /** The header, of a type that has a dtype; null for other types. */
  readonly header: NpyAnyHeader | null;
  readonly fortranOrder: boolean;
  readonly dataOffset: number;
  readonly dataBytes: number;
  /** The error of reading a tensor of a type without a dtype; null if the type has one. */
  readonly unreadable: StatusError | null;
  /** False if `unreadable`, and the bytes in the file are not the elements in row-major order, little-endian. */
  readonly isInOrder: boolean;
}

/** Reads the header of an .npy file, and checks that its data is there. Throws the errors of `openNpy` for a malformed header. */
export async function readNpyEntry(name: string, source: ByteSource, signal: AbortSignalLike | undefined): Promise<NpyEntry> {
  try {
    const header = await runSteps(source, readNpyHeaderSteps(source.size, { strings: true }), signal);
    const { dtype, shape, dataOffset, dataBytes, fortranOrder } = header;
    const info = { name, dtype, shape, bytes: dataBytes };
    return { info, header, fortranOrder, dataOffset, dataBytes, unreadable: null, isInOrder: true };
  } catch (error) {
    if (!isStatusError(error, "UNIMPLEMENTED")) throw error;
    const start = await checkedRead(source, 0, Math.min(source.size, kMostHeaderBytes), "the header of the .npy file", signal);
    const foreign = foreignEntry(name, start, source.size, error);
    if (foreign === null) throw error;
    return foreign;
  }
}

/** Returns the entry of a type without a dtype, or null if its header is not one that NumPy writes. */
function foreignEntry(name: string, start: Uint8Array<ArrayBufferLike>, size: number, cause: unknown): NpyEntry | null {
  const isVersion1 = start[6] === 1;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const textOffset = isVersion1 ? 10 : 12;
  const dataOffset = textOffset + (isVersion1 ? view.getUint16(8, true) : view.getUint32(8, true));
  const text = String.fromCharCode(...start.subarray(textOffset, Math.min(dataOffset, start.length)));
  const [, descr, order, sizes] = /^\{'descr': (.*), 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), ?\}\s*$/s.exec(text) ?? [];
  if (descr === undefined || sizes === undefined || dataOffset > size) return null;
  const dataBytes = size - dataOffset;
  const isObject = /^'[|<>=]?O/.test(descr);
  return {
    info: {
      name,
      dtype: descr.replace(/^'(.*)'$/, "$1"),
      shape: sizes.split(",").flatMap((each) => (each.trim() === "" ? [] : [Number(each)])),
      bytes: dataBytes,
    },
    header: null,
    fortranOrder: order === "True",
    dataOffset,
    dataBytes,
    unreadable: new UnimplementedError(`npy: descr ${descr} has no dtype here`, { cause }),
    isInOrder: !isObject && order === "False" && !/'>/.test(descr),
  };
}
