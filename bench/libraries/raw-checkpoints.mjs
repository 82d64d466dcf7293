// The bytes of a checkpoint, read by fs.readSync into a fresh buffer.
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { inFolder, kTensorElements, kTensors, timeOf } from "../checkpoint-files.mjs";
import { floats } from "../data.mjs";

const reading = () => ({
  value: () =>
    inFolder(async (folder) => {
      const tensor = new Uint8Array(floats(kTensorElements).buffer);
      const file = openSync(join(folder, "bytes"), "w+");
      for (let i = 0; i < kTensors; i++) writeSync(file, tensor);
      const time = await timeOf(() => {
        const bytes = new Uint8Array(tensor.length * kTensors);
        for (let at = 0; at < bytes.length; ) at += readSync(file, bytes, at, bytes.length - at, at);
      });
      closeSync(file);
      return time;
    }),
});

export const checkpointsOfRaw = { "checkpoint load": reading, "checkpoint load unchecked": reading };
