// Workloads of packages/io, and their targets. Times are in ns per operation.
import { atMost, fasterThan, timesOf } from "./targets.mjs";

/** 16 MiB at 1.8 GB/s. */
const kCrcTime = 9_300_000;

/** 70 % of the speed of fs.readSync. */
const kReadTimes = 1.43;

/** A millisecond. */
const kMillisecond = 1_000_000;

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
    targets: [atMost(15 * kMillisecond, "ns")],
  },
  {
    name: "npy read",
    text: "an .npy file of 64 MiB in memory to an array, then release",
    targets: [atMost(kMillisecond, "ns"), fasterThan(["numpy-ts"], 10)],
  },
  { name: "npy save", text: "64 MiB to a sink that does nothing with the bytes", targets: [atMost(kMillisecond, "ns")] },
  { name: "npy write", text: "64 MiB to the bytes of an .npy file: one copy" },
  { name: "npz read", text: "an .npz file of 64 MiB, stored, in memory, to arrays; ours checks its CRC-32" },
  {
    name: "safetensors read",
    text: "a safetensors file of 1,000 tensors, 16 MiB, in memory, to tensors, then release",
    targets: [atMost(15 * kMillisecond, "ns")],
  },
];
