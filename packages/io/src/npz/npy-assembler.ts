/**
 * NpyAssembler: makes a tensor of an .npy file that arrives in pieces of any size, as an inflated member does.
 *
 * The header is collected; the data goes straight into the memory of the tensor.
 */
import type { Tensor } from "@onebuffer/core";
import { checkDataBytes, npyDestination } from "../npy/npy-destination.ts";
import type { NpyDestination } from "../npy/npy-destination.ts";
import { checkHeaderSize } from "../npy/read-npy-data.ts";
import { dataOffsetOf, readHeader } from "../npy/npy-header.ts";
import type { NpyReadOptions } from "../npy/read-npy.ts";
import type { NpyAnyDType } from "../npy/npy-descr.ts";
import { checkWanted } from "../npy/read-npy.ts";

/** The bytes that tell where the data begins. */
const kLeastStart = 12;

/** Takes the pieces of an .npy file of `size` bytes. */
export class NpyAssembler {
  readonly #size: number;
  readonly #options: NpyReadOptions<NpyAnyDType>;
  #start = new Uint8Array(0);
  #destination: NpyDestination | null = null;
  /** The number of bytes of data so far. */
  #filled = 0;

  constructor(size: number, options: NpyReadOptions<NpyAnyDType>) {
    this.#size = size;
    this.#options = options;
  }

  /** Takes the next bytes. Throws what `readNpy` throws for the header, as soon as it is complete. */
  push(piece: Uint8Array<ArrayBufferLike>): void {
    if (this.#destination !== null) {
      this.#fill(piece);
      return;
    }
    const start = new Uint8Array(this.#start.length + piece.length);
    start.set(this.#start);
    start.set(piece, this.#start.length);
    this.#start = start;
    if (start.length < kLeastStart) return;
    const dataOffset = dataOffsetOf(start);
    checkHeaderSize(dataOffset, this.#options.maxHeaderSize);
    if (start.length >= dataOffset) this.#begin(start);
  }

  /** Returns the tensor, after all `size` bytes. Throws DATA_LOSS if they end in the header. */
  finish(): Tensor {
    // A file of fewer than 12 bytes, or one that ends in its header: this throws.
    if (this.#destination === null) this.#begin(this.#start);
    const destination = this.#destination as NpyDestination;
    this.#destination = null;
    return destination.finish();
  }

  /** Frees the memory, unless `finish` has returned the tensor. */
  abandon(): void {
    this.#destination?.abandon();
    this.#destination = null;
  }

  #begin(start: Uint8Array<ArrayBufferLike>): void {
    const header = readHeader(start, this.#options);
    checkWanted(header, this.#options.dtype);
    checkDataBytes(header, this.#size - header.dataOffset);
    this.#destination = npyDestination(header, this.#options);
    this.#fill(start.subarray(header.dataOffset));
  }

  /** Copies as much of `piece` as the data has room for; what follows the data is ignored, as in an .npy file. */
  #fill(piece: Uint8Array<ArrayBufferLike>): void {
    const { bytes } = this.#destination as NpyDestination;
    const part = piece.subarray(0, Math.min(piece.length, bytes.length - this.#filled));
    bytes.set(part, this.#filled);
    this.#filled += part.length;
  }
}
