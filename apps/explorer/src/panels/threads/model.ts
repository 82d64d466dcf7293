/** The objects of the panel "Threads": a tensor, the workers that share it, and the work that is split over them. */
import { arenaInvitation, deepCopy, receiveTensor, revokeHandle, shareTensor, Tensor, transferTensor } from "onebuffer";
import type { TensorHandle } from "onebuffer";
import { memorySnapshot } from "onebuffer/debug";
import { isIsolated } from "../../isolation.ts";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { kBlockRows, kColumns, kRows } from "./messages.ts";
import type { Order, Report } from "./messages.ts";
import { PoolRuns } from "./pool/model.ts";
import { startWorker } from "../../parts/start-worker.ts";

const kMostWorkers = 4;
const kPollMs = 150;
const kSteps = 1500;

/** A worker as the page knows it. */
export interface Painter {
  readonly number: number;
  readonly worker: Worker;
  joined: boolean;
  holds: boolean;
  /** The first row of the block that it paints; -1 if it has none. */
  block: number;
  /** The blocks that it has painted in this run, and the time that they took. */
  blocks: number;
  milliseconds: number;
}

/** The model. */
export class Threads implements PanelModel {
  readonly #changed: () => void;
  readonly isolated: boolean;
  readonly #tensor: Tensor<"float32"> = Tensor.zeros([kRows, kColumns]);
  painters: Painter[] = [];
  #handle: TensorHandle | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  #waiting: number[] = [];
  #started = 0;
  #lastCensus = "";
  /** The number of the worker that painted each block; -1 for none. */
  readonly owners = new Array<number>(kRows / kBlockRows).fill(-1);
  milliseconds = 0;
  isPainting = false;
  /** The bytes that were sent to workers and back as copies. */
  copied = 0;
  error = "";
  workersWanted: number;
  /** The part of the panel that computes on a pool. */
  readonly pool: PoolRuns;

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.isolated = isIsolated() && params["share"] !== "no";
    this.pool = new PoolRuns(params, changed);
    const wanted = Number(params["workers"] ?? 2);
    this.workersWanted = Number.isInteger(wanted) && wanted >= 1 && wanted <= kMostWorkers ? wanted : 2;
  }

  get pixels(): Float32Array {
    const { buffer, byteOffset } = this.#tensor.tensorData;
    return new Float32Array(buffer, byteOffset, kRows * kColumns);
  }

  get hasHandle(): boolean {
    return this.#handle !== null;
  }

  /** True if this thread is the only holder of the tensor's memory. */
  get isOnlyHolder(): boolean {
    return this.#tensor.refCountIsOne();
  }

  get census(): { readonly threads: number; readonly blocks: number; readonly tickets: number } {
    const { threads, blocks, tickets } = memorySnapshot();
    return { threads, blocks, tickets };
  }

  /** Starts or ends workers until there are so many. */
  setWorkers(count: number): void {
    this.workersWanted = count;
    if (this.painters.length > 0) this.start();
    this.#changed();
  }

  start(): void {
    while (this.painters.length > this.workersWanted) this.end(this.painters.at(-1)!.number);
    try {
      while (this.painters.length < this.workersWanted) this.#startOne();
    } catch (error) {
      this.error = errorText(error);
    }
    this.#timer ??= setInterval(() => this.#poll(), kPollMs);
    this.#changed();
  }

  /** Ends a worker without asking it: what it held is returned once the other threads notice. */
  end(number: number): void {
    const painter = this.painters.find((each) => each.number === number);
    if (painter === undefined) return;
    painter.worker.terminate();
    this.painters = this.painters.filter((each) => each !== painter);
    if (painter.block >= 0) this.#waiting.push(painter.block);
    if (this.isPainting) this.#giveWork();
    this.#changed();
  }

  /** Makes a handle: a ticket that one thread can take. */
  makeHandle(): void {
    this.#try(() => {
      this.#handle = shareTensor(this.#tensor);
    });
  }

  revoke(): void {
    this.#try(() => {
      if (this.#handle !== null) revokeHandle(this.#handle);
      this.#handle = null;
    });
  }

  /** Gives a worker the handle that was made, or a new one. */
  give(number: number): void {
    this.#try(() => {
      const handle = this.#handle ?? shareTensor(this.#tensor);
      this.#handle = null;
      this.#send(this.#find(number), { kind: "hold", handle });
    });
  }

  take(number: number): void {
    this.#send(this.#find(number), { kind: "drop" });
  }

  /** Has the workers paint the tensor, each a block of rows at a time. */
  paint(): void {
    if (this.painters.length === 0) this.start();
    this.pixels.fill(0);
    this.owners.fill(-1);
    this.#waiting = this.owners.map((_, i) => i * kBlockRows);
    for (const painter of this.painters) Object.assign(painter, { blocks: 0, milliseconds: 0 });
    if (this.isolated) for (const { number, joined, holds } of this.painters) if (joined && !holds) this.give(number);
    this.isPainting = true;
    this.milliseconds = 0;
    this.#started = 0;
    this.#giveWork();
    this.#changed();
  }

  /** Gives a block to each worker without one, once all are ready. */
  #giveWork(): void {
    if (this.painters.length === 0) this.isPainting = false;
    if (this.painters.some(({ joined, holds }) => !joined || (this.isolated && !holds))) return;
    if (this.#started === 0) this.#started = performance.now();
    for (const painter of this.painters) {
      const from = painter.block < 0 ? this.#waiting.shift() : undefined;
      if (from === undefined) continue;
      painter.block = from;
      if (this.isolated) this.#send(painter, { kind: "paint", from, steps: kSteps });
      else this.#sendCopy(painter, from);
    }
    if (this.isPainting && this.#waiting.length === 0 && this.painters.every(({ block }) => block < 0)) {
      this.isPainting = false;
      this.milliseconds = performance.now() - this.#started;
    }
  }

  #sendCopy(painter: Painter, from: number): void {
    using rows = this.#tensor.slice(from, from + kBlockRows);
    const { message, transfer, copiedBytes } = transferTensor(deepCopy(rows));
    this.copied += copiedBytes;
    painter.worker.postMessage({ kind: "paint copy", from, steps: kSteps, rows: message } satisfies Order, transfer);
  }

  #startOne(): void {
    const used = new Set(this.painters.map(({ number }) => number));
    let number = 0;
    while (used.has(number)) number++;
    const worker = startWorker("thread-worker");
    const painter: Painter = { number, worker, joined: false, holds: false, block: -1, blocks: 0, milliseconds: 0 };
    worker.addEventListener("message", ({ data }: MessageEvent<Report>) => this.#hear(painter, data));
    worker.addEventListener("error", ({ message }) => {
      this.error = `worker ${number}: ${message}`;
      this.end(number);
    });
    this.painters = [...this.painters, painter].sort((a, b) => a.number - b.number);
    this.#send(painter, { kind: "join", invitation: this.isolated ? arenaInvitation() : null });
  }

  #send({ worker }: Painter, order: Order): void {
    worker.postMessage(order);
  }

  #hear(painter: Painter, report: Report): void {
    if (!this.painters.includes(painter)) return;
    if (report.kind === "failed") this.error = `worker ${painter.number}: ${report.error}`;
    else if (report.kind === "joined") this.#joined(painter);
    else if (report.kind === "holds") painter.holds = report.holds;
    else this.#painted(painter, report);
    if (this.isPainting) this.#giveWork();
    this.#changed();
  }

  #joined(painter: Painter): void {
    painter.joined = true;
    if (this.isPainting && this.isolated) this.give(painter.number);
  }

  #painted(painter: Painter, { from, milliseconds, rows }: Extract<Report, { kind: "painted" }>): void {
    this.owners[from / kBlockRows] = painter.number;
    painter.block = -1;
    painter.blocks++;
    painter.milliseconds += milliseconds;
    if (rows === null) return;
    using back = receiveTensor(rows, { dtype: "float32" });
    using target = this.#tensor.slice(from, from + kBlockRows);
    target.assign(back);
    this.copied += back.totalBytes;
  }

  #find(number: number): Painter {
    return this.painters.find((each) => each.number === number)!;
  }

  #try(action: () => void): void {
    this.error = "";
    try {
      action();
    } catch (error) {
      this.error = errorText(error);
    }
    this.#changed();
  }

  /** Draws again if the counts of the arena have moved. */
  #poll(): void {
    const census = JSON.stringify([this.census, this.isOnlyHolder]);
    if (census === this.#lastCensus && !this.isPainting) return;
    this.#lastCensus = census;
    this.#changed();
  }

  params(): Params {
    return { workers: String(this.workersWanted), ...this.pool.params() };
  }

  state(): PanelState {
    const { isolated, census, isOnlyHolder, isPainting, milliseconds, copied, error } = this;
    const workers = this.painters.map(({ number, joined, holds, blocks }) => ({ number, joined, holds, blocks }));
    const sum = this.pixels.reduce((total, value) => total + value, 0);
    return {
      isolated,
      workers,
      ...census,
      isOnlyHolder,
      isPainting,
      milliseconds,
      copied,
      sum,
      painted: this.owners.filter((owner) => owner >= 0).length,
      error,
      pool: this.pool.state(),
    };
  }

  dispose(): void {
    this.pool.dispose();
    if (this.#timer !== null) clearInterval(this.#timer);
    for (const { worker } of this.painters) worker.terminate();
    if (this.#handle !== null) revokeHandle(this.#handle);
    this.#tensor.dispose();
  }
}
