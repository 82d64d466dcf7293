// Tests of tensors shared between real threads: which threads see and free the memory, and what happens when a thread ends.
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import type { BFCAllocator } from "@onebuffer/allocator";
import type { TensorHandle } from "@onebuffer/core";
import { arenaInvitation, defaultAllocator, revokeThread, threadKey } from "@onebuffer/allocator";
import { memorySnapshot } from "@onebuffer/allocator/internal";
import { receiveTensor, revokeHandle, shareTensor, Tensor, transferTensor } from "@onebuffer/core";
import { isLong } from "@onebuffer/test-support";
import { ThreadHandle } from "./thread-handle.ts";

jest.setTimeout(60_000);

/** Threads used by all tests, because loading the library in a thread takes longer than most tests. Handed out in order. */
const lasting: ThreadHandle[] = [];
let given = 0;

/** Threads started for one test. */
const started: ThreadHandle[] = [];

/** Returns a lasting thread, which the test must not end. */
function start(): ThreadHandle {
  return lasting[given++]!;
}

const first = (t: Tensor): unknown => (t as Tensor<"float32">).vec().at(0);

/** The memory when nothing is in use: no block, no ticket, no byte of this thread, and no threads but this one and the lasting ones. */
const kNothing = { threads: 1, blocks: 0, tickets: 0, bytesInUse: 0 };

function memory(): typeof kNothing {
  const { threads, blocks, tickets, arena } = memorySnapshot();
  return { threads: threads - lasting.length, blocks, tickets, bytesInUse: arena?.bytesInUse ?? 0 };
}

/** Starts a thread that is not offered the arena and joins it by an invitation. */
async function startInvited(): Promise<ThreadHandle> {
  const thread = ThreadHandle.uninvited();
  await thread.ask("join", arenaInvitation());
  thread.key = await thread.ask("key");
  return thread;
}

beforeAll(async () => {
  // Both ways into the arena serve all tests.
  lasting.push(...(await Promise.all([startInvited(), ThreadHandle.start()])));
});

afterEach(async () => {
  for (const thread of started.splice(0)) await thread.end();
  for (const thread of lasting.slice(0, given)) await thread.ask("disposeAll");
  given = 0;
  expect(memory()).toEqual(kNothing);
  for (const thread of lasting) expect(await thread.ask("memory")).toMatchObject({ liveBuffers: 0, bytesInUse: 0 });
});

afterAll(async () => {
  for (const thread of lasting.splice(0)) await thread.end();
  expect(memory()).toEqual(kNothing);
});

