/**
 * BlockBuilder: makes the contents of a block byte for byte as TensorFlow does (tsl/lib/io/block_builder.h). block-entries.ts shows the
 * bytes.
 */
import { sharedLength } from "./compare-bytes.ts";
import { varintLength, writeFixed32, writeVarint } from "./varint.ts";

/** The contents of one block after another. */
export class BlockBuilder {
  readonly #restartInterval: number;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(1024);
  #used = 0;
  #restarts: number[] = [0];
  /** The entries since the last restart point. */
  #counter = 0;
  #lastKey: Uint8Array<ArrayBufferLike> = new Uint8Array(0);

  /** Makes an empty block. Every `restartInterval`-th entry becomes a restart point. */
  constructor(restartInterval: number) {
    this.#restartInterval = restartInterval;
  }

  get isEmpty(): boolean {
    return this.#used === 0;
  }

  /** The size of the contents that `finish` would return now. */
  get currentSize(): number {
    return this.#used + 4 * this.#restarts.length + 4;
  }

  /** Appends an entry. The caller makes sure that keys increase. Keeps `key`. */
  add(key: Uint8Array<ArrayBufferLike>, value: Uint8Array<ArrayBufferLike>): void {
    let shared = 0;
    if (this.#counter < this.#restartInterval) shared = sharedLength(this.#lastKey, key);
    else {
      this.#restarts.push(this.#used);
      this.#counter = 0;
    }
    const unshared = key.length - shared;
    const numbers = varintLength(shared) + varintLength(unshared) + varintLength(value.length);
    this.#reserve(numbers + unshared + value.length);
    const bytes = this.#bytes;
    let at = writeVarint(bytes, writeVarint(bytes, writeVarint(bytes, this.#used, shared), unshared), value.length);
    bytes.set(key.subarray(shared), at);
    at += unshared;
    bytes.set(value, at);
    this.#used = at + value.length;
    this.#lastKey = key;
    this.#counter++;
  }

  /** Returns the contents in new memory, and makes the block empty. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#reserve(4 * this.#restarts.length + 4);
    let at = this.#used;
    for (const restart of this.#restarts) at = writeFixed32(this.#bytes, at, restart);
    at = writeFixed32(this.#bytes, at, this.#restarts.length);
    const contents = this.#bytes.slice(0, at);
    this.#used = 0;
    this.#restarts = [0];
    this.#counter = 0;
    this.#lastKey = new Uint8Array(0);
    return contents;
  }

  #reserve(length: number): void {
    const needed = this.#used + length;
    if (needed <= this.#bytes.length) return;
    const longer = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    longer.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = longer;
  }
}
