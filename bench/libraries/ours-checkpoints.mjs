// Checkpoints: opened and loaded once, by a process that has read none before.
import { Tensor } from "onebuffer";
import { BundleReader, BundleWriter, MemoryFiles } from "onebuffer/io";
import { directoryFiles, directorySinks } from "onebuffer/node";
import { inFolder, keyOf, kIndexEntries, kTensorElements, kTensors, timeOf } from "../checkpoint-files.mjs";

async function write(output, count, tensor, key) {
  const writer = new BundleWriter(output, "model");
  for (let i = 0; i < count; i++) await writer.add(key(i), tensor);
  await writer.finish();
  tensor.dispose();
}

const loading = (verifyChecksums) => () => ({
  value: () =>
    inFolder(async (folder) => {
      await write(directorySinks(folder), kTensors, Tensor.random([kTensorElements]), (i) => `tensor ${i}`);
      const files = directoryFiles(folder);
      const reader = await BundleReader.open(files, "model", { verifyChecksums });
      let tensors;
      const time = await timeOf(async () => {
        tensors = await reader.lookupAll();
      });
      tensors.dispose();
      files.close?.();
      return time;
    }),
});

export const checkpointsOfOurs = {
  "checkpoint load": loading(true),
  "checkpoint load unchecked": loading(false),
  "checkpoint index": () => ({
    async value() {
      const made = new MemoryFiles();
      await write(made, kIndexEntries, Tensor.zeros([1]), keyOf);
      return timeOf(() => BundleReader.open(made.files, "model"));
    },
  }),
};
