// Checks of onebuffer/io in a browser: Blobs, range requests, streams, the platform's compression, checksums.
import { Tensor } from "onebuffer";
import {
  BundleReader,
  BundleWriter,
  CheckpointReader,
  ChunkSink,
  crc32c,
  httpSource,
  MemoryFiles,
  openNpy,
  openNpz,
  openSafetensors,
  readSafetensors,
  toByteSink,
  toByteSource,
  writeNpz,
  writeSafetensors,
} from "onebuffer/io";
import { TensorSlice } from "onebuffer/slice";
import { deflate } from "/packages/io/dist/src/compress/deflate.js";
import { inflate, inflateChunks, inflateInto } from "/packages/io/dist/src/compress/inflate.js";
import { readPlanned } from "/packages/io/dist/src/source/read-plan.js";
import { equal, rejectsStatus } from "./verdict.mjs";

const kBytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) >> 5);

export const kFileChecks = {
  "crc32c is the same in the arena and outside"() {
    equal(crc32c(new TextEncoder().encode("123456789")), 0xe3069283);
    const tensor = new Tensor("uint8", [kBytes.length]);
    tensor.tensorData.set(kBytes);
    const cut = 8000; // short parts go through tables
    let crc = 0;
    for (let at = 0; at < kBytes.length; at += cut) crc = crc32c(kBytes.subarray(at, at + cut), crc);
    equal([crc32c(tensor.tensorData), crc32c(kBytes)], [crc, crc]);
    tensor.dispose();
  },
  async "a Blob is read in parts, into the arena"() {
    const source = toByteSource(new Blob([kBytes.subarray(0, 100_000), kBytes.subarray(100_000)]));
    const tensor = new Tensor("uint8", [1000]);
    await readPlanned([{ source, offset: 99_500, target: tensor.tensorData, what: "w" }]);
    equal([...tensor.tensorData], [...kBytes.subarray(99_500, 100_500)]);
    tensor.dispose();
  },
  async "a file of a server is read with range requests, into the arena"() {
    const address = "/examples/data/digits.npy";
    const whole = new Uint8Array(await (await fetch(address)).arrayBuffer());
    const source = await httpSource(address);
    const tensor = new Tensor("uint8", [500]);
    await source.readInto(1000, tensor.tensorData);
    equal([source.size, [...tensor.tensorData]], [whole.length, [...whole.subarray(1000, 1500)]]);
    tensor.dispose();
    await rejectsStatus(() => httpSource("/examples/data/absent.npy"), "NOT_FOUND");
    const controller = new AbortController();
    controller.abort();
    await rejectsStatus(() => source.read(0, 10, controller.signal), "CANCELLED");
  },
  async "a WritableStream is a sink"() {
    const got = [];
    const sink = toByteSink(new WritableStream({ write: (chunk) => void got.push(...chunk), close: () => void got.push("end") }));
    await sink.write(Uint8Array.of(1, 2));
    await sink.close();
    equal(got, [1, 2, "end"]);
    const chunks = new ChunkSink();
    chunks.write(kBytes);
    chunks.close();
    equal(crc32c(chunks.toBytes()), crc32c(kBytes));
  },
  async "data is deflated and inflated, also from and to the arena; what is damaged, cut or too long is refused"() {
    const tensor = new Tensor("uint8", [kBytes.length]);
    tensor.tensorData.set(kBytes);
    for (const format of ["deflate", "deflate-raw", "gzip"]) {
      const small = await deflate(tensor.tensorData, format);
      tensor.tensorData.fill(0);
      await inflateInto(tensor.tensorData, [small], format);
      equal(crc32c(tensor.tensorData), crc32c(kBytes));
      for (const length of [0, 1, small.length >> 1, small.length - 3])
        if (format !== "deflate-raw" || length < small.length - 3)
          await rejectsStatus(() => inflate(small.subarray(0, length), format, kBytes.length), "DATA_LOSS");
      await rejectsStatus(() => inflate(small, format, kBytes.length - 1), "DATA_LOSS");
      const damaged = small.slice();
      damaged.fill(0xff, small.length >> 1, (small.length >> 1) + 50);
      await rejectsStatus(() => inflate(damaged, format, kBytes.length), "DATA_LOSS");
      // Left in the middle.
      for await (const piece of inflateChunks([small], format, kBytes.length)) if (piece.length > 0) break;
    }
    tensor.dispose();
  },
  async "a checkpoint is written, and read from Blobs and from shared memory"() {
    const made = new MemoryFiles();
    const writer = new BundleWriter(made, "m");
    const tensors = [
      Tensor.from(
        [
          [0, 1, 2],
          [3, 4, 5],
        ],
        { dtype: "int32" },
      ),
      Tensor.from(["grün", "", "x"]),
    ];
    await writer.add("größe", tensors[0]);
    await writer.add("text", tensors[1]);
    await writer.finish();
    const shared = (bytes) => {
      const memory = typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(bytes.length) : new SharedArrayBuffer(bytes.length);
      new Uint8Array(memory).set(bytes);
      return memory;
    };
    for (const form of [(bytes) => new Blob([bytes]), shared]) {
      const files = new Map([...made.files].map(([name, bytes]) => [name, form(bytes)]));
      const reader = await BundleReader.open(files, "m");
      const rows = await reader.lookupSlice("größe", TensorSlice.parse("1,1:-"));
      const all = await reader.lookupAll();
      equal(
        [rows.toArray(), all.tensor("größe").toArray(), all.tensor("text").toArray()],
        [
          [[3, 4, 5]],
          [
            [0, 1, 2],
            [3, 4, 5],
          ],
          ["grün", "", "x"],
        ],
      );
      equal((await CheckpointReader.open(files, "m")).debugString(), "größe (DT_INT32) [2,3]\ntext (DT_STRING) [3]\n");
      rows.dispose();
      all.dispose();
    }
    for (const tensor of tensors) tensor.dispose();
  },
  async "an .npz, stored and deflated, and a safetensors file are written from the arena and read from Blobs"() {
    const weights = Tensor.arange(0, 70_000);
    const bias = Tensor.from([1, 2, 3], { dtype: "bfloat16" });
    for (const compressed of [false, true]) {
      const file = await openNpz(new Blob([await writeNpz({ weights }, { compressed })]));
      const read = await file.tensor("weights");
      equal([file.names, read.equals(weights)], [["weights"], true]);
      read.dispose();
    }
    const bytes = writeSafetensors({ weights, bias }, { metadata: { format: "é" } });
    const file = await openSafetensors(new Blob([bytes]));
    const tensors = await file.tensors();
    equal(
      [file.metadata.get("format"), tensors.tensor("weights").equals(weights), tensors.tensor("bias").toArray()],
      ["é", true, [1, 2, 3]],
    );
    tensors.dispose();
    // In memory that may be shared, which a browser's TextDecoder refuses.
    const shared = new Tensor("uint8", [bytes.length]);
    shared.tensorData.set(bytes);
    const views = readSafetensors(shared.tensorData);
    equal(views.tensor("bias").toArray(), [1, 2, 3]);
    views.dispose();
    for (const tensor of [weights, bias, shared]) tensor.dispose();
  },
  async "rows of an .npy file of a server"() {
    const file = await openNpy(await httpSource("/examples/data/digits.npy"));
    const rows = await file.rows(3, 5);
    equal(rows.shape.dimSizes, [2, ...file.shape.slice(1)]);
    rows.dispose();
  },
};
