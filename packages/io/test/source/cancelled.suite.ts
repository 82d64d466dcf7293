// Sources, files, requests and sinks that never answer and do not heed the signal: the call ends with CANCELLED, leaves no listener on the
// signal, and holds nothing.
import { describe, expect, test } from "@jest/globals";
import { liveBuffers } from "@onebuffer/allocator";
import { NotFoundError, StatusError } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import {
  BundleWriter,
  httpSource,
  MemoryFiles,
  mergeBundles,
  openSafetensorsModel,
  openTensorFiles,
  readNpz,
  readTFRecords,
  saveNpz,
  saveSafetensorsModel,
  saveTensors,
  writeNpz,
  writeTFRecords,
} from "@onebuffer/io";
import type { AbortSignalLike, ByteSource, FetchLike, FileSet, SinkOutput } from "@onebuffer/io";
import { Writable } from "node:stream";
import { filesOf, sampleFiles } from "../formats/sample-files.ts";

const never = <T>(): Promise<T> => new Promise(() => undefined);

/** An AbortSignal that knows its listeners. */
function listenedSignal(): { readonly signal: AbortSignalLike; readonly abort: () => void; readonly listeners: ReadonlySet<unknown> } {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = ((type: "abort", listener: () => void) => {
    listeners.add(listener);
    add(type, listener);
  }) as typeof signal.addEventListener;
  signal.removeEventListener = ((type: "abort", listener: () => void) => {
    listeners.delete(listener);
    remove(type, listener);
  }) as typeof signal.removeEventListener;
  return { signal, abort: () => controller.abort("enough"), listeners };
}

/** Returns what is wrong when a call is cancelled while it waits, null if nothing. */
async function faultOf(call: (signal: AbortSignalLike) => Promise<unknown>): Promise<string | null> {
  const before = liveBuffers();
  const { signal, abort, listeners } = listenedSignal();
  const work = call(signal).then(
    () => "nothing was thrown",
    (error: unknown) => (error instanceof StatusError && error.code === "CANCELLED" ? null : String(error)),
  );
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => (timer = setTimeout(resolve, 1000, "it goes on")));
  const fault = await Promise.race([work, late]);
  clearTimeout(timer);
  if (fault !== null) return fault;
  if (listeners.size > 0) return `left ${listeners.size} listeners`;
  return liveBuffers() === before ? null : `left ${liveBuffers() - before} buffers`;
}

/** The files of a map, whose reads and openings wait for `step`. */
function steppedFiles(files: ReadonlyMap<string, Uint8Array>, step: () => Promise<void>): FileSet {
  const source = (bytes: Uint8Array): ByteSource => ({
    size: bytes.length,
    read: async (from, length) => {
      await step();
      return bytes.slice(from, from + length);
    },
  });
  return {
    open: async (name) => {
      await step();
      const bytes = files.get(name);
      if (bytes === undefined) throw new NotFoundError(name);
      return source(bytes);
    },
  };
}

/** Opens the files and reads every tensor. */
async function readAll(files: FileSet, name: string, signal: AbortSignalLike): Promise<void> {
  const store = await openTensorFiles(files, name, { signal });
  for (const each of store.names) {
    using tensor = await store.read(each, null, { signal });
    void tensor;
  }
}

test("a read or an opening that never ends, the first, second, … of each format", async () => {
  using line = Tensor.arange(0, 12);
  using matrix = line.reshape([4, 3]);
  const faults: string[] = [];
  let points = 0;
  for (const sample of await sampleFiles(matrix)) {
    const name = sample.format === "checkpoint" ? "m.index" : "m";
    const files = filesOf(sample, name);
    let steps = 0;
    await readAll(
      steppedFiles(files, async () => void steps++),
      name,
      new AbortController().signal,
    );
    for (let at = 0; at < steps; at++, points++) {
      let count = 0;
      const fault = await faultOf((signal) =>
        readAll(
          steppedFiles(files, async () => (count++ === at ? never() : undefined)),
          name,
          signal,
        ),
      );
      if (fault !== null) faults.push(`${sample.kind}, step ${at}: ${fault}`);
    }
  }
  expect(faults).toEqual([]);
  expect(points).toBeGreaterThan(40);
});

test("records and the parts of a merge", async () => {
  const stuck: ByteSource = { size: 100, read: () => never() };
  const set: FileSet = { open: async () => stuck };
  expect(await faultOf((signal) => readTFRecords(stuck, { signal }).next())).toBeNull();
  expect(await faultOf((signal) => readTFRecords(stuck, { signal, compression: "GZIP" }).next())).toBeNull();
  const records = { [Symbol.asyncIterator]: () => ({ next: () => never<IteratorResult<Uint8Array>>() }) };
  expect(await faultOf((signal) => writeTFRecords({ write: () => undefined }, records, { signal }))).toBeNull();
  expect(await faultOf((signal) => mergeBundles(set, ["m"], new MemoryFiles(), "n", { signal }))).toBeNull();
});

