/** A byte sink: where a writer puts its bytes, in order. */

/**
 * What receives the bytes of a file.
 *
 * A writer waits for each `write` before the next one. It calls `close` once after the last byte, or `abort` once if writing failed.
 *
 * @example
 * const chunks: Uint8Array[] = [];
 * const sink: ByteSink = { write: (bytes) => void chunks.push(bytes.slice()), close: () => undefined };
 * sink.write(new Uint8Array(3));
 * chunks[0]!.length; // => 3
 */
export interface ByteSink {
  /** Takes the next bytes, which are valid until the returned promise is settled or `abort` is called; if nothing is returned, during the call. */
  write(bytes: Uint8Array<ArrayBufferLike>): void | Promise<void>;
  /** Called once after the last byte. */
  close(): void | Promise<void>;
  /** Called once if writing failed, also while a `write` or `close` is under way whose transfer is cancelled. What was written is of no use. */
  abort?(reason: unknown): void | Promise<void>;
}
