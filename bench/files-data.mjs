// Inputs of the workloads of packages/io, the same for every library.
import { floats } from "./data.mjs";

/** The floats whose bytes are summed: 16 MiB. */
export const kCrcElements = 4 << 20;

/** Returns the bytes of the checksum workloads. */
export const crcBytes = () => new Uint8Array(floats(kCrcElements).buffer);

/** The elements of the array files: 64 MiB of float32. */
export const kFileElements = 16 << 20;

/** Returns an .npy file of float32 elements 0, 1, 2 and so on, as NumPy writes it. */
export function npyFile(elements = kFileElements) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${elements},), }`.padEnd(117);
  const file = new Uint8Array(128 + 4 * elements);
  file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0]);
  file.set(new TextEncoder().encode(`${header}\n`), 10);
  const floats = new Float32Array(file.buffer, 128);
  for (let i = 0; i < elements; i++) floats[i] = i;
  return file;
}

/** The tensors of the safetensors file, and the elements of each: 16 KiB of float32. */
export const kTensors = 1000;
export const kTensorElements = 4096;

/** Returns a safetensors file of many tensors, each full of its number. */
export function safetensorsFile() {
  const bytes = 4 * kTensorElements;
  const entries = Array.from({ length: kTensors }, (_, i) => {
    const offsets = `[${i * bytes},${(i + 1) * bytes}]`;
    return `"model.layers.${i}.weight":{"dtype":"F32","shape":[${kTensorElements / 64},64],"data_offsets":${offsets}}`;
  });
  const json = new TextEncoder().encode(`{${entries.join(",")}}`);
  const length = Math.ceil(json.length / 8) * 8;
  const file = new Uint8Array(8 + length + kTensors * bytes).fill(0x20, 8, 8 + length);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(json, 8);
  const floats = new Float32Array(file.buffer, 8 + length);
  for (let i = 0; i < kTensors; i++) floats.fill(i, i * kTensorElements, (i + 1) * kTensorElements);
  return file;
}

/** The checksum of an array that is read or written: an element near each end. */
export const fileChecksum = (first, last) => 3 * first + last;
