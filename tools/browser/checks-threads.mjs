// The checks of a page and its workers: sharing, if the page is isolated, and transfer on all pages.
import { arenaInvitation, bytesCopied, receiveTensor, revokeHandle, shareTensor, Tensor, transferTensor } from "onebuffer";
import { cpuAllocator } from "onebuffer/allocator";
import { memorySnapshot } from "onebuffer/debug";
import { equal, task, throwsStatus } from "./verdict.mjs";

/** A worker that answers commands in order. */
class Other {
  #worker = new Worker("/resolved/tools/browser/worker.mjs", { type: "module" });
  #waiting = [];

  constructor() {
    this.#worker.onmessage = ({ data }) => this.#waiting.shift()(data);
    this.#worker.onerror = (event) => this.#waiting.shift()?.({ error: `the worker: ${event.message}` });
  }

  static async start() {
    const other = new Other();
    await other.#answer();
    return other;
  }

  async #answer() {
    const { result, error } = await new Promise((resolve) => this.#waiting.push(resolve));
    if (error !== undefined) throw new Error(error);
    return result;
  }

  ask(command, ...args) {
    this.#worker.postMessage({ command, args });
    return this.#answer();
  }

  give(name, { message, transfer }) {
    this.#worker.postMessage({ command: "receive", args: [name, message] }, transfer);
    return this.#answer();
  }

  end() {
    this.#worker.terminate();
  }
}

const nothingShared = () => {
  const { blocks, tickets } = memorySnapshot();
  return blocks === 0 && tickets === 0;
};

/** Waits until nothing is shared any more, 20 seconds at most: the page learns of a worker's end in a later task. */
async function untilNothingShared() {
  const start = performance.now();
  while (!nothingShared() && performance.now() - start < 20_000) await task();
  const { blocks, tickets } = memorySnapshot();
  equal([blocks, tickets], [0, 0]);
}

const isolated = () => globalThis.crossOriginIsolated === true;

export const kThreadChecks = {
  async "an invited worker sees the page's bytes, if the page is isolated"() {
    if (!isolated()) {
      throwsStatus(() => arenaInvitation(), "FAILED_PRECONDITION");
      return;
    }
    const other = await Other.start();
    await other.ask("join", arenaInvitation());
    const tensor = Tensor.from([1, 2, 3, 4]);
    const copied = bytesCopied();
    const handle = shareTensor(tensor);
    await other.ask("receive", "t", handle);
    await other.ask("write", "t", 2, 9);
    equal(tensor.toArray(), [1, 2, 9, 4]);
    equal(bytesCopied() - copied, 0);
    throwsStatus(() => receiveTensor(handle), "FAILED_PRECONDITION");
    tensor.dispose();
    equal(await other.ask("read", "t"), [1, 2, 9, 4]);
    await other.ask("dispose", "t");
    await other.ask("full", "mine", 1000, 5);
    const theirs = receiveTensor(await other.ask("share", "mine"));
    await other.ask("dispose", "mine");
    equal(theirs.vec().at(999), 5);
    theirs.dispose();
    // The block is being returned to a worker that does nothing; when that worker ends, the page reclaims it.
    other.end();
    await untilNothingShared();
  },
  async "what a terminated worker held is reclaimed; what it shared stays"() {
    if (!isolated()) return;
    const other = await Other.start();
    await other.ask("join", arenaInvitation());
    await other.ask("full", "given", 1000, 7);
    const given = receiveTensor(await other.ask("share", "given"));
    for (let i = 0; i < 100; i++) {
      const tensor = Tensor.full([1000], i);
      await other.ask("receive", `t${i}`, shareTensor(tensor));
      tensor.dispose();
    }
    equal(memorySnapshot().blocks, 101);
    other.end();
    const start = performance.now();
    while (memorySnapshot().blocks > 1 && performance.now() - start < 20_000) await task();
    equal(given.vec().at(500), 7);
    given.dispose();
    await untilNothingShared();
  },
  async "a handle that was not received can be revoked once"() {
    if (!isolated()) return;
    const tensor = Tensor.full([4], 1);
    const handle = shareTensor(tensor);
    equal([revokeHandle(handle), revokeHandle(handle)], [true, false]);
    tensor.dispose();
    await untilNothingShared();
  },
  async "a tensor is transferred to a worker and back, isolated or not"() {
    const other = await Other.start();
    const { message, transfer, copiedBytes } = transferTensor(Tensor.from([1, 2, 3]));
    equal(copiedBytes, 12);
    await other.give("copied", { message, transfer });
    equal(await other.ask("read", "copied"), [1, 2, 3]);
    const whole = transferTensor(Tensor.full([4], 6, { allocator: cpuAllocator() }));
    equal(whole.copiedBytes, 0);
    await other.give("moved", whole);
    const { message: back } = await other.ask("transfer", "moved");
    const again = receiveTensor(back);
    equal(again.toArray(), [6, 6, 6, 6]);
    again.dispose();
    other.end();
  },
  async "a worker that was not invited refuses handles"() {
    if (!isolated()) return;
    const other = await Other.start();
    const tensor = Tensor.full([4], 1);
    const handle = shareTensor(tensor);
    const refused = await other.ask("receive", "t", handle).catch((error) => error.message);
    equal(refused, "FAILED_PRECONDITION");
    revokeHandle(handle);
    tensor.dispose();
    other.end();
    await untilNothingShared();
  },
};
