// The soak program: threads make, share, receive, slice, rewrite, dispose and drop tensors at random, while one after the other is
// terminated. Every tensor contains a pattern, which each receiver verifies. At the end no memory may be in use. It runs outside the
// test runner, because it needs Node's `worker` and `exit` events: `node soak.js --seconds 2 --workers 3 --seed 1`.
import type { MessagePort } from "node:worker_threads";
import { isMainThread, MessageChannel, parentPort, Worker, workerData } from "node:worker_threads";
import { isStatusError } from "@onebuffer/base";
import type { TensorHandle } from "@onebuffer/core";
import { liveBuffers, reclaim } from "@onebuffer/allocator";
import { memorySnapshot } from "@onebuffer/allocator/internal";
import { receiveTensor, revokeHandle, shareTensor, Tensor } from "@onebuffer/core";

type Numbers = Tensor<"int32">;

/** A message from one thread to another. */
type Letter = { id: number; handle: TensorHandle; seed: number; start: number } | { ack: number } | { end: true };

/** A message from the main thread to a worker. */
type Order = { peer: number; port: MessagePort } | { gone: number } | { hold: number } | { stop: true } | { report: true };

interface Report {
  readonly live: number;
  readonly bytes: number;
  readonly received: number;
  readonly rewritten: number;
}

/** A tensor that a thread holds, and its expected contents: element i is mix(seed, start + i). */
interface Held {
  readonly tensor: Numbers;
  seed: number;
  readonly start: number;
}

const mix = (seed: number, i: number): number => Math.imul(seed ^ Math.imul(i, 0x9e3779b1), 0x85ebca6b) | 0;

/** The maximum number of handles in flight to one other thread. */
const kUnderway = 40;

