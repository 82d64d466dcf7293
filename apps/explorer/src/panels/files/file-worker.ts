/** The page's end of the worker of the panel "Files". */
import type { Answer, Request } from "./messages.ts";
import { startWorker } from "../../parts/start-worker.ts";

/** A request without its number. */
export type Asked = Request extends infer R ? (R extends Request ? Omit<R, "id"> : never) : never;

/** How far a request has come, from 0 to 1. */
export type OnProgress = (share: number) => void;

interface Pending {
  readonly settle: (answer: Answer) => void;
  readonly onProgress: OnProgress;
}

/** A worker that answers requests, and can be ended at any time. */
export class FileWorker {
  #worker: Worker | null = null;
  readonly #pending = new Map<number, Pending>();
  #next = 0;

  /** Sends a request. Resolves to its last answer, also if that is an error. */
  ask(asked: Asked, onProgress: OnProgress): Promise<Answer> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#pending.set(id, { settle: resolve, onProgress });
      this.#started().postMessage({ ...asked, id });
    });
  }

  /** Ends the worker, with all that it does. The next request starts another one. */
  stop(why: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [id, { settle }] of pending) settle({ id, kind: "failed", error: why });
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = startWorker("file-worker");
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      const pending = this.#pending.get(data.id);
      if (data.kind === "progress") pending?.onProgress(data.totalBytes === 0 ? 1 : data.bytes / data.totalBytes);
      else {
        this.#pending.delete(data.id);
        pending?.settle(data);
      }
    });
    worker.addEventListener("error", ({ message }) => this.stop(`the worker ended: ${message}`));
    this.#worker = worker;
    return worker;
  }
}
