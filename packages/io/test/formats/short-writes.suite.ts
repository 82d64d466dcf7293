// A write that fails at each byte of each format, a file that cannot be created, closed or committed: the error is thrown, the folder has the
// old file and nothing else, and nothing leaks. `npm test` has every thirty-first byte.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { saveTensors, writeCheckpoint, writeTFRecords } from "@onebuffer/io";
import type { ByteSink, FileSinks } from "@onebuffer/io";
import { directorySinks, fileSink } from "@onebuffer/io/node";
import { isLong } from "@onebuffer/test-support";

const kStep = isLong ? 1 : 31;
const kFailure = new Error("the disk is full");
const kOld = "the old file";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-short-writes-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What fails: the write that reaches a byte, counted over all files, or the creation, the closing or the commit of that number. */
interface Failing {
  readonly bytes?: number;
  readonly event?: number;
}

/** Counts the bytes and the other events of a writer, and throws at one of them. */
class Meter {
  bytes = 0;
  events = 0;
  readonly #failing: Failing;

  constructor(failing: Failing) {
    this.#failing = failing;
  }

  written(count: number): void {
    this.bytes += count;
    if (this.#failing.bytes !== undefined && this.bytes > this.#failing.bytes) throw kFailure;
  }

  happened(): void {
    if (this.events++ === this.#failing.event) throw kFailure;
  }

  sink(inner: ByteSink): ByteSink {
    return {
      write: async (bytes) => {
        const before = this.bytes;
        try {
          this.written(bytes.length);
        } catch (error) {
          // What fits is written, as a disk does that is full.
          await inner.write(bytes.subarray(0, Math.max(0, (this.#failing.bytes as number) - before)));
          throw error;
        }
        await inner.write(bytes);
      },
      close: async () => {
        this.happened();
        await inner.close();
      },
      abort: (reason) => inner.abort?.(reason),
    };
  }

  files(inner: FileSinks): FileSinks {
    return {
      create: async (name) => {
        this.happened();
        return this.sink(await inner.create(name));
      },
      commit: async () => {
        this.happened();
        await inner.commit();
      },
      abort: async (reason) => inner.abort?.(reason),
    };
  }
}

type Writer = (matrix: Tensor<"float32">, meter: Meter) => Promise<void>;

const saved =
  (name: string, options: object = {}): Writer =>
  async (matrix, meter) =>
    saveTensors(
      (name.endsWith(".npy") ? { v: matrix } : { v: matrix, w: matrix }) as Record<string, Tensor<"float32">>,
      meter.files(directorySinks(folder)),
      name,
      options,
    );
const records =
  (options: object): Writer =>
  async (_, meter) =>
    void (await writeTFRecords(meter.sink(fileSink(join(folder, "m.tfrecord"))), [Uint8Array.of(1, 2, 3), new Uint8Array(40)], options));

/** The writers of every format, with a file that each replaces. */
const kWriters: readonly (readonly [kind: string, file: string, write: Writer])[] = [
  [".npy", "m.npy", saved("m.npy")],
  [".npz", "m.npz", saved("m.npz")],
  ["deflated .npz", "m.npz", saved("m.npz", { compressed: true })],
  ["safetensors", "m.safetensors", saved("m.safetensors")],
  ["safetensors in parts", "m.safetensors.index.json", saved("m.safetensors", { maxShardBytes: 48 })],
  ["checkpoint", "m.ckpt.index", saved("m.ckpt")],
  [
    "checkpoint of objects",
    "m.index",
    async (matrix, meter) => writeCheckpoint(meter.files(directorySinks(folder)), "m", { model: { kernel: matrix } }),
  ],
  ["TFRecord", "m.tfrecord", records({})],
  ["TFRecord with GZIP", "m.tfrecord", records({ compression: "GZIP" })],
];

/** Returns what is wrong when a writer fails, null if nothing. */
async function faultOf(
  [kind, file, write]: (typeof kWriters)[number],
  matrix: Tensor<"float32">,
  failing: Failing,
): Promise<string | null> {
  const where = `${kind}, ${JSON.stringify(failing)}`;
  const buffers = liveBuffers();
  let thrown: unknown = null;
  try {
    await write(matrix, new Meter(failing));
  } catch (error) {
    thrown = error;
  }
  if (thrown !== kFailure) return `${where}: throws ${String(thrown)}`;
  const names = readdirSync(folder);
  if (names.join() !== file || readFileSync(join(folder, file), "utf8") !== kOld) return `${where}: the folder has ${names.join()}`;
  return liveBuffers() === buffers ? null : `${where}: left ${liveBuffers() - buffers} buffers`;
}

test.each(kWriters)("a write that fails at any byte: %s", async (kind, file, write) => {
  using line = Tensor.arange(0, 12);
  using matrix = line.reshape([4, 3]);
  const whole = new Meter({});
  await write(matrix, whole);
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  writeFileSync(join(folder, file), kOld);
  const points: Failing[] = [];
  for (let bytes = 0; bytes < whole.bytes; bytes += kStep) points.push({ bytes });
  for (let event = 0; event < whole.events; event++) points.push({ event });
  const faults: string[] = [];
  for (const failing of points) {
    const fault = await faultOf([kind, file, write], matrix, failing);
    if (fault !== null) faults.push(fault);
  }
  rmSync(join(folder, file), { force: true });
  expect(faults).toEqual([]);
  expect(whole.bytes).toBeGreaterThan(40);
});
