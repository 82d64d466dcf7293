/**
 * What every function that reads or writes for long takes: a signal that cancels it, and a listener for its progress.
 */
import { cancelledBy, checkCallback, checkObject } from "@onebuffer/base/internal";
import type { AbortSignalLike } from "@onebuffer/eigen";

export { abortable, onAbort } from "@onebuffer/eigen/internal";

export type { AbortSignalLike } from "@onebuffer/eigen";

/**
 * How far a transfer has come.
 *
 * @example
 * const progress: TransferProgress = { bytes: 512, totalBytes: 1024 };
 * progress.bytes / progress.totalBytes; // => 0.5
 */
export interface TransferProgress {
  /** The bytes transferred so far. */
  readonly bytes: number;
  /** The bytes of the whole transfer; 0 where they are not known before its end, as those of deflated members. */
  readonly totalBytes: number;
  /** The tensor, member or record that was finished last, where the transfer has such parts. */
  readonly name?: string;
}

/**
 * The options of a transfer.
 *
 * @example
 * const controller = new AbortController();
 * const options: TransferOptions = { signal: controller.signal, onProgress: ({ bytes, totalBytes }) => bytes / totalBytes };
 * options.signal?.aborted; // => false
 */
export interface TransferOptions {
  /** An AbortSignal that ends the transfer with CANCELLED. */
  readonly signal?: AbortSignalLike;
  /** Called after each part of the transfer. An error that it throws ends the transfer. */
  readonly onProgress?: (progress: TransferProgress) => void;
}

/** Throws INVALID_ARGUMENT if `signal` is no AbortSignal or `onProgress` no function. */
export function checkTransfer({ signal, onProgress }: TransferOptions): void {
  if (signal !== undefined) checkObject(signal, "an AbortSignal");
  if (onProgress !== undefined) checkCallback(onProgress, "a function onProgress");
}

/** Throws CANCELLED if the signal is aborted. `what` names the transfer in the message. */
export function checkSignal(signal: AbortSignalLike | undefined, what: string): void {
  if (signal?.aborted === true) throw cancelledBy(what, signal.reason);
}

/** Returns the options of a transfer alone. */
export function transferOf({ signal, onProgress }: TransferOptions): TransferOptions {
  return { ...(signal === undefined ? {} : { signal }), ...(onProgress === undefined ? {} : { onProgress }) };
}

/** Returns the signal of a transfer alone: a listener of progress is called while tensors are read, not while a file is opened. */
export function signalOf({ signal }: TransferOptions): TransferOptions {
  return signal === undefined ? {} : { signal };
}
