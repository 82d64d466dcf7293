/**
 * serve-pool-worker: makes a web worker a worker of a pool, for pages whose content security policy forbids workers from blobs. It does the
 * same for a worker of node:worker_threads, so that a program can use one file of a worker everywhere.
 */
import { servePool } from "./pool-worker.ts";
import type { PoolWorkerStart } from "./pool-worker.ts";

/** The members of the global object of a web worker that are used. */
interface WorkerScope {
  onmessage: ((event: { readonly data: PoolWorkerStart }) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** Node's `process`, by which a worker of node:worker_threads finds its port. A worker loads no library, so `nodeBuiltin` is not used here. */
interface NodeScope {
  readonly process?: { getBuiltinModule?(name: "node:worker_threads"): { readonly parentPort: NodePort | null } | undefined };
}

interface NodePort {
  once(event: "message", listener: (start: PoolWorkerStart) => void): unknown;
  postMessage(message: unknown): void;
}

/**
 * Serves the pool whose option `worker` made this worker, until the pool is disposed. The worker is one of a browser or of
 * node:worker_threads. The function is to be called once, when the worker starts. The worker must not do anything else: it is parked between
 * jobs.
 *
 * @example
 * // In pool-worker.js, a module of the page, this is called: servePoolWorker();
 * typeof servePoolWorker; // => "function"
 */
export function servePoolWorker(): void {
  const port = (globalThis as NodeScope).process?.getBuiltinModule?.("node:worker_threads")?.parentPort;
  // A worker of Node ends by itself afterwards: nothing listens to its port any more.
  if (port) port.once("message", (start) => servePool(start, (message) => port.postMessage(message)));
  else serveWebWorker(globalThis as unknown as WorkerScope);
}

function serveWebWorker(scope: WorkerScope): void {
  scope.onmessage = ({ data }) => {
    scope.onmessage = null;
    servePool(data, (message) => scope.postMessage(message));
    scope.close();
  };
}
