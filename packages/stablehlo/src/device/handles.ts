/** The numbers that name arrays of a runner. A freed one is used again: requests are executed in their order. */
import { kRequest, words } from "./frame.ts";
import type { RunnerProcess } from "./runner-process.ts";

/** The handles of one runner. */
export class Handles {
  readonly #runner: RunnerProcess;
  readonly #free: number[] = [];
  #last = 0;

  constructor(runner: RunnerProcess) {
    this.#runner = runner;
  }

  /** Returns a handle that names nothing. */
  take(): number {
    return this.#free.pop() ?? ++this.#last;
  }

  /** Frees the arrays of handles, if there are any. */
  free(handles: readonly number[]): void {
    if (this.#runner.dead !== null || handles.length === 0) return;
    this.#runner.post(kRequest.free, words(handles));
    this.#free.push(...handles);
  }
}
