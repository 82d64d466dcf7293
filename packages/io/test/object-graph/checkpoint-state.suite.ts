// Tests the file "checkpoint" and SavedModel folders: reading, the latest checkpoint, updating, refusals.
import { describe, expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import {
  BundleWriter,
  ChunkSink,
  latestCheckpoint,
  MemoryFiles,
  openSavedModel,
  readCheckpointState,
  updateCheckpointState,
} from "@onebuffer/io";
import { expectRefusal } from "@onebuffer/test-support";
import { MemoryFolder, utf8 } from "../checkpoint/bundle-files.ts";

const stateFile = (text: string, ...others: string[]): Map<string, Uint8Array> =>
  new Map([["checkpoint", utf8(text)], ...others.map((name) => [name, new Uint8Array(0)] as const)]);

describe("the latest checkpoint", () => {
  test.each<[text: string, others: readonly string[], latest: string | null]>([
    ['model_checkpoint_path: "ckpt-3"', ["ckpt-3.index"], "ckpt-3"],
    ['model_checkpoint_path: "ckpt-3"', ["ckpt-2.index"], null],
    ['model_checkpoint_path: "old.ckpt"', ["old.ckpt"], "old.ckpt"],
    ['model_checkpoint_path: "run/ckpt"', ["run/ckpt.index"], "run/ckpt"],
    ['model_checkpoint_path: "/data/run/ckpt"', ["ckpt.index"], "ckpt"],
    ['model_checkpoint_path: "C:\\\\run\\\\ckpt"', ["ckpt.index"], "ckpt"],
    ['model_checkpoint_path: "gs://bucket/ckpt"', ["ckpt.index"], "ckpt"],
    ['model_checkpoint_path: "/data/"', ["ckpt.index"], null],
    ['all_model_checkpoint_paths: "ckpt"', ["ckpt.index"], null],
    ["", [], null],
  ])("of %j", async (text, others, latest) => {
    expect(await latestCheckpoint(stateFile(text, ...others))).toBe(latest);
  });

  test("is null without the file, and other errors of the files are thrown", async () => {
    expect(await latestCheckpoint({})).toBeNull();
    expect(await readCheckpointState({})).toBeNull();
    const broken = new Error("disk");
    await expect(latestCheckpoint({ open: () => Promise.reject(broken) })).rejects.toBe(broken);
  });

  test("refuses malformed files", async () => {
    await expectRefusal(() => latestCheckpoint(stateFile("model_checkpoint_path")), "INVALID_ARGUMENT", "line 1, column 22");
    await expectRefusal(() => readCheckpointState({ checkpoint: Uint8Array.of(0xff) }), "DATA_LOSS", "not UTF-8");
    const huge = { size: 2 ** 40, read: () => Promise.reject(new Error("read")) };
    await expectRefusal(() => readCheckpointState({ checkpoint: huge }), "RESOURCE_EXHAUSTED", "1099511627776");
    const text = 'model_checkpoint_path: "ckpt-3" all_model_checkpoint_paths: "ckpt-3" all_model_checkpoint_timestamps: 1.5';
    for (let length = 0; length < text.length; length++) {
      const outcome = await readCheckpointState(stateFile(text.slice(0, length))).catch((error: { code: string }) => error.code);
      expect(outcome === "INVALID_ARGUMENT" || typeof outcome === "object").toBe(true);
    }
  });
});

describe("updating", () => {
  const updated = async (prefix: string, options?: Parameters<typeof updateCheckpointState>[2]): Promise<string> => {
    const sink = new ChunkSink();
    const state = await updateCheckpointState(
      (name) => {
        expect(name).toBe("checkpoint");
        return sink;
      },
      prefix,
      options,
    );
    expect({ ...state, allModelCheckpointTimestamps: undefined }).toEqual({
      ...(await readCheckpointState({ checkpoint: sink.toBytes() })),
      allModelCheckpointTimestamps: undefined,
    });
    return new TextDecoder().decode(sink.toBytes());
  };

  test("appends the latest, keeps timestamps where all are known, and moves a repeated one to the end", async () => {
    expect(await updated("ckpt-1", { timestamp: 1 })).toBe(
      'model_checkpoint_path: "ckpt-1"\nall_model_checkpoint_paths: "ckpt-1"\nall_model_checkpoint_timestamps: 1.0\n',
    );
    const previous = {
      modelCheckpointPath: "b",
      allModelCheckpointPaths: ["a", "b"],
      allModelCheckpointTimestamps: [1.5, 2.5],
      lastPreservedTimestamp: 0.5,
    };
    const lines = async (options: Parameters<typeof updateCheckpointState>[2], prefix = "c"): Promise<string[]> =>
      (await updated(prefix, { previous, timestamp: 9, ...options }))
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/^\w+: /, ""));
    expect(await lines({})).toEqual(['"c"', '"a"', '"b"', '"c"', "1.5", "2.5", "9.0", "0.5"]);
    expect(await lines({ all: ["b"] })).toEqual(['"c"', '"b"', '"c"', "2.5", "9.0", "0.5"]);
    expect(await lines({ all: ["z"] })).toEqual(['"c"', '"z"', '"c"', "0.5"]);
    expect(await lines({}, "a")).toEqual(['"a"', '"b"', '"a"', "2.5", "9.0", "0.5"]);
    expect(await lines({ previous: { allModelCheckpointPaths: ["a"] } })).toEqual(['"c"', '"a"', '"c"']);
    const before = Date.now() / 1000;
    const sink = new ChunkSink();
    const [now] = (await updateCheckpointState(() => sink, "c")).allModelCheckpointTimestamps as number[];
    expect(now! >= before && now! <= Date.now() / 1000).toBe(true);
  });

  test("files that appear together are committed, or aborted after an error", async () => {
    const made = new MemoryFiles();
    await updateCheckpointState(made, "c");
    expect([...made.files.keys()]).toEqual(["checkpoint"]);
    const full = new Error("disk full");
    const calls: unknown[] = [];
    const broken = {
      create: async () => ({ write: () => Promise.reject(full), close: () => undefined }),
      commit: async () => void calls.push("commit"),
      abort: async (reason: unknown) => void calls.push(reason),
    };
    await expect(updateCheckpointState(broken, "c")).rejects.toBe(full);
    expect(calls).toEqual([full]);
  });

  test("refuses wrong arguments", async () => {
    const create = (): ChunkSink => new ChunkSink();
    await expectRefusal(() => updateCheckpointState(create, ""), "INVALID_ARGUMENT", "empty");
    await expectRefusal(() => updateCheckpointState(create, 1 as never), "INVALID_ARGUMENT");
    await expectRefusal(() => updateCheckpointState("checkpoint" as never, "c"), "INVALID_ARGUMENT");
    await expectRefusal(() => updateCheckpointState(create, "c", { all: "a" } as never), "INVALID_ARGUMENT", "all");
    await expectRefusal(() => updateCheckpointState(create, "c", { all: [1] } as never), "INVALID_ARGUMENT");
    await expectRefusal(() => updateCheckpointState(create, "c", { timestamp: "now" } as never), "INVALID_ARGUMENT", "timestamp");
  });
});

describe("SavedModel folders", () => {
  test("have their variables in variables/variables", async () => {
    const folder = new MemoryFolder();
    const writer = new BundleWriter(folder.create, "m/variables/variables");
    using w = Tensor.from([3]);
    await writer.add("w", w);
    await writer.finish();
    for (const name of ["m", "m/"]) {
      using read = await (await openSavedModel(folder.files, name)).lookup("w");
      expect(read.toArray()).toEqual([3]);
    }
    const unchecked = await openSavedModel(folder.files, "m", { verifyChecksums: false });
    expect(unchecked.keys).toEqual(["w"]);
  });

  test("without variables, and folders that are none, are NOT_FOUND", async () => {
    const empty = new Map([["m/saved_model.pb", new Uint8Array(0)]]);
    await expectRefusal(() => openSavedModel(empty, "m"), "NOT_FOUND", 'the SavedModel "m/" has no variables');
    await expectRefusal(() => openSavedModel(empty), "NOT_FOUND", "neither saved_model.pb nor variables/variables.index");
    await expectRefusal(() => openSavedModel(empty, 1 as never), "INVALID_ARGUMENT");
  });
});
