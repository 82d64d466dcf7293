/** The files of arrays as regions: .npy, .npz and safetensors. */
import type { SafetensorsEntry, ZipMember } from "onebuffer/io";
import type { Region } from "../messages.ts";
import { region, textOf, uint32 } from "./region.ts";

/** Returns the regions of an .npy file whose first bytes are given. */
export function npyRegions(start: Uint8Array, size: number, base = 0): Region[] {
  const isMagic = start.length >= 8 && textOf(start.subarray(1, 6)) === '"NUMPY"';
  const magic = region("magic", base, Math.min(6, size), '"\\x93NUMPY"', [], !isMagic);
  if (!isMagic) return [magic];
  const lengthBytes = start[6] === 1 ? 2 : 4;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  if (start.length < 8 + lengthBytes) return [magic, region("version", base + 6, 2)];
  const length = lengthBytes === 2 ? view.getUint16(8, true) : view.getUint32(8, true);
  const dataAt = 8 + lengthBytes + length;
  return [
    magic,
    region("version", base + 6, 2, `${start[6]}.${start[7]}`),
    region("length of the header", base + 8, lengthBytes, String(length)),
    region(
      "header: a Python dictionary, with spaces up to a multiple of 64 bytes",
      base + 8 + lengthBytes,
      Math.min(length, size - 8 - lengthBytes),
      textOf(start.subarray(8 + lengthBytes, dataAt), 120),
    ),
    ...(dataAt <= size ? [region("elements", base + dataAt, size - dataAt)] : []),
  ];
}

/** Returns the regions of a safetensors file whose first bytes are given. */
export function safetensorsRegions(start: Uint8Array, size: number, entries: Iterable<SafetensorsEntry>): Region[] {
  if (size < 8) return [region("length of the header", 0, size, "cut off", [], true)];
  const length = uint32(start, 0) + uint32(start, 4) * 2 ** 32;
  const isWrong = 8 + length > size;
  const head = [region("length of the header", 0, 8, String(length), [], isWrong)];
  if (isWrong) return head;
  const tensors = [...entries].sort((a, b) => a.byteOffset - b.byteOffset);
  return [
    ...head,
    region("header: JSON", 8, length, textOf(start.subarray(8, 8 + length), 160)),
    ...tensors.map(({ name, byteOffset, byteLength, type, shape }) =>
      region(JSON.stringify(name), byteOffset, byteLength, `${type} [${shape.join(", ")}]`),
    ),
  ];
}

/** Returns the regions of a zip file, of the members that its directory lists. */
export function zipRegions(size: number, members: Iterable<ZipMember>): Region[] {
  const sorted = [...members].sort((a, b) => a.headerOffset - b.headerOffset);
  const regions = sorted.map(({ name, headerOffset, limit, method, size: unpacked, crc32 }) =>
    region(
      JSON.stringify(name),
      headerOffset,
      limit - headerOffset,
      `${unpacked} bytes, ${method === 0 ? "stored" : method === 8 ? "deflate" : `method ${method}`}, CRC-32 ${crc32.toString(16)}`,
    ),
  );
  const directoryAt = sorted.at(-1)?.limit ?? 0;
  return [...regions, region("directory of the members, and its end record", directoryAt, size - directoryAt)];
}
