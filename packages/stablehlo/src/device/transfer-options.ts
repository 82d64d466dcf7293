/**
 * The options of XlaDevice's calls that may take long. They are those of every backend (eigen's backend/transfer-options.ts), declared under
 * their public names so that their members are in the reference.
 */

/**
 * The part of an AbortSignal that is needed, so that one of another realm does.
 *
 * @example
 * const signal: XlaAbortSignal = new AbortController().signal;
 * signal.aborted; // => false
 */
export interface XlaAbortSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener?(type: "abort", listener: () => void): void;
  removeEventListener?(type: "abort", listener: () => void): void;
}

/**
 * The options of transfers between this process and the devices.
 *
 * @example
 * const seen: number[] = [];
 * const options: XlaTransferOptions = { onProgress: ({ bytes, totalBytes }) => seen.push(bytes / totalBytes) };
 */
export interface XlaTransferOptions {
  /** An AbortSignal that ends the call with CANCELLED. */
  readonly signal?: XlaAbortSignal;
  /** Called after each part of the elements. An error that it throws ends the transfer. */
  readonly onProgress?: (progress: { readonly bytes: number; readonly totalBytes: number }) => void;
}
