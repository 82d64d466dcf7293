// Workloads of packages/io, and their targets. Times are in ns per operation.
import { atMost } from "./targets.mjs";

/** 16 MiB at 1.8 GB/s. */
const kCrcTime = 9_300_000;

export const kFiles = [
  {
    name: "crc32c",
    text: "of 16 MiB in the arena; raw is JavaScript with one table",
    targets: [atMost(kCrcTime, "ns")],
  },
  { name: "crc32c of an array", text: "the same of a Uint8Array that is not in the arena", targets: [atMost(kCrcTime, "ns")] },
];
