// A read that fails, ends early, or meets the end of the file, at each byte of each file of every format: a StatusError or the error of the
// source itself, and nothing leaks. `npm test` has every thirteenth byte.
import { expect, test } from "@jest/globals";
import { isStatusError, NotFoundError } from "@onebuffer/base";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { MemoryFiles, ObjectGraph, openSavedModel, openTensorFiles, writeCheckpoint } from "@onebuffer/io";
import type { ByteSource, FileSet } from "@onebuffer/io";
import { isLong } from "@onebuffer/test-support";
import { filesOf, sampleFiles } from "./sample-files.ts";

const kStep = isLong ? 1 : 13;

/** How a file misbehaves from a byte on: it has no more bytes, a read returns fewer bytes than were asked for, or a read is rejected. */
const kWays = ["ends", "is short", "fails"] as const;
type Way = (typeof kWays)[number];

const kFailure = new Error("the disk does not answer");

/** A file that misbehaves from the byte `at` on. `met` says whether a read has come that far. */
function faultySource(bytes: Uint8Array, at: number, way: Way): ByteSource & { readonly met: () => boolean } {
  let met = false;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    if (offset + length <= at) return bytes.slice(offset, offset + length);
    met = true;
    if (way === "fails") throw kFailure;
    return bytes.slice(offset, Math.max(offset, at));
  };
  return { size: way === "ends" ? at : bytes.length, read, met: () => met };
}

/** The files of a map, one of which is another source. */
function fileSetWith(files: ReadonlyMap<string, Uint8Array>, name: string, source: ByteSource): FileSet {
  const sourceOf = (bytes: Uint8Array): ByteSource => ({
    size: bytes.length,
    read: async (offset, length) => bytes.slice(offset, offset + length),
  });
  return {
    open: async (asked) => {
      const bytes = files.get(asked);
      if (bytes === undefined) throw new NotFoundError(asked);
      return asked === name ? source : sourceOf(bytes);
    },
    list: async () => [...files.keys()],
  };
}

/** Opens the files and reads every tensor and its bytes. */
async function readAll(files: FileSet, name: string): Promise<void> {
  const store = await openTensorFiles(files, name);
  for (const each of store.names) {
    using tensor = await store.read(each);
    void tensor;
    await store.bytes(each);
  }
}

/** Reads the variables of a SavedModel by its object graph. */
async function readModel(files: FileSet): Promise<void> {
  const reader = await openSavedModel(files, "m");
  await ObjectGraph.read(reader);
  for (const tensor of (await reader.lookupAll()).values()) tensor.dispose();
}

interface Subject {
  readonly kind: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly read: (files: FileSet) => Promise<void>;
}

async function subjects(matrix: Tensor<"float32">): Promise<Subject[]> {
  const samples = (await sampleFiles(matrix)).map((sample) => {
    const name = sample.format === "checkpoint" ? "m.index" : "m";
    return { kind: sample.kind, files: filesOf(sample, name), read: (files: FileSet) => readAll(files, name) };
  });
  const model = new MemoryFiles();
  await writeCheckpoint(model, "m/variables/variables", { w: matrix });
  return [...samples, { kind: "SavedModel", files: new Map(model.files), read: readModel }];
}

/** Returns what is wrong when a file misbehaves from a byte on, null if nothing. */
async function faultOf({ kind, files, read }: Subject, name: string, at: number, way: Way): Promise<string | null> {
  const source = faultySource(files.get(name)!, at, way);
  const buffers = liveBuffers();
  const where = `${kind}: ${name} ${way} at byte ${at}`;
  let thrown: unknown = null;
  try {
    await read(fileSetWith(files, name, source));
  } catch (error) {
    thrown = error;
  }
  if (thrown !== null && thrown !== kFailure && !isStatusError(thrown)) return `${where}: ${String(thrown)}`;
  if (thrown === null && source.met()) return `${where}: nothing was thrown`;
  return liveBuffers() === buffers ? null : `${where}: left ${liveBuffers() - buffers} buffers`;
}

test("a read that ends early at any byte of any format", async () => {
  using line = Tensor.arange(0, 12);
  using matrix = line.reshape([4, 3]);
  const faults: string[] = [];
  let points = 0;
  for (const subject of await subjects(matrix)) {
    for (const [name, bytes] of subject.files) {
      for (let at = points % kStep; at < bytes.length; at += kStep) {
        for (const way of isLong ? kWays : [kWays[points % 3]!]) {
          points++;
          const fault = await faultOf(subject, name, at, way);
          if (fault !== null) faults.push(fault);
        }
      }
    }
  }
  expect(faults).toEqual([]);
  expect(points).toBeGreaterThan(isLong ? 5000 : 150);
});
