// hash-wasm: crc32c as CRC-32 with the polynomial of Castagnoli.
import { createCRC32 } from "hash-wasm";
import { crcBytes } from "../files-data.mjs";

let sink;

const hasher = await createCRC32(0x82f63b78);

const crc32c = (bytes) => hasher.init().update(bytes).digest("hex");

const summing = () => {
  const bytes = crcBytes();
  return { run: () => void (sink = crc32c(bytes)), checksum: () => Number.parseInt(crc32c(bytes), 16) };
};

export const cases = { crc32c: summing, "crc32c of an array": summing };

export const last = () => sink;
