/** Starts a worker of the page. Its code shares the library's chunks with the page, because it is an entry of the same build. */

/** The entries of vite.config.mjs that are workers. */
export type WorkerName = "file-worker" | "thread-worker" | "pool-worker";

/** Starts the worker called `name`. The build puts it into `assets/` beside the chunks, wherever the page itself is. */
export function startWorker(name: WorkerName): Worker {
  const own = import.meta.url;
  return new Worker(own.replace(/(?:assets\/)?[^/]*$/, `assets/${name}.js`), { type: "module" });
}
