/**
 * ReadSteps: a parser that asks for the bytes it needs, so that one parser reads memory without waiting and files with waiting.
 *
 *     const end = yield { offset: size - 22, length: 22, what: "the end record" };
 *
 * The parser is a generator. It yields a range and gets its bytes, which it does not write to.
 */
import type { ByteSource } from "./byte-source.ts";
import { checkedRead, checkRange } from "./checked-read.ts";
import type { AbortSignalLike } from "./transfer-options.ts";

/** A range that a parser needs next. */
export interface ReadStep {
  readonly offset: number;
  readonly length: number;
  /** What the bytes are, for messages. */
  readonly what: string;
}

/** A parser of `T`. */
export type ReadSteps<T> = Generator<ReadStep, T, Uint8Array<ArrayBufferLike>>;

/** Runs a parser over a source. Throws what the parser throws, and what `checkedRead` throws. */
export async function runSteps<T>(source: ByteSource, steps: ReadSteps<T>, signal?: AbortSignalLike): Promise<T> {
  let next = steps.next();
  while (next.done !== true) {
    const { offset, length, what } = next.value;
    next = steps.next(await checkedRead(source, offset, length, what, signal));
  }
  return next.value;
}

/** Runs a parser over a source whose bytes are in memory. Throws what the parser throws, and DATA_LOSS for a range outside the bytes. */
export function runStepsSync<T>(source: ByteSource & { readonly bytes: Uint8Array<ArrayBufferLike> }, steps: ReadSteps<T>): T {
  let next = steps.next();
  while (next.done !== true) {
    const { offset, length, what } = next.value;
    checkRange(source, offset, length, what);
    next = steps.next(source.bytes.subarray(offset, offset + length));
  }
  return next.value;
}
