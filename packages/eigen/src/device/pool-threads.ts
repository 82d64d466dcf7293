/**
 * pool-threads: starts and ends the workers of a pool, in Node and in browsers (Eigen's ThreadEnvironment).
 */
import { nodeBuiltin } from "@onebuffer/allocator/internal";
import { servePool } from "./pool-worker.ts";
import type { PoolWorkerStart } from "./pool-worker.ts";

/** A worker of a browser, or of node:worker_threads, as the option `worker` returns it. */
export interface PoolWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
}

/** What a worker reports. */
export interface PoolThreadEvents {
  /** It has posted a message: it runs, it has ended as asked or failed, or it has finished a part that somebody waits for. */
  message(): void;
  /** It has ended, or never ran. No thread writes anything for it any more. The reason is that of a failure; null if it has not failed. */
  exit(reason: string | null): void;
}

/** A started worker. */
export interface PoolThread {
  /** Has the worker keep the process alive, or not. Browsers do not have this. */
  keepAlive(keeps: boolean): void;
  /** Ends the worker at once, wherever it is. */
  terminate(): void;
  /** True if the host reports the end of workers. */
  readonly reportsExit: boolean;
}

/** The members of a worker of node:worker_threads that are used. */
interface NodeThread {
  on(event: "message", listener: () => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "exit", listener: (code: number) => void): unknown;
  ref(): void;
  unref(): void;
  terminate(): unknown;
}

interface WorkerThreads {
  readonly Worker?: new (
    source: string,
    options: { readonly eval: true; readonly workerData: unknown; readonly execArgv: readonly string[] },
  ) => NodeThread;
}

/** The program of a worker of Node. */
const nodeSource = (): string =>
  `var t=require("node:worker_threads");(${String(servePool)})(t.workerData,function(m){t.parentPort.postMessage(m)})`;

/** The program of a web worker: it is told everything else by its first message. */
const webSource = (): string => `onmessage=function(e){onmessage=null;(${String(servePool)})(e.data,function(m){postMessage(m)});close()}`;

/** Starts a worker. Throws what the host throws if it has no workers, or if memory cannot be posted. */
export function startPoolThread(start: PoolWorkerStart, make: (() => PoolWorker) | null, events: PoolThreadEvents): PoolThread {
  const { Worker } = (make === null ? (nodeBuiltin("worker_threads") as WorkerThreads | null) : null) ?? {};
  if (Worker !== undefined) return nodeThread(new Worker(nodeSource(), { eval: true, workerData: start, execArgv: [] }), events);
  const worker = (make ?? blobWorker)() as NodeThread & WebWorker;
  try {
    worker.postMessage(start);
    // A worker of node:worker_threads is an EventEmitter. It ignores `onmessage`.
    return typeof worker.on === "function" ? nodeThread(worker, events) : webThread(worker, make === null, events);
  } catch (error) {
    terminate(worker);
    throw error;
  }
}

function nodeThread(worker: NodeThread, events: PoolThreadEvents): PoolThread {
  let reason: string | null = null;
  worker.on("message", () => events.message());
  worker.on("error", (error) => void (reason = String(error)));
  worker.on("exit", () => events.exit(reason));
  return {
    keepAlive: (keeps) => (keeps ? worker.ref() : worker.unref()),
    terminate: () => terminate(worker),
    reportsExit: true,
  };
}

/** Ends a worker. Never throws: a worker of the program may not be able to end. */
function terminate(worker: Pick<PoolWorker, "terminate">): void {
  try {
    // In Node it is a promise.
    Promise.resolve(worker.terminate()).catch(() => undefined);
  } catch {
    // The crew does not count it any more.
  }
}

/** The members of a web worker, and of the globals of a page, that are used. */
type WebWorker = PoolWorker & { onmessage: unknown; onerror: unknown };

interface WebGlobals {
  readonly Worker?: new (url: string) => WebWorker;
  readonly Blob: new (parts: readonly string[], options: { readonly type: string }) => object;
  readonly URL: { createObjectURL(blob: object): string; revokeObjectURL(url: string): void };
}

function blobWorker(): PoolWorker {
  const { Worker, Blob, URL } = globalThis as unknown as WebGlobals;
  if (Worker === undefined) throw new Error("this host has no workers");
  const url = URL.createObjectURL(new Blob([webSource()], { type: "text/javascript" }));
  try {
    return new Worker(url);
  } finally {
    // The worker has its own reference of the blob by the time that its program is fetched only in some engines: not before the next turns.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}

declare function setTimeout(run: () => void, milliseconds: number): unknown;

/** The usual cause, and what to do, where a worker from a blob does not load. */
const kBlobAdvice =
  ": a Content-Security-Policy may forbid workers from blobs, the option worker of ThreadPoolDevice starts them from a file";

function webThread(worker: WebWorker, isOwn: boolean, events: PoolThreadEvents): PoolThread {
  worker.onmessage = () => events.message();
  // An error of loading has no message.
  worker.onerror = (event: { readonly message?: string }) =>
    events.exit(event.message ?? `its program could not be loaded${isOwn ? kBlobAdvice : ""}`);
  return { keepAlive: () => {}, terminate: () => terminate(worker), reportsExit: false };
}
