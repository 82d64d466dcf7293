/**
 * ByteWriter: a growing byte array with the number formats of WebAssembly modules.
 *
 * Integers are LEB128: seven bits per byte, the lowest first, with the top bit set in all bytes but the last. Floats and vectors are
 * little-endian. The array doubles when it is full, so writing takes linear time.
 */

const scratch = new DataView(new ArrayBuffer(8));

/** Writes bytes one after the other. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity: number = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** The number of bytes written. */
  get length(): number {
    return this.#length;
  }

  /** Returns the bytes written, as a view that is valid until the next write. Copies: never. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Makes room for `more` further bytes. */
  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  /** Writes one byte: the low eight bits of `value`. */
  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes bytes. */
  append(values: ArrayLike<number>): void {
    this.#reserve(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  /** Writes an unsigned integer of 32 bits. */
  unsigned(value: number): void {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** Writes a signed integer of 32 bits. */
  signed(value: number): void {
    let rest = value | 0;
    for (;;) {
      const low = rest & 0x7f;
      rest >>= 7;
      if (rest === (low & 0x40 ? -1 : 0)) {
        this.byte(low);
        return;
      }
      this.byte(low | 0x80);
    }
  }

  /** Writes a signed integer of 64 bits. */
  signed64(value: bigint): void {
    let rest = BigInt.asIntN(64, value);
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      if (rest === (low & 0x40 ? -1n : 0n)) {
        this.byte(low);
        return;
      }
      this.byte(low | 0x80);
    }
  }

  /** Writes the four bytes of a float. */
  float32(value: number): void {
    scratch.setFloat32(0, value, true);
    for (let i = 0; i < 4; i++) this.byte(scratch.getUint8(i));
  }

  /** Writes the eight bytes of a double. */
  float64(value: number): void {
    scratch.setFloat64(0, value, true);
    for (let i = 0; i < 8; i++) this.byte(scratch.getUint8(i));
  }

  /** Writes a name: its length and its characters, which must be ASCII. */
  name(text: string): void {
    this.unsigned(text.length);
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i));
  }

  /** Writes the length of `content` in bytes, and then its bytes, as for a section or a function body. */
  sized(content: ByteWriter): void {
    this.unsigned(content.length);
    this.append(content.bytes());
  }
}