describe("sharing", () => {
  test("both threads see each other's writes to the same bytes", async () => {
    const other = start();
    const t = Tensor.full([4], 1);
    const before = memorySnapshot().arena!.bytesInUse;
    await other.ask("receive", "t", shareTensor(t));
    t.vec().set(2, 7);
    expect(await other.ask("read", "t")).toEqual([1, 1, 7, 1]);
    await other.ask("write", "t", 0, 9);
    expect(t.toArray()).toEqual([9, 1, 7, 1]);
    expect(memorySnapshot().arena!.bytesInUse).toBe(before);
    t.dispose();
    expect([await other.ask("read", "t"), memory().blocks]).toEqual([[9, 1, 7, 1], 1]);
    await other.ask("dispose", "t");
    expect([memory().blocks, memory().bytesInUse]).toEqual([0, 0]);
  });

  test("refCountIsOne is true only if no other thread holds the tensor and no handle is in flight", async () => {
    const other = start();
    const t = Tensor.full([4], 1);
    expect(t.refCountIsOne()).toBe(true);
    const handle = shareTensor(t);
    expect(t.refCountIsOne()).toBe(false);
    await other.ask("receive", "t", handle);
    expect([t.refCountIsOne(), await other.ask("alone", "t")]).toEqual([false, false]);
    await other.ask("dispose", "t");
    expect(t.refCountIsOne()).toBe(true);
    await other.ask("receive", "t", shareTensor(t));
    t.dispose();
    expect(await other.ask("alone", "t")).toBe(true);
    await other.ask("dispose", "t");
  });

  test("a tensor can be passed on to a third thread and back after the first handle is disposed", async () => {
    const [second, third] = [start(), start()];
    const t = Tensor.full([3], 3);
    await second.ask("receive", "t", shareTensor(t));
    const home = shareTensor(t);
    t.dispose();
    await third.ask("receive", "t", await second.ask("share", "t"));
    await second.ask("dispose", "t");
    await third.ask("write", "t", 1, 4);
    const back = await third.ask("share", "t");
    await third.ask("dispose", "t");
    using mine = receiveTensor(home);
    using again = receiveTensor(back);
    expect([again.toArray(), mine.sharesBufferWith(again), mine.refCountIsOne()]).toEqual([[3, 4, 3], true, false]);
    again.dispose();
    expect(mine.refCountIsOne()).toBe(true);
    mine.dispose();
  });

  test("a slice, and a slice of a slice, keep their place in the root", async () => {
    const other = start();
    const t = Tensor.arange(0, 100);
    const middle = t.slice(10, 20);
    await other.ask("receive", "m", shareTensor(middle));
    middle.dispose();
    await other.ask("slice", "s", "m", 2, 5);
    await other.ask("dispose", "m");
    expect(await other.ask("read", "s")).toEqual([12, 13, 14]);
    using s = receiveTensor(await other.ask("share", "s"));
    expect([s.toArray(), s.sharesBufferWith(t), s.buffer!.rootBuffer.size]).toEqual([[12, 13, 14], true, 400]);
    s.dispose();
    t.dispose();
    await other.ask("dispose", "s");
  });

  test("memory freed on another thread is returned to the thread that allocated it", async () => {
    const other = start();
    await other.ask("full", "t", 1000, 5);
    const t = receiveTensor(await other.ask("share", "t"));
    await other.ask("dispose", "t");
    expect(t.toArray()).toEqual(new Array(1000).fill(5));
    expect(await other.ask("memory")).toMatchObject({ bytesInUse: 4096, blocks: 1 });
    t.dispose();
    expect(await other.ask("memory")).toMatchObject({ bytesInUse: 0, blocks: 0, tickets: 0 });
  });

  test("a tensor received twice is held until both are disposed", async () => {
    const other = start();
    const t = Tensor.full([4], 1);
    await other.ask("receiveAll", "t", [shareTensor(t), shareTensor(t)]);
    t.dispose();
    await other.ask("dispose", "t0");
    expect([await other.ask("read", "t1"), memory().blocks]).toEqual([[1, 1, 1, 1], 1]);
    await other.ask("dispose", "t1");
  });

  test("a thread's garbage collector reclaims tensors it dropped", async () => {
    const other = start();
    const t = Tensor.full([1000], 1);
    await other.ask("receive", "t", shareTensor(t));
    t.dispose();
    await other.ask("forget", "t");
    expect(await other.ask("reclaim")).toBeGreaterThan(0);
    expect(memory()).toMatchObject({ blocks: 0, bytesInUse: 0 });
  });

  test("only one of two receivers can receive a handle", async () => {
    const [a, b] = [start(), start()];
    const t = Tensor.full([4], 1);
    const handle = shareTensor(t);
    const results = await Promise.allSettled([a.ask("receive", "t", handle), b.ask("receive", "t", handle)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [receiver, second] = results[0]!.status === "fulfilled" ? [a, b] : [b, a];
    await expect(second.ask("receive", "t", handle)).rejects.toThrow(/FAILED_PRECONDITION: handle .* is not in flight/);
    expect(revokeHandle(handle)).toBe(false);
    await receiver.ask("dispose", "t");
    t.dispose();
  });

  test("a revoked handle is invalid, whichever thread revoked it", async () => {
    const other = start();
    const t = Tensor.full([4], 1);
    const [mine, theirs] = [shareTensor(t), shareTensor(t)];
    t.dispose();
    expect([memory().tickets, memory().bytesInUse]).toEqual([2, 256]);
    expect(revokeHandle(mine)).toBe(true);
    expect(await other.ask("revoke", theirs)).toBe(true);
    await expect(other.ask("receive", "t", mine)).rejects.toThrow(/FAILED_PRECONDITION/);
  });

  test("64 MiB arrive without a copy", async () => {
    const other = start();
    const t = new Tensor("float32", [1 << 24]);
    t.vec().set(t.numElements - 1, 1.5);
    const before = process.memoryUsage.rss();
    await other.ask("receive", "t", shareTensor(t));
    await other.ask("slice", "s", "t", (1 << 24) - 1, 1 << 24);
    expect([await other.ask("read", "s"), process.memoryUsage.rss() - before < 32 * 2 ** 20]).toEqual([[1.5], true]);
    for (const name of ["s", "t"]) await other.ask("dispose", name);
    t.dispose();
  });
});

// Starting a thread takes most of the time of a test, so `npm test` runs one test of each kind of end.
describe("a thread that ends", () => {
  if (isLong)
    test("releases its holds", async () => {
      const other = await ThreadHandle.start();
      const tensors = Array.from({ length: 100 }, (_, i) => Tensor.full([100], i));
      await other.ask(
        "receiveAll",
        "t",
        tensors.map((t) => shareTensor(t)),
      );
      for (const t of tensors) t.dispose();
      expect(memory()).toMatchObject({ blocks: 100, bytesInUse: 100 * 512 });
      expect(await other.end()).toBe(1);
      expect(await other.end()).toBe(0);
    });

  test("keeps its memory that others use valid, and frees the rest", async () => {
    const other = await ThreadHandle.start();
    const third = start();
    await other.ask("full", "unshared", 1000, 1);
    await other.ask("full", "a", 1000, 2);
    await other.ask("full", "between", 5000, 3);
    await other.ask("full", "b", 10, 4);
    const a = receiveTensor(await other.ask("share", "a"));
    await third.ask("receive", "b", await other.ask("share", "b"));
    const pool = memorySnapshot().arena!.poolBytes;
    expect(await other.end()).toBe(1);
    expect([first(a), await third.ask("read", "b")]).toEqual([2, new Array(10).fill(4)]);
    expect(memory()).toMatchObject({ blocks: 2, bytesInUse: 4096 + 256 });
    expect(memorySnapshot().arena!.poolBytes).toBe(pool + 32 * 2 ** 20);
    // New tensors are not allocated in bytes that are still in use.
    const fresh = Array.from({ length: 50 }, () => Tensor.full([1000], 9));
    expect([first(a), await third.ask("read", "b")]).toEqual([2, new Array(10).fill(4)]);
    for (const t of fresh) t.dispose();
    await third.ask("dispose", "b");
    expect(memory()).toMatchObject({ blocks: 1, bytesInUse: 4096 });
    a.dispose();
    // The slab becomes free for all threads when its last chunk is freed; tests run in checked mode, which quarantines chunks.
    (defaultAllocator() as BFCAllocator).flushQuarantine();
    expect([memory(), memorySnapshot().arena!.poolBytes]).toEqual([kNothing, pool]);
  });

  // Whether it is terminated or ends by itself.
  const kEnds = ["crash", "exit", "terminated"] as const;
  test.each(isLong ? kEnds : kEnds.slice(0, 1))("invalidates its handles, and handles sent to it can be revoked: %s", async (how) => {
    const other = await ThreadHandle.start();
    await other.ask("full", "t", 10, 1);
    const handle = await other.ask("share", "t");
    const t = Tensor.full([4], 1);
    await other.ask("receive", "received", shareTensor(t));
    const mine = shareTensor(t);
    t.dispose();
    if (how !== "terminated") {
      const ended = new Promise((done) => other.worker.once("exit", done));
      await other.ask(how, 0 as never).catch(() => {});
      await ended;
    }
    expect(await other.end()).toBe(1);
    expect(() => receiveTensor(handle)).toThrow(/is not in flight/);
    expect(revokeHandle(handle)).toBe(false);
    expect([memory().tickets, revokeHandle(mine)]).toEqual([1, true]);
  });

  test("ends the threads it had started", async () => {
    const other = await ThreadHandle.start();
    const below = await other.ask("spawn");
    expect(memory().threads).toBe(3);
    expect([await other.end(), revokeThread(below)]).toEqual([2, 0]);
  });

  type Work = "send" | "receive" | "free" | "allocate";
  const once: [Work, Work, rounds: number][] = [
    ["send", "receive", 1],
    ["free", "allocate", 1],
  ];
  const often = (["send", "receive", "free", "allocate"] as const).map((what): [Work, Work, number] => [what, what, 40]);
  // The soak program (soak.test.ts) terminates threads that send and receive in `npm test`, too.
  const ends = [...once, ...often];
  if (isLong)
    test.each(ends)("can be terminated during %s while another thread runs %s, %d times", async (what, beside, rounds) => {
      for (let round = 0; round < rounds; round++) {
        const [other, third] = await Promise.all([ThreadHandle.start(), ThreadHandle.start()]);
        const tensors = Array.from({ length: 20 }, (_, i) => Tensor.full([1000], i));
        const sent: TensorHandle[] = [];
        const handles = (): TensorHandle[] => {
          const fresh = tensors.map((t) => shareTensor(t));
          sent.push(...fresh);
          return fresh;
        };
        await third.ask("full", "theirs", 1000, 6);
        const theirs = await third.ask("share", "theirs");
        await Promise.all([other.ask("loop", what, [...handles(), theirs]), third.ask("loop", beside, handles())]);
        await new Promise((done) => setTimeout(done, round));
        // End them one after the other, so that the second one still runs while the first one is taken over.
        expect(await other.end()).toBe(1);
        expect(await third.end()).toBe(1);
        for (const [i, t] of tensors.entries()) {
          expect(t.toArray()).toEqual(new Array(1000).fill(i));
          t.dispose();
        }
        sent.forEach(revokeHandle); // handles that were not received
        expect(memory()).toEqual(kNothing);
      }
    });
});

describe("a thread that was not invited", () => {
  test("has its own memory, so tensors cannot be shared but can be transferred", async () => {
    const other = ThreadHandle.uninvited();
    const t = Tensor.full([2], 1);
    const handle = shareTensor(t);
    await expect(other.ask("receive", "t", handle)).rejects.toThrow(/FAILED_PRECONDITION: .*joinArena/);
    await other.ask("full", "t", 2, 5);
    await expect(other.ask("receive", "t", handle)).rejects.toThrow(/FAILED_PRECONDITION: the handle is of arena/);
    await expect(other.ask("share", "t")).rejects.toThrow(/FAILED_PRECONDITION: this worker has an arena of its own.*transferTensor/);
    await expect(other.ask("join", arenaInvitation())).rejects.toThrow(/FAILED_PRECONDITION: .*before the first tensor/);
    await expect(other.ask("revoke", handle)).rejects.toThrow(/FAILED_PRECONDITION/);
    using received = receiveTensor(await other.ask("transfer", "t"));
    expect(received.toArray()).toEqual([5, 5]);
    await other.ask("receive", "u", transferTensor(t.share()).message);
    expect(await other.ask("read", "u")).toEqual([1, 1]);
    expect(revokeHandle(handle)).toBe(true);
    t.dispose();
    await other.worker.terminate();
  });

  // One of the lasting threads has joined like this.
  if (isLong)
    test("can join by an invitation before its first tensor", async () => {
      const other = ThreadHandle.uninvited();
      await other.ask("join", arenaInvitation());
      await other.ask("join", arenaInvitation());
      other.key = await other.ask("key");
      started.push(other);
      const t = Tensor.full([2], 1);
      await other.ask("receive", "t", shareTensor(t));
      expect([await other.ask("read", "t"), memory().threads]).toEqual([[1, 1], 2]);
      t.dispose();
      await other.ask("dispose", "t");
    });
});

test("a thread has one key and cannot revoke itself", async () => {
  const other = start();
  expect([threadKey(), other.key > threadKey()]).toEqual([1, true]);
  expect(() => revokeThread(threadKey())).toThrow(/^1 is the key of this thread, which has not ended/);
  await expect(other.ask("revokeThread", other.key)).rejects.toThrow(/FAILED_PRECONDITION/);
  expect(revokeThread(12345)).toBe(0);
});
