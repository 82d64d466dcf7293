/**
 * The options of calls that may take long: a signal that cancels them, and a listener for their progress.
 */
import { cancelledBy, checkCallback, checkObject } from "@onebuffer/base/internal";

/**
 * The part of an AbortSignal that a call needs, so that one of another realm or a polyfill does.
 *
 * @example
 * const signal: AbortSignalLike = { aborted: false };
 * const x = tensorMap("float64", Float64Array.of(4), [1, 1]);
 * await assignInSteps([[x, x.add(1)]], { signal });
 * x.toArray(); // => [[5]]
 */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  /** With it, a call that waits for a server or a device ends at once; without it, at the next bytes. */
  addEventListener?(type: "abort", listener: () => void): void;
  removeEventListener?(type: "abort", listener: () => void): void;
}

/**
 * The options of transfers between this process and a device.
 *
 * @example
 * const options: DeviceTransferOptions = { signal: AbortSignal.abort(), onProgress: ({ bytes, totalBytes }) => bytes / totalBytes };
 * options.signal?.aborted; // => true
 */
export interface DeviceTransferOptions {
  /** An AbortSignal that ends the call with CANCELLED. */
  readonly signal?: AbortSignalLike;
  /** Called after each part of the elements. An error that it throws ends the transfer. */
  readonly onProgress?: (progress: { readonly bytes: number; readonly totalBytes: number }) => void;
}

/** No signal and no listener. */
export const kNoTransferOptions: DeviceTransferOptions = {};

/** Options of which the listener is of any kind. */
interface CheckedOptions extends Pick<DeviceTransferOptions, "signal"> {
  readonly onProgress?: unknown;
}

/** Throws INVALID_ARGUMENT for values of wrong types, CANCELLED if the signal is aborted already. */
export function checkTransfer(what: string, { signal, onProgress }: CheckedOptions): void {
  if (signal !== undefined) checkObject(signal, "an AbortSignal");
  if (onProgress !== undefined) checkCallback(onProgress, "a function onProgress");
  checkSignal(what, signal);
}

/** Throws CANCELLED if the signal is aborted. */
export function checkSignal(what: string, signal: AbortSignalLike | undefined): void {
  if (signal?.aborted === true) throw cancelledBy(what, signal.reason);
}

/** Returns the promise `work`, or a rejection with CANCELLED if the signal is aborted before it settles. The work itself goes on. */
export function abortable<T>(what: string, signal: AbortSignalLike | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    let forget = (): void => {};
    const stop = (): void => {
      reject(cancelledBy(what, signal.reason));
      forget();
    };
    // First, so that an error of the work is not left unhandled if the signal throws.
    work
      .then(resolve, reject)
      .then(() => forget())
      .catch(reject);
    forget = onAbort(signal, stop);
    if (signal.aborted) stop();
  });
}

/** The calls that wait for a signal, and its listener that tells all of them. */
interface Waiting {
  readonly stops: Set<() => void>;
  readonly listener: () => void;
}

/** The signals with calls that wait. A signal has one listener however many they are: Node warns of more than ten. */
const waiting: WeakMap<AbortSignalLike, Waiting> = new WeakMap();

/** Has `stop` called when the signal is aborted. Returns the function that takes this back; the last one removes the listener. */
export function onAbort(signal: AbortSignalLike, stop: () => void): () => void {
  const { stops, listener } = waiting.get(signal) ?? listened(signal);
  stops.add(stop);
  return () => {
    if (!stops.delete(stop) || stops.size > 0) return;
    waiting.delete(signal);
    signal.removeEventListener?.("abort", listener);
  };
}

/** Adds the listener of a signal. */
function listened(signal: AbortSignalLike): Waiting {
  const stops = new Set<() => void>();
  const listener = (): void => {
    for (const stop of [...stops]) stop();
  };
  signal.addEventListener?.("abort", listener);
  const made = { stops, listener };
  waiting.set(signal, made);
  return made;
}
