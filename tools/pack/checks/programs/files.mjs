// Files on disk: writes a compressed .npz over an older file and a checkpoint, reads them back, and notices that zlib data ends early. Prints
// what it found.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isStatusError, Tensor } from "onebuffer";
import { BundleReader, BundleWriter, ChunkSink, openNpz, readTFRecords, saveNpz, writeTFRecords } from "onebuffer/io";
import { directoryFiles, directorySinks, fileSink, fileSource } from "onebuffer/node";

const folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
const path = join(folder, "weights.npz");
writeFileSync(path, "an older file");
const weights = Tensor.arange(100_000);
await saveNpz({ weights }, fileSink(path), { compressed: true });
const source = fileSource(path);
const file = await openNpz(source);
const read = await file.tensor("weights");
const seen = [read.vec().at(99_999), source.size < 400_000, readdirSync(folder).length];
source.close();
const files = directoryFiles(folder);
seen.push((await files.open("weights.npz")).size === source.size);
const writer = new BundleWriter(directorySinks(folder), "model.ckpt");
await writer.add("weights", weights);
await writer.finish();
const all = await (await BundleReader.open(files, "model.ckpt")).lookupAll();
seen.push(all.tensor("weights").equals(weights), readdirSync(folder).length);
all.dispose();
files.close();
rmSync(folder, { recursive: true });

const sink = new ChunkSink();
await writeTFRecords(
  sink,
  Array.from({ length: 100 }, (_, i) => new Uint8Array(1000).fill(i)),
  { compression: "ZLIB" },
);
const records = sink.toBytes();
for (const length of [records.length, records.length - 3]) {
  let count = 0;
  try {
    for await (const record of readTFRecords(records.subarray(0, length), { compression: "ZLIB" })) count += record.length > 0 ? 1 : 0;
    seen.push(count);
  } catch (error) {
    seen.push(isStatusError(error) ? error.code : String(error));
  }
}
console.log(JSON.stringify(seen));
weights.dispose();
read.dispose();