/** One thread of the soak: its tensors, its ports to the other threads, and its random operations. */
class Soaker {
  readonly held: Held[] = [];
  readonly ports = new Map<number, MessagePort>();
  readonly sent = new Map<number, Map<number, TensorHandle>>();
  readonly ended = new Set<number>();
  received = 0;
  rewritten = 0;
  isStopped = false;
  most = 60;
  /** The maximum number of elements of a large tensor. */
  largest = 200_000;
  /** The milliseconds between two tasks. */
  pause = 0;
  #nextId = 1;
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }

  /** Returns a random integer from 0 to n - 1. */
  below(n: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % n;
  }

  meet(peer: number, port: MessagePort): void {
    this.ports.set(peer, port);
    this.sent.set(peer, new Map());
    port.on("message", (letter: Letter) => this.#take(peer, letter));
  }

  /** Handles the end of another thread: revokes the handles that it had not received. */
  lose(peer: number): void {
    this.ports.get(peer)?.close();
    this.ports.delete(peer);
    for (const handle of this.sent.get(peer)?.values() ?? []) revokeHandle(handle);
    this.sent.delete(peer);
  }

  #take(peer: number, letter: Letter): void {
    if ("ack" in letter) this.sent.get(peer)?.delete(letter.ack);
    else if ("end" in letter) this.ended.add(peer);
    else {
      const { id, handle, seed, start } = letter;
      let tensor: Numbers;
      try {
        tensor = receiveTensor(handle) as Numbers;
      } catch (error) {
        // The sender has ended, so its handles are invalid.
        if (isStatusError(error, "FAILED_PRECONDITION")) return;
        throw error;
      }
      // Acknowledge only after receiving: if this thread ends in between, the sender must still revoke the handle.
      this.ports.get(peer)?.postMessage({ ack: id } satisfies Letter);
      this.received++;
      const held = { tensor, seed, start };
      this.#verify(held);
      this.held.push(held);
      if (this.below(8) === 0) this.#mustRefuse(handle);
    }
  }

  #mustRefuse(handle: TensorHandle): void {
    try {
      receiveTensor(handle);
    } catch (error) {
      if (isStatusError(error, "FAILED_PRECONDITION")) return;
      throw error;
    }
    throw new Error("a handle was received twice");
  }

  #verify({ tensor, seed, start }: Held): void {
    const count = tensor.numElements;
    const map = tensor.flat();
    const step = 1 + Math.floor(count / 64);
    for (let i = 0; i < count; i += step)
      if (map.at(i) !== mix(seed, start + i)) throw new Error(`element ${i} of ${count} is ${map.at(i)}, not ${mix(seed, start + i)}`);
  }

  #fill({ tensor, seed, start }: Held): void {
    const map = tensor.flat();
    for (let i = 0; i < tensor.numElements; i++) map.set(i, mix(seed, start + i));
  }

  /** Does one random operation. */
  act(): void {
    const { held } = this;
    const what = this.below(100);
    if (held.length === 0 || (what < 30 && held.length < this.most)) {
      const count = this.below(50) === 0 ? 1 + this.below(this.largest) : 1 + this.below(1000);
      const made = { tensor: new Tensor("int32", [count]), seed: this.below(0x7fffffff), start: 0 };
      this.#fill(made);
      held.push(made);
      return;
    }
    const at = this.below(held.length);
    const one = held[at]!;
    if (what < 65) this.#send(one);
    else if (what < 75) {
      const count = one.tensor.numElements;
      const from = this.below(count);
      held.push({ tensor: one.tensor.slice(from, from + 1 + this.below(count - from)), seed: one.seed, start: one.start + from });
    } else if (what < 80) {
      // Only a sole holder may write: any other holder would find the wrong pattern.
      if (!one.tensor.refCountIsOne()) return;
      one.seed = this.below(0x7fffffff);
      this.#fill(one);
      this.rewritten++;
    } else if (held.length > this.most / 2) {
      this.#verify(one);
      held[at] = held.at(-1)!;
      held.pop();
      if (what < 99) one.tensor.dispose(); // otherwise it is dropped without dispose
    }
  }

  #send(one: Held): void {
    const peers = [...this.ports.keys()];
    if (peers.length === 0) return;
    const peer = peers[this.below(peers.length)]!;
    const sent = this.sent.get(peer)!;
    if (sent.size >= kUnderway) return;
    const handle = shareTensor(one.tensor);
    if (this.below(20) === 0) {
      if (!revokeHandle(handle)) throw new Error("a handle of nobody else's could not be taken back");
      return;
    }
    const id = this.#nextId++;
    sent.set(id, handle);
    this.ports.get(peer)!.postMessage({ id, handle, seed: one.seed, start: one.start } satisfies Letter);
  }

  /** Does random operations, 60 per task, until it is stopped; then disposes all tensors. */
  async run(): Promise<void> {
    while (!this.isStopped) {
      for (let i = 0; i < 60; i++) this.act();
      await new Promise((next) => (this.pause > 0 ? setTimeout(next, this.pause) : setImmediate(next)));
    }
    for (const port of this.ports.values()) port.postMessage({ end: true } satisfies Letter);
    while ([...this.ports.keys()].some((peer) => !this.ended.has(peer))) await new Promise((next) => setTimeout(next, 1));
    for (const one of this.held) this.#verify(one);
    for (const { tensor } of this.held.splice(0)) tensor.dispose();
    for (let i = 0; i < 50 && liveBuffers() > 0; i++) await reclaim();
  }

  report(): Report {
    const { arena } = memorySnapshot();
    return { live: liveBuffers(), bytes: arena?.bytesInUse ?? 0, received: this.received, rewritten: this.rewritten };
  }
}

function work(seed: number, largest: number): void {
  const soaker = new Soaker(seed);
  soaker.largest = largest;
  const done = soaker.run();
  parentPort!.on("message", async (order: Order) => {
    if ("peer" in order) soaker.meet(order.peer, order.port);
    else if ("gone" in order) soaker.lose(order.gone);
    else if ("hold" in order) {
      soaker.most = 2 * order.hold;
      while (soaker.held.length < order.hold) await new Promise((next) => setTimeout(next, 1));
      parentPort!.postMessage(soaker.held.length);
    } else if ("stop" in order) {
      soaker.isStopped = true;
      await done;
      parentPort!.postMessage(null);
    } else {
      parentPort!.postMessage(soaker.report());
      for (const port of soaker.ports.values()) port.close();
      parentPort!.close();
    }
  });
}

