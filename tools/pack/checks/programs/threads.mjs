// A tensor shared with a worker of Node: both write to the same bytes. Prints what the main thread reads at the end.
import { Worker } from "node:worker_threads";
import { shareTensor, Tensor } from "onebuffer";

const frames = Tensor.zeros([4, 1000]);
const half = frames.slice(0, 2);
const worker = new Worker(new URL("./threads-worker.mjs", import.meta.url));
worker.postMessage(shareTensor(half));
worker.once("message", (sum) => {
  console.log(JSON.stringify([sum, frames.matrix().at(1, 999), frames.matrix().at(2, 0)]));
  void worker.terminate();
});
