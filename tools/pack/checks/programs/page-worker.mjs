import { joinArena, receiveTensor } from "onebuffer";

globalThis.onmessage = async ({ data: { invitation, handle } }) => {
  await joinArena(invitation);
  const tensor = receiveTensor(handle);
  const before = tensor.toArray();
  tensor.vec().set(0, 10);
  tensor.dispose();
  globalThis.postMessage(before);
};
globalThis.postMessage("ready");
