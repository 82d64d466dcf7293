/** A byte sink in memory: collects what is written, and returns it as one array. */
import { FailedPreconditionError } from "@onebuffer/base";
import { byteView } from "@onebuffer/base/internal";
import type { ByteSink } from "./byte-sink.ts";
import { concatBytes } from "./concat-bytes.ts";
import { newBytes } from "./new-bytes.ts";

/** Small writes are collected in blocks of this many bytes. */
const kBlock = 65536;

/**
 * Collects the bytes of a file in memory. Writes are copied, because a writer may use its bytes again.
 *
 * @example
 * const sink = new ChunkSink();
 * sink.write(Uint8Array.of(1, 2));
 * sink.write(Uint8Array.of(3));
 * sink.toBytes(); // throws FAILED_PRECONDITION
 * sink.close();
 * sink.toBytes(); // => Uint8Array.of(1, 2, 3)
 */
export class ChunkSink implements ByteSink {
  #blocks: Uint8Array<ArrayBuffer>[] = [];
  /** The bytes used of the last block. */
  #used = 0;
  #size = 0;
  #state: "open" | "closed" | "aborted" = "open";

  /** The number of bytes written. */
  get size(): number {
    return this.#size;
  }

  /** Copies the next bytes. Throws FAILED_PRECONDITION after `close` or `abort`, RESOURCE_EXHAUSTED if there is no memory for them. */
  write(bytes: Uint8Array<ArrayBufferLike>): void {
    this.#check("open", "written to");
    const view = byteView(bytes);
    const last = this.#blocks.at(-1);
    const fits = last === undefined ? 0 : Math.min(view.length, last.length - this.#used);
    last?.set(view.subarray(0, fits), this.#used);
    this.#used += fits;
    this.#size += view.length;
    if (fits === view.length) return;
    const remaining = view.subarray(fits);
    const block = newBytes(Math.max(kBlock, remaining.length), "a ChunkSink");
    block.set(remaining);
    this.#blocks.push(block);
    this.#used = remaining.length;
  }

  close(): void {
    this.#check("open", "closed");
    this.#state = "closed";
  }

  /** Drops what was written. */
  abort(): void {
    this.#state = "aborted";
    this.#blocks = [];
    this.#size = 0;
  }

  /** Returns all bytes in new memory. Throws FAILED_PRECONDITION before `close`, when the file is not complete, and after `abort`, RESOURCE_EXHAUSTED
   * if there is no memory for them. */
  toBytes(): Uint8Array<ArrayBuffer> {
    this.#check("closed", "read");
    const last = this.#blocks.at(-1)?.subarray(0, this.#used) ?? new Uint8Array(0);
    return concatBytes([...this.#blocks.slice(0, -1), last]);
  }

  #check(state: string, verb: string): void {
    if (this.#state !== state) throw new FailedPreconditionError(`a ChunkSink that is ${this.#state} cannot be ${verb}`);
  }
}
