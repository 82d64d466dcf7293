/** StoredCrc: the checksum of an entry's bytes, computed while they are read in order. */
import { unmaskCrc } from "../checksum/crc-mask.ts";
import { extendCrc32c } from "../checksum/crc32c.ts";
import { checkCrc } from "./string-elements.ts";

/** A running checksum that is compared once all bytes were added. */
export class StoredCrc {
  readonly #expected: number | null;
  readonly #entry: { readonly what: string };
  #left: number;
  #crc = 0;

  /** `expected` is the masked checksum of `size` bytes, or null if it is not verified. `entry` names them in messages. */
  constructor(expected: number | null, size: number, entry: { readonly what: string }) {
    this.#expected = expected;
    this.#left = size;
    this.#entry = entry;
  }

  /** Adds the next bytes. Throws DATA_LOSS after the last ones if the checksum differs. */
  add(bytes: Uint8Array<ArrayBufferLike>): void {
    if (this.#expected === null) return;
    this.#crc = extendCrc32c(bytes, this.#crc);
    this.#left -= bytes.length;
    if (this.#left === 0 && this.#crc !== unmaskCrc(this.#expected)) checkCrc(this.#crc, this.#expected, this.#entry.what);
  }
}
