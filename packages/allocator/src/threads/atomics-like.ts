/**
 * atomics-like: what the threads' protocol uses of `Atomics` (TensorFlow: std::atomic), so that tests can put theirs in its place.
 */

/** A view of the linear memory, from its start to the end of the control area. */
export type Words = Int32Array<ArrayBufferLike>;

/** What the protocol uses of `Atomics`. `at` names the access; the real ones never look at it. */
export interface AtomicsLike {
  load(words: Words, index: number, at: string): number;
  store(words: Words, index: number, value: number, at: string): number;
  add(words: Words, index: number, value: number, at: string): number;
  sub(words: Words, index: number, value: number, at: string): number;
  exchange(words: Words, index: number, value: number, at: string): number;
  compareExchange(words: Words, index: number, expected: number, value: number, at: string): number;
}
