/**
 * The stored form of a variant tensor (WriteVariantTensor and ReadVariantTensor of tensorflow/core/util/tensor_bundle/tensor_bundle.cc).
 *
 *     per element:  varint64 length | VariantTensorDataProto | fixed32 checksum
 *
 * One crc32c runs over all of it, but it takes each length as a fixed64. Masked, its value after an element is that element's checksum,
 * over whose four bytes it goes on. The messages are not interpreted: they are strings here.
 */
import { DataLossError } from "@onebuffer/base";
import { maskCrc } from "../checksum/crc-mask.ts";
import { extendCrc32c } from "../checksum/crc32c.ts";
import { newBytes } from "../source/new-bytes.ts";
import { readVarint, varintLength, writeFixed32, writeVarint } from "../table/varint.ts";
import type { ByteCursor } from "../table/varint.ts";
import { checkCrc, storedCrc } from "./string-elements.ts";
import type { StoredElements } from "./string-elements.ts";

const kCrcBytes = 4;

/**
 * Returns the serialized messages of a stored variant tensor as views of its bytes. The caller has checked that there are at least as
 * many bytes as elements. Throws DATA_LOSS as `decodeStrings` does.
 */
export function decodeVariants({ bytes, count, bigEndian, crc32c, what }: StoredElements): Uint8Array<ArrayBufferLike>[] {
  const cursor: ByteCursor = { bytes, at: 0, end: bytes.length, what };
  const elements: Uint8Array<ArrayBufferLike>[] = [];
  let crc = 0;
  for (let i = 0; i < count; i++) {
    const length = readVarint(cursor);
    const start = cursor.at;
    if (length + kCrcBytes > bytes.length - start)
      throw new DataLossError(`${what}: variant ${i} of ${length} bytes goes beyond the end, byte ${bytes.length}`);
    const element = bytes.subarray(start, start + length);
    cursor.at = start + length + kCrcBytes;
    if (crc32c !== null) {
      crc = extendCrc32c(element, extendCrc32c(fixed64(length, bigEndian), crc));
      checkCrc(crc, storedCrc(bytes, start + length, bigEndian), `${what}: variant ${i}`);
      crc = extendCrc32c(bytes.subarray(start + length, cursor.at), crc);
    }
    elements.push(element);
  }
  if (cursor.at !== bytes.length)
    throw new DataLossError(`${what}: ${count} variants take ${cursor.at} bytes, but the stored size is ${bytes.length}`);
  if (crc32c !== null) checkCrc(crc, crc32c, what);
  return elements;
}

/** Returns the stored bytes of serialized variants, and their checksum, not masked. */
export function encodeVariants(elements: readonly Uint8Array<ArrayBufferLike>[]): { bytes: Uint8Array<ArrayBuffer>; crc: number } {
  const bytes = newBytes(
    elements.reduce((sum, { length }) => sum + varintLength(length) + length + kCrcBytes, 0),
    "BundleWriter",
  );
  let at = 0;
  let crc = 0;
  for (const element of elements) {
    at = writeVarint(bytes, at, element.length);
    bytes.set(element, at);
    at += element.length;
    crc = extendCrc32c(element, extendCrc32c(fixed64(element.length, false), crc));
    const end = writeFixed32(bytes, at, maskCrc(crc));
    crc = extendCrc32c(bytes.subarray(at, end), crc);
    at = end;
  }
  return { bytes, crc };
}

function fixed64(value: number, bigEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(value), !bigEndian);
  return new Uint8Array(view.buffer);
}
