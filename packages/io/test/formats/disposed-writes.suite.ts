// Tensors that are disposed while they are written, and whose memory other tensors then have: the file has the old elements.
import { expect, test } from "@jest/globals";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import {
  ChunkSink,
  MemoryFiles,
  saveNpy,
  saveNpz,
  saveSafetensors,
  saveSafetensorsModel,
  saveTensors,
  writeCheckpoint,
  writeNpz,
} from "@onebuffer/io";
import type { ByteSink, FileSinks } from "@onebuffer/io";

/** So many elements that a deflated array needs several pieces. */
const kCount = 20_000;

type Named = { readonly a: Tensor<"float32">; readonly b: Tensor<"float32"> };

/** Returns tensors without patterns, so that they take many pieces when they are deflated. */
function samples(): Named {
  const values = Float32Array.from({ length: kCount }, (_, k) => Math.sin(k * k));
  return { a: Tensor.from(values, { shape: [kCount / 2, 2] }), b: Tensor.from(values.slice(0, 100)) };
}

/** Disposes tensors, and makes others in their memory. */
function replaced({ a, b }: Named): Disposable {
  a.dispose();
  b.dispose();
  const others = [Tensor.full([kCount], 9), Tensor.full([100], 9)];
  return { [Symbol.dispose]: () => others.forEach((each) => each.dispose()) };
}

/** Passes writes on to `inner` after other tasks, and calls `event` before the first one. */
function lateSink(inner: ByteSink, event: () => void): ByteSink {
  let count = 0;
  return {
    write: async (bytes) => {
      if (count++ === 0) event();
      await new Promise((resolve) => setTimeout(resolve, 0));
      await inner.write(bytes);
    },
    close: () => inner.close(),
  };
}

function lateFiles(inner: FileSinks, event: () => void): FileSinks {
  return { create: async (name) => lateSink(await inner.create(name), event), commit: () => inner.commit() };
}

/** Returns the bytes that a function writes to a sink, or to files, during whose first write `event` is called. */
type Write = (tensors: Named, event: () => void) => Promise<Uint8Array>;

const toSink =
  (save: (tensors: Named, sink: ByteSink) => Promise<unknown>): Write =>
  async (tensors, event) => {
    const sink = new ChunkSink();
    await save(tensors, lateSink(sink, event));
    return sink.toBytes();
  };

const toFiles =
  (save: (tensors: Named, files: FileSinks) => Promise<unknown>): Write =>
  async (tensors, event) => {
    const files = new MemoryFiles();
    await save(tensors, lateFiles(files, event));
    return Buffer.concat([...files.files.values()]);
  };

test.each<readonly [string, Write]>([
  ["saveNpy", toSink(({ a }, sink) => saveNpy(a, sink))],
  ["saveNpz", toSink((tensors, sink) => saveNpz(tensors, sink))],
  ["saveNpz, deflated", toSink((tensors, sink) => saveNpz(tensors, sink, { compressed: true }))],
  ["saveSafetensors", toSink((tensors, sink) => saveSafetensors(tensors, sink))],
  ["saveSafetensorsModel", toFiles((tensors, files) => saveSafetensorsModel(tensors, files, { maxShardBytes: 500 }))],
  ["saveTensors to a checkpoint", toFiles(({ a, b }, files) => saveTensors({ a, b }, files, "m.ckpt"))],
  ["writeCheckpoint", toFiles(({ a, b }, files) => writeCheckpoint(files, "m", { a, b }))],
  [
    "writeNpz, deflated",
    (tensors, event) => {
      const bytes = writeNpz(tensors, { compressed: true });
      event();
      return bytes;
    },
  ],
])("%s", async (_, write) => {
  const before = liveBuffers();
  const expected = samples();
  const bytes = await write(expected, () => undefined);
  const tensors = samples();
  const others: Disposable[] = [];
  const again = await write(tensors, () => void (others.length === 0 && others.push(replaced(tensors))));
  expect([others.length, Buffer.compare(again, bytes)]).toEqual([1, 0]);
  for (const each of [...others, expected.a, expected.b]) each[Symbol.dispose]();
  expect(liveBuffers()).toBe(before);
});
