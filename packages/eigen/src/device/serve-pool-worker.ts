/**
 * serve-pool-worker: makes a web worker a worker of a pool, for pages whose content security policy forbids workers from blobs.
 */
import { servePool } from "./pool-worker.ts";
import type { PoolWorkerStart } from "./pool-worker.ts";

/** The members of the global object of a web worker that are used. */
interface WorkerScope {
  onmessage: ((event: { readonly data: PoolWorkerStart }) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/**
 * Serves the pool whose option `worker` made this worker, until the pool is disposed. It is to be called once, when the worker starts. The
 * worker must not do anything else: it is parked between jobs.
 *
 * @example
 * // In pool-worker.js, a module of the page, this is called: servePoolWorker();
 * typeof servePoolWorker; // => "function"
 */
export function servePoolWorker(): void {
  const scope = globalThis as unknown as WorkerScope;
  scope.onmessage = ({ data }) => {
    scope.onmessage = null;
    servePool(data, (message) => scope.postMessage(message));
    scope.close();
  };
}
