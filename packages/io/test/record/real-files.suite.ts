// Tests TFRecord files that TensorFlow wrote.
import { describe, expect, test } from "@jest/globals";
import type { TFRecordCompression } from "@onebuffer/io";
import { ChunkSink, readTFRecords, writeTFRecords } from "@onebuffer/io";
import { gunzipSync, inflateSync } from "node:zlib";
import { filesOf, isUsual, load, present, required, sha256, testEach } from "@onebuffer/test-support/real-files";
import { collect } from "./naive-records.ts";

interface Entry {
  readonly kind: string;
  readonly records: number;
  /** The length of each record, whether its checksum is right, and its sha256. */
  readonly first: readonly (readonly [length: number, crc: boolean, sha256: string])[];
}

const files = filesOf<Entry>("TFRecord");

test("the files are there, or may be missing", () => {
  expect(present || !required).toBe(true);
  if (present && isUsual) expect(files.length).toBeGreaterThanOrEqual(4);
});

(present ? describe : describe.skip)("real TFRecord files", () => {
  testEach(files, "%s", async (path, { records, first }) => {
    const bytes = load(path);
    const compression: TFRecordCompression = path.includes(".gzip.") ? "GZIP" : path.includes(".zlib.") ? "ZLIB" : "";
    const read = await collect(readTFRecords(bytes, { compression }));
    expect(read.length).toBe(records);
    expect(read.map((record) => [record.length, true, sha256(record)])).toEqual(first);
    const sink = new ChunkSink();
    await writeTFRecords(sink, read);
    const inflated = compression === "GZIP" ? gunzipSync(bytes) : compression === "ZLIB" ? inflateSync(bytes) : bytes;
    expect(Buffer.compare(sink.toBytes(), inflated)).toBe(0);
  });
});
