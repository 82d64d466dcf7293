/** Progress bars of work that takes longer than half a second, on a terminal only. */
import ProgressBar from "progress";
import type { TransferProgress } from "@onebuffer/io";
import type { Surroundings } from "./console.ts";

/** A bar appears after this time, so that quick commands show none. */
const kPatienceMs = 500;

/** The progress of one command over all its tensors. */
export class Progress {
  readonly #terminal: NodeJS.WritableStream | null;
  readonly #total: number;
  readonly #started: number = performance.now();
  #bar: ProgressBar | null = null;
  #done = 0;
  #current = 0;

  /** `total` is the number of bytes of the whole work, read and written. */
  constructor({ terminal }: Pick<Surroundings, "terminal">, total: number) {
    this.#terminal = terminal;
    this.#total = total;
  }

  /** The listener of the transfer of one tensor. */
  readonly listen = ({ bytes }: TransferProgress): void => {
    this.#current = bytes;
    this.#show();
  };

  /** Counts a tensor of `bytes` bytes as finished. */
  finish(bytes: number): void {
    this.#done += bytes;
    this.#current = 0;
    this.#show();
  }

  /** Removes the bar. */
  end(): void {
    this.#bar?.terminate();
    this.#bar = null;
  }

  #show(): void {
    if (this.#terminal === null || performance.now() - this.#started < kPatienceMs || this.#total === 0) return;
    this.#bar ??= new ProgressBar("[:bar] :percent :etas", { total: this.#total, width: 40, clear: true, stream: this.#terminal });
    this.#bar.update(Math.min((this.#done + this.#current) / this.#total, 0.999));
  }
}
