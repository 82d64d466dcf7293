// Real files of every format: recognized by their bytes under a wrong name.
import { describe, expect, test } from "@jest/globals";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { sampled } from "@onebuffer/test-support";
import { filesOf, folder, load, present, required } from "@onebuffer/test-support/real-files";
import { formatOf, openTensorFiles } from "@onebuffer/io";
import { isStatusError } from "@onebuffer/base";
import { directoryFiles } from "@onebuffer/io/node";

/** The kinds of MANIFEST.json, their formats, and a name of another format. */
const kKinds = [
  ["npy", "npy", "wrong.safetensors"],
  ["npz", "npz", "wrong.npy"],
  ["safetensors", "safetensors", "wrong.npz"],
  ["TensorBundle", "checkpoint", "wrong.npy"],
  ["TFRecord", "TFRecord", "wrong.index"],
] as const;

test("the real files are there where they are required", () => expect(present || !required).toBe(true));

(present ? describe : describe.skip)("real files of every format", () => {
  test.each(kKinds)("%s is recognized under a wrong name", async (kind, format, wrong) => {
    const files = filesOf<unknown>(kind);
    for (const [path] of sampled(files, files.length / 5)) {
      expect([path, await formatOf(load(path), { name: wrong })]).toEqual([path, format]);
      const opened = openTensorFiles({ [wrong]: load(path) }, wrong);
      const found = await opened.then(
        (store) => store.format,
        (error: unknown) => (isStatusError(error) ? format : String(error)),
      );
      expect([path, found]).toEqual([path, format]);
    }
  });

  test("the folder of a SavedModel, and of a checkpoint with its state", async () => {
    const folders = new Set(filesOf<unknown>("TensorBundle").map(([path]) => dirname(path)));
    let opened = 0;
    for (const each of folders) {
      const isState = existsSync(join(folder, each, "checkpoint"));
      if (!isState && !each.endsWith("/variables")) continue;
      using files = directoryFiles(join(folder, isState ? each : dirname(each)));
      const store = await openTensorFiles(files).catch(() => null);
      if (store !== null) opened++;
    }
    expect(opened > 0 || folders.size === 0).toBe(true);
  });
});
