/**
 * AtomicsLike: the methods of `Atomics` that the protocol between threads uses (TensorFlow: std::atomic), as an interface, so that
 * tests can replace them.
 */

/** A view of the linear memory from its start to the end of the control area. */
export type Words = Int32Array<ArrayBufferLike>;

/** The part of `Atomics` that the protocol uses. `at` names the access for tests; the real `Atomics` ignores it. */
export interface AtomicsLike {
  load(words: Words, index: number, at: string): number;
  store(words: Words, index: number, value: number, at: string): number;
  add(words: Words, index: number, value: number, at: string): number;
  sub(words: Words, index: number, value: number, at: string): number;
  exchange(words: Words, index: number, value: number, at: string): number;
  compareExchange(words: Words, index: number, expected: number, value: number, at: string): number;
}
