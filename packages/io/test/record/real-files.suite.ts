// Tests TFRecord files that TensorFlow wrote. ONEBUFFER_REAL_FILES is their folder, by default ../shared/real-files. Without them these
// tests are skipped, unless ONEBUFFER_REQUIRE_REAL_FILES=1.
import { describe, expect, test } from "@jest/globals";
import type { TFRecordCompression } from "@onebuffer/io";
import { ChunkSink, readTFRecords, writeTFRecords } from "@onebuffer/io";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, inflateSync } from "node:zlib";
import { collect } from "./naive-records.ts";

const root = fileURLToPath(new URL("../../../../..", import.meta.url));
const folder = resolve(root, process.env["ONEBUFFER_REAL_FILES"] ?? "../shared/real-files");
const present = existsSync(join(folder, "MANIFEST.json"));

interface Entry {
  readonly kind: string;
  readonly records: number;
  /** The length of each record, whether its checksum is right, and its sha256. */
  readonly first: readonly (readonly [length: number, crc: boolean, sha256: string])[];
}

const manifest = present ? (JSON.parse(readFileSync(join(folder, "MANIFEST.json"), "utf8")) as Readonly<Record<string, Entry>>) : {};
const files = Object.entries(manifest).filter(([, { kind }]) => kind === "TFRecord");

test("the files are there, or may be missing", () => {
  expect(present || process.env["ONEBUFFER_REQUIRE_REAL_FILES"] !== "1").toBe(true);
  if (present) expect(files.length).toBeGreaterThanOrEqual(4);
});

(present ? describe : describe.skip)("real TFRecord files", () => {
  test.each(files)("%s", async (path, { records, first }) => {
    const bytes = readFileSync(join(folder, path));
    const compression: TFRecordCompression = path.includes(".gzip.") ? "GZIP" : path.includes(".zlib.") ? "ZLIB" : "";
    const read = await collect(readTFRecords(bytes, { compression }));
    expect(read.length).toBe(records);
    expect(read.map((record) => [record.length, true, createHash("sha256").update(record).digest("hex")])).toEqual(first);
    const sink = new ChunkSink();
    await writeTFRecords(sink, read);
    const inflated = compression === "GZIP" ? gunzipSync(bytes) : compression === "ZLIB" ? inflateSync(bytes) : bytes;
    expect(Buffer.compare(sink.toBytes(), inflated)).toBe(0);
  });
});
