// Workloads of packages/io, and their targets. Times are in ns per operation.
import { atMost, timesOf } from "./targets.mjs";

/** 16 MiB at 1.8 GB/s. */
const kCrcTime = 9_300_000;

/** 70 % of the speed of fs.readSync. */
const kReadTimes = 1.43;

export const kFiles = [
  {
    name: "crc32c",
    text: "of 16 MiB in the arena; raw is JavaScript with one table",
    targets: [atMost(kCrcTime, "ns")],
  },
  { name: "crc32c of an array", text: "the same of a Uint8Array that is not in the arena", targets: [atMost(kCrcTime, "ns")] },
  {
    name: "checkpoint load",
    text: "1 GiB in 64 tensors from a file in the page cache, with checksums, once in a fresh process; raw is fs.readSync into a fresh buffer",
    afresh: true,
    targets: [timesOf("raw", kReadTimes)],
  },
  { name: "checkpoint load unchecked", text: "the same without checksums", afresh: true, targets: [timesOf("raw", kReadTimes)] },
  {
    name: "checkpoint index",
    text: "an index of 6,000 tensors opened from memory, once in a fresh process",
    afresh: true,
    targets: [atMost(15_000_000, "ns")],
  },
];
