/** Makes safetensors files byte by byte for tests. */

/** A file of a header, one character a byte, and data. */
export function safetensorsFile(
  header: string,
  data: Uint8Array | number = 0,
  length: bigint = BigInt(header.length),
): Uint8Array<ArrayBuffer> {
  const bytes = typeof data === "number" ? new Uint8Array(data) : data;
  const file = new Uint8Array(8 + header.length + bytes.length);
  new DataView(file.buffer).setBigUint64(0, length, true);
  for (let i = 0; i < header.length; i++) file[8 + i] = header.charCodeAt(i);
  file.set(bytes, 8 + header.length);
  return file;
}

/** The header of one tensor called "a". */
export const oneTensor = (type: string, shape: readonly number[], bytes: number): string =>
  `{"a":{"dtype":"${type}","shape":[${shape.join(",")}],"data_offsets":[0,${bytes}]}}`;
