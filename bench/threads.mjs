// Measures tensors for another thread: the first share of a tensor, and 64 MiB handed to a running worker and read there. This file
// is also the worker: it answers every message with three of the elements and the number of bytes it copied.
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { bytesCopied, receiveTensor, revokeHandle, shareTensor, Tensor } from "onebuffer";
import { kAllocSide } from "./alloc.mjs";
import { floats } from "./data.mjs";

const kElements = 16 * 2 ** 20; // 64 MiB of float32

/** The indices that are read: both ends and the middle. */
const read = (at) => at(0) + 3 * at(kElements / 2) + 5 * at(kElements - 1);

if (!isMainThread && parentPort !== null) {
  parentPort.on("message", (message) => {
    const before = bytesCopied();
    let value;
    if (ArrayBuffer.isView(message)) value = read((i) => message[i]);
    else {
      const tensor = receiveTensor(message);
      const vec = tensor.vec();
      value = read((i) => vec.at(i));
      tensor.dispose();
    }
    parentPort.postMessage({ value, copied: bytesCopied() - before });
  });
}

/** Returns a case that posts what `message()` returns and waits for the answer. */
function handOver(message, free, note) {
  const worker = new Worker(fileURLToPath(import.meta.url));
  const ask = () =>
    new Promise((resolve, reject) => {
      const before = bytesCopied();
      worker.once("error", reject);
      worker.once("message", ({ value, copied }) => {
        worker.off("error", reject);
        const bytes = copied + bytesCopied() - before;
        if (bytes > 0) reject(new Error(`${bytes} bytes were copied`));
        else resolve(value);
      });
      worker.postMessage(message());
    });
  return {
    isAsync: true,
    note,
    run: ask,
    checksum: ask,
    free() {
      free();
      worker.terminate();
    },
  };
}

/** The cases of onebuffer. */
export const threadCases = {
  "alloc, share, free": () => ({
    run() {
      const tensor = new Tensor("float32", [kAllocSide, kAllocSide]);
      revokeHandle(shareTensor(tensor));
      tensor.dispose();
    },
    note: "the handle is taken back",
  }),
  "64 MiB to a worker"() {
    const tensor = Tensor.from(floats(kElements));
    return handOver(
      () => shareTensor(tensor),
      () => tensor.dispose(),
      "0 bytes copied",
    );
  },
};

/** The same with a typed array, which postMessage clones. */
export const cloneCases = {
  "64 MiB to a worker"() {
    const array = floats(kElements);
    return handOver(
      () => array,
      () => undefined,
      "a structured clone",
    );
  },
};
