// Inputs of the workloads of packages/io, the same for every library.
import { floats } from "./data.mjs";

/** The floats whose bytes are summed: 16 MiB. */
export const kCrcElements = 4 << 20;

/** Returns the bytes of the checksum workloads. */
export const crcBytes = () => new Uint8Array(floats(kCrcElements).buffer);