/** Waits for a worker's reply to the next message. */
const answer = <T>(worker: Worker): Promise<T> =>
  new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });

async function lead(seconds: number, count: number, seed: number, leastReceived: number): Promise<void> {
  const soaker = new Soaker(seed);
  soaker.largest = option("largest", soaker.largest);
  // A short run lasts as long as its workers need to load the library. With a pause this thread leaves them the processor.
  soaker.pause = option("pause", 0);
  const workers = new Map<number, Worker>();
  let next = 1;
  let kills = 0;
  const fail = (error: unknown): void => {
    console.error(error);
    process.exit(1);
  };
  const start = (): void => {
    const id = next++;
    const worker = new Worker(new URL(import.meta.url), { workerData: { soak: true, seed: seed * 1000 + id, largest: soaker.largest } });
    worker.on("error", fail);
    const order = (to: Worker, port: MessagePort, peer: number): void => to.postMessage({ peer, port } satisfies Order, [port]);
    for (const [peer, other] of workers) {
      const { port1, port2 } = new MessageChannel();
      order(worker, port1, peer);
      order(other, port2, id);
    }
    const { port1, port2 } = new MessageChannel();
    order(worker, port1, 0);
    soaker.meet(id, port2);
    workers.set(id, worker);
  };
  const tell = (order: Order): void => {
    for (const worker of workers.values()) worker.postMessage(order);
  };
  for (let i = 0; i < count; i++) start();
  const finished = soaker.run().catch(fail);
  const until = performance.now() + seconds * 1000;
  for (;;) {
    await new Promise((later) => setTimeout(later, 100));
    // On a busy machine a short run continues until enough has happened, for at most 20 seconds.
    const isEventful = (kills > 0 && soaker.received > leastReceived) || performance.now() > until + 20_000;
    if (performance.now() > until && isEventful) break;
    // Terminate the oldest worker once it holds 100 tensors, at an arbitrary moment, and start another one, unless this is the end.
    const [id, worker] = [...workers][0]!;
    worker.postMessage({ hold: 100 } satisfies Order);
    await answer<number>(worker);
    workers.delete(id);
    await worker.terminate();
    kills++;
    soaker.lose(id);
    tell({ gone: id });
    if (performance.now() < until || soaker.received <= leastReceived) start();
  }
  const stopped = [...workers.values()].map((worker) => answer<null>(worker));
  tell({ stop: true });
  soaker.isStopped = true;
  await Promise.all([...stopped, finished]);
  const answers = [...workers.values()].map((worker) => answer<Report>(worker));
  const ends = [...workers.values()].map((worker) => new Promise((ended) => worker.once("exit", ended)));
  tell({ report: true });
  const reports = [soaker.report(), ...(await Promise.all(answers))];
  for (const port of soaker.ports.values()) port.close();
  await Promise.all(ends);
  await new Promise((later) => setTimeout(later, 10)); // until the listener of the last `exit` has run
  const { threads, blocks, tickets, arena, liveBuffers: live } = memorySnapshot();
  const left = { threads: threads - 1, blocks, tickets, bytes: arena?.bytesInUse ?? 0, live };
  const isClean = [...Object.values(left), ...reports.flatMap((report) => [report.live, report.bytes])].every((value) => value === 0);
  console.log(JSON.stringify({ isClean, kills, left, reports }));
  process.exit(isClean ? 0 : 1);
}

function option(name: string, value: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? value : Number(process.argv[at + 1]);
}

if (!isMainThread) {
  const { seed, largest } = workerData as { seed: number; largest: number };
  work(seed, largest);
} else if (process.argv[1]?.endsWith("soak.js") === true)
  await lead(option("seconds", 2), option("workers", 3), option("seed", 1), option("received", 100));
