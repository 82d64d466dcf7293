/**
 * The options of XlaDevice's calls that may take long, under their public names.
 */
import type { DeviceTransferOptions, TransferSignal } from "@onebuffer/eigen/internal";

/**
 * The part of an AbortSignal that is needed, so that one of another realm does.
 *
 * @example
 * const signal: XlaAbortSignal = new AbortController().signal;
 * signal.aborted; // => false
 */
export type XlaAbortSignal = TransferSignal;

/**
 * The options of transfers between this process and the devices: an AbortSignal that ends the call with CANCELLED, and a listener that is
 * called after each part of the elements. An error that the listener throws ends the transfer.
 *
 * @example
 * const seen: number[] = [];
 * const options: XlaTransferOptions = { onProgress: ({ bytes, totalBytes }) => seen.push(bytes / totalBytes) };
 */
export type XlaTransferOptions = DeviceTransferOptions;
