/**
 * assembler-bytes: a byte array that grows, with the number formats of WebAssembly modules.
 *
 * Unsigned and signed integers are LEB128: seven bits a byte, lowest first, the top bit set on all but the last. Floats and
 * vectors are little-endian. Bytes double when they run out, so writing is linear; reading back is `bytes()`, a view.
 */

const scratch = new DataView(new ArrayBuffer(8));

/** Bytes being written, from the first to the last. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity: number = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  /** What was written. Copies: never; a view that is good until the next write. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Makes room for `more` bytes. */
  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  /** One byte: the low eight bits of `value`. */
  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Bytes as they are. */
  append(values: ArrayLike<number>): void {
    this.#reserve(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  /** An unsigned integer of 32 bits. */
  unsigned(value: number): void {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** A signed integer of 32 bits. */
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

  /** A signed integer of 64 bits. */
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

  /** The four bytes of a float. */
  float32(value: number): void {
    scratch.setFloat32(0, value, true);
    for (let i = 0; i < 4; i++) this.byte(scratch.getUint8(i));
  }

  /** The eight bytes of a double. */
  float64(value: number): void {
    scratch.setFloat64(0, value, true);
    for (let i = 0; i < 8; i++) this.byte(scratch.getUint8(i));
  }

  /** A name: its length and its characters, which must be ASCII. */
  name(text: string): void {
    this.unsigned(text.length);
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i));
  }

  /** A section or a body: its length in bytes before its bytes. */
  sized(content: ByteWriter): void {
    this.unsigned(content.length);
    this.append(content.bytes());
  }
}
