import { parentPort } from "node:worker_threads";
import { receiveTensor, tensorOf } from "onebuffer";

parentPort.once("message", (handle) => {
  const half = receiveTensor(handle);
  half.matrix().fill(2);
  parentPort.postMessage(tensorOf(half.matrix().sum()).toArray());
  half.dispose();
});