describe("requests", () => {
  const headers = new Headers({ "content-range": "bytes 0-0/9" });
  const answer = (body: unknown): FetchLike => (async () => ({ status: 206, headers, body })) as never;
  test.each<readonly [string, FetchLike]>([
    ["a fetch that never ends", () => never()],
    ["a body that never ends", answer({ getReader: () => ({ read: () => never() }) })],
  ])("%s", async (_, fetch) => {
    expect(await faultOf((signal) => httpSource("http://host/file", { fetch, signal }))).toBeNull();
  });

  test.each<readonly [string, unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("offline");
      },
      "FAILED_PRECONDITION",
    ],
    ["returns nothing", () => undefined, "INVALID_ARGUMENT"],
    ["returns a status alone", () => ({ status: 206 }), "INVALID_ARGUMENT"],
    ["has a body of text", answer({ getReader: () => ({ read: async () => ({ value: "a" }) }) }), "INVALID_ARGUMENT"],
  ])("a fetch that %s is refused", async (_, fetch, code) => {
    await expect(httpSource("http://host/file", { fetch: fetch as never })).rejects.toEqual(expect.objectContaining({ code }));
  });
});

describe("sinks", () => {
  const writers: readonly (readonly [string, (tensor: Tensor, sink: SinkOutput, signal: AbortSignalLike) => Promise<unknown>])[] = [
    ["saveNpz", (tensor, sink, signal) => saveNpz({ tensor }, sink, { signal })],
    ["saveNpz, deflated", (tensor, sink, signal) => saveNpz({ tensor }, sink, { signal, compressed: true })],
    ["records", (tensor, sink, signal) => writeTFRecords(sink, [tensor.tensorData], { signal })],
    ["deflated records", (tensor, sink, signal) => writeTFRecords(sink, [tensor.tensorData], { signal, compression: "ZLIB" })],
    [
      "a checkpoint",
      async (tensor, sink, signal) => {
        const writer = new BundleWriter(() => sink, "m", { signal });
        await writer.add("tensor", tensor);
        await writer.finish();
      },
    ],
    ["saveTensors", (tensor, sink, signal) => saveTensors({ tensor }, () => sink, "m.safetensors", { signal })],
  ];
  test.each<readonly [string, () => SinkOutput]>([
    ["a write", () => ({ write: () => never<void>() })],
    ["a close", () => ({ write: () => undefined, close: () => never<void>() })],
    ["a WritableStream without a reader", () => new TransformStream<Uint8Array, Uint8Array>().writable],
    ["a write of a WritableStream", () => new WritableStream<Uint8Array>({ write: () => never() })],
    ["a close of a WritableStream", () => new WritableStream<Uint8Array>({ close: () => never() })],
    ["a write of a stream of Node", () => new Writable({ write: () => undefined })],
    ["a close of a stream of Node", () => new Writable({ write: (_, __, done) => done(), final: () => undefined })],
  ])("%s that never ends", async (_, sink) => {
    using tensor = Tensor.arange(0, 20);
    const faults: (string | null)[] = [];
    for (const [, write] of writers) faults.push(await faultOf((signal) => write(tensor, sink(), signal)));
    expect(faults).toEqual(writers.map(() => null));
  });
});

test("a signal ends its own call, not another one that waits for the same file of a model", async () => {
  using a = Tensor.from([1, 2, 3]);
  const made = new MemoryFiles();
  await saveSafetensorsModel({ a, b: a }, made, { maxShardBytes: 24 });
  const model = await openSafetensorsModel(
    new Map([...made.files].map(([name, bytes]) => [name, new Blob([bytes as Uint8Array<ArrayBuffer>])])),
  );
  const controller = new AbortController();
  const reads = [
    model.entry("a", { signal: controller.signal }),
    model.entry("a"),
    model.entry("a", { signal: new AbortController().signal }),
  ];
  controller.abort();
  const states = (await Promise.allSettled(reads)).map(({ status }) => status);
  expect(states).toEqual(["rejected", "fulfilled", "fulfilled"]);
});

test("a signal has one listener for all calls that wait at a time, and none afterwards", async () => {
  using tensor = Tensor.arange(0, 20);
  const file = new Blob([await writeNpz({ tensor })]);
  const { signal, listeners } = listenedSignal();
  let most = 0;
  const reads = Array.from({ length: 12 }, async () => {
    using tensors = await readNpz(file, { signal, onProgress: () => (most = Math.max(most, listeners.size)) });
    return tensors.size;
  });
  most = Math.max(most, listeners.size);
  expect([await Promise.all(reads), most, listeners.size]).toEqual([new Array(12).fill(1), 1, 0]);
});
