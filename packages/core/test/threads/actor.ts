// A worker thread for tests that executes the commands sent by thread-handle.ts. Plain Node runs the built file.
import { parentPort, Worker } from "node:worker_threads";
import { isStatusError } from "@onebuffer/base";
import type { ArenaInvitation } from "@onebuffer/allocator";
import type { TensorBytes, TensorHandle } from "@onebuffer/core";
import { joinArena, reclaim, revokeThread, threadKey } from "@onebuffer/allocator";
import { memorySnapshot } from "@onebuffer/allocator/internal";
import { receiveTensor, revokeHandle, shareTensor, Tensor, transferTensor } from "@onebuffer/core";

const tensors = new Map<string, Tensor>();
const actors: Worker[] = [];

function tensor(name: string): Tensor {
  const found = tensors.get(name);
  if (found === undefined) throw new Error(`the actor has no tensor ${name}`);
  return found;
}

/** The commands of an actor. */
export const commands = {
  key: (): number => threadKey(),
  join: (invitation: ArenaInvitation): Promise<void> => joinArena(invitation),
  /** Makes a float32 vector full of `value`. */
  full: (name: string, count: number, value: number): void => void tensors.set(name, Tensor.full([count], value)),
  share: (name: string): TensorHandle => shareTensor(tensor(name)),
  receive: (name: string, handle: TensorHandle | TensorBytes): void => void tensors.set(name, receiveTensor(handle)),
  /** Receives all handles and keeps the tensors. */
  receiveAll: (name: string, handles: readonly TensorHandle[]): void =>
    handles.forEach((handle, i) => void tensors.set(`${name}${i}`, receiveTensor(handle))),
  transfer: (name: string): TensorBytes => transferTensor(tensor(name)).message,
  revoke: (handle: TensorHandle): boolean => revokeHandle(handle),
  revokeThread: (key: number): number => revokeThread(key),
  read: (name: string): unknown => tensor(name).toArray(),
  write: (name: string, index: number, value: number): void => (tensor(name) as Tensor<"float32">).vec().set(index, value),
  slice: (name: string, of: string, start: number, limit: number): void => void tensors.set(name, tensor(of).slice(start, limit)),
  alone: (name: string): boolean => tensor(name).refCountIsOne(),
  dispose: (name: string): void => {
    tensor(name).dispose();
    tensors.delete(name);
  },
  disposeAll: (): void => {
    for (const t of tensors.values()) t.dispose();
    tensors.clear();
  },
  /** Drops a tensor without disposing it. */
  forget: (name: string): void => void tensors.delete(name),
  reclaim: (): Promise<number> => reclaim(),
  memory: (): { liveBuffers: number; bytesInUse: number; poolBytes: number; threads: number; blocks: number; tickets: number } => {
    const { liveBuffers, arena, threads, blocks, tickets } = memorySnapshot();
    return { liveBuffers, bytesInUse: arena?.bytesInUse ?? 0, poolBytes: arena?.poolBytes ?? 0, threads, blocks, tickets };
  },
  /** Starts another actor as a child of this one. Returns its key. */
  spawn: (): Promise<number> =>
    new Promise((done) => {
      const actor = new Worker(new URL(import.meta.url));
      actors.push(actor);
      actor.on("message", ({ result }: { result: number }) => done(result));
      actor.postMessage({ command: "key", args: [] });
    }),
  /** Repeats an operation forever, until the thread is terminated. */
  loop: (what: "send" | "receive" | "free" | "allocate", handles: readonly TensorHandle[] = []): void => {
    parentPort!.postMessage({ result: null });
    const mine = Tensor.full([1000], 5);
    const left = handles.slice();
    for (let i = 0; ; i++) {
      if (what === "send") revokeOrKeep(shareTensor(mine), i);
      else if (what === "allocate") Tensor.full([1000 * (1 + (i % 100))], i).dispose();
      else if (what === "receive") tensors.set(`loop${i % 50}`, receiveTensor(left.pop() ?? shareTensor(mine)));
      else receiveTensor(left.pop() ?? shareTensor(mine)).dispose();
    }
  },
  exit: (code: number): void => process.exit(code),
  crash: (): void => {
    setTimeout(() => {
      throw new Error("as asked for");
    });
  },
};

/** Revokes most handles and leaves some of them in flight. */
function revokeOrKeep(handle: TensorHandle, i: number): void {
  if (i % 97 !== 0 || i > 15000) revokeHandle(handle);
}

parentPort?.on("message", async ({ command, args }: { command: keyof typeof commands; args: never[] }) => {
  try {
    const result: unknown = await (commands[command] as (...args: never[]) => unknown)(...args);
    parentPort!.postMessage({ result });
  } catch (error) {
    parentPort!.postMessage({
      error: isStatusError(error) ? { code: error.code, message: error.message } : { code: "OTHER", message: String(error) },
    });
  }
});
