/** Progress bars of work that takes longer than half a second, on a terminal only. */
import ProgressBar from "progress";
import type { TransferProgress } from "@onebuffer/io";
import type { Surroundings } from "./console.ts";

/** A tensor counts as so many bytes more than it has: about what is read in the time that finding it takes. */
const kTensorBytes = 4096;

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

  private constructor(terminal: NodeJS.WritableStream | null, total: number) {
    this.#terminal = terminal;
    this.#total = total;
  }

  /** Returns the progress of work on tensors one after the other; `passes` is how often their bytes are read or written. */
  static ofTensors(
    { terminal }: Pick<Surroundings, "terminal">,
    tensors: readonly { readonly bytes: number }[],
    passes: number = 1,
  ): Progress {
    return new Progress(
      terminal,
      tensors.reduce((sum, { bytes }) => sum + passes * bytes + kTensorBytes, 0),
    );
  }

  /** The listener of the transfer of one tensor. */
  readonly listen = ({ bytes }: TransferProgress): void => {
    this.#current = bytes;
    this.#show();
  };

  /** Counts a tensor of `bytes` bytes as finished. */
  finish(bytes: number): void {
    this.#done += bytes + kTensorBytes;
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
