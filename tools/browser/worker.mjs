// The worker of the browser checks: runs the commands it is sent, one after the other.
import { isStatusError, joinArena, receiveTensor, shareTensor, Tensor, transferTensor } from "onebuffer";

const held = new Map();

const kCommands = {
  join: (invitation) => joinArena(invitation),
  receive: (name, message) => void held.set(name, receiveTensor(message)),
  read: (name) => held.get(name).toArray(),
  write: (name, index, value) => held.get(name).vec().set(index, value),
  full: (name, count, value) => void held.set(name, Tensor.full([count], value)),
  share: (name) => shareTensor(held.get(name)),
  transfer: (name) => transferTensor(held.get(name)),
  dispose: (name) => {
    held.get(name).dispose();
    held.delete(name);
  },
};

globalThis.onmessage = async ({ data: { command, args } }) => {
  try {
    const result = await kCommands[command](...args);
    globalThis.postMessage({ result }, command === "transfer" ? result.transfer : []);
  } catch (error) {
    globalThis.postMessage({ error: isStatusError(error) ? error.code : String(error) });
  }
};
globalThis.postMessage({ result: "ready" });
