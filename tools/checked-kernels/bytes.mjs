// Reads and writes the number formats of WebAssembly modules.
const kDecoder = new TextDecoder();
const kEncoder = new TextEncoder();

export class ByteReader {
  at = 0;
  #bytes;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get isDone() {
    return this.at >= this.#bytes.length;
  }

  get length() {
    return this.#bytes.length;
  }

  byte() {
    return this.#bytes[this.at++];
  }

  unsigned() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  /** Goes past a signed number of any length. */
  skipSigned() {
    while (this.byte() >= 0x80);
  }

  take(count) {
    this.at += count;
    return this.#bytes.subarray(this.at - count, this.at);
  }

  rest() {
    return this.take(this.#bytes.length - this.at);
  }

  between(start, end) {
    return this.#bytes.subarray(start, end);
  }

  text() {
    return kDecoder.decode(this.take(this.unsigned()).slice());
  }
}

/** Writers of numbers and texts return what they have written. */
export class ByteWriter {
  #list = new Uint8Array(4096);
  #length = 0;

  byte(value) {
    if (this.#length === this.#list.length) this.#room(1);
    this.#list[this.#length++] = value;
    return value;
  }

  raw(bytes) {
    this.#room(bytes.length);
    this.#list.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  unsigned(value) {
    let left = value;
    do {
      const low = left & 0x7f;
      left >>>= 7;
      this.byte(left === 0 ? low : low | 0x80);
    } while (left !== 0);
    return value;
  }

  signed(value) {
    for (let left = value; ; left >>= 7) {
      const isLast = left >= -64 && left < 64;
      this.byte(isLast ? left & 0x7f : (left & 0x7f) | 0x80);
      if (isLast) return value;
    }
  }

  text(value) {
    const bytes = kEncoder.encode(value);
    this.unsigned(bytes.length);
    this.raw(bytes);
    return value;
  }

  /** Writes what another writer has, after its length. */
  sized(other) {
    const bytes = other.bytes();
    this.unsigned(bytes.length);
    this.raw(bytes);
  }

  bytes() {
    return this.#list.slice(0, this.#length);
  }

  #room(count) {
    if (this.#length + count <= this.#list.length) return;
    const larger = new Uint8Array(2 * (this.#length + count));
    larger.set(this.#list.subarray(0, this.#length));
    this.#list = larger;
  }
}
