/**
 * Status errors: TensorFlow's canonical codes as JavaScript errors (tensorflow/core/lib/core/errors.h).
 *
 * A C++ function that returns a `Status`, or one that CHECK-fails and ends the process, throws one of
 * these instead. Programs test `code`; the message has the offending values for people.
 * There is one subclass per code that onebuffer uses, and one guard, `isStatusError`, which works across
 * copies of this package and across realms (workers, iframes, jest), where `instanceof` does not.
 */

import { shownValue } from "./shown-value.ts";

/**
 * The canonical status names onebuffer throws, spelled as TensorFlow and gRPC spell them.
 *
 * @example
 * const code: StatusCode = "DATA_LOSS";
 * isStatusError(new DataLossError("cut short"), code); // => true
 */
export type StatusCode =
  | "CANCELLED"
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "RESOURCE_EXHAUSTED"
  | "FAILED_PRECONDITION"
  | "OUT_OF_RANGE"
  | "UNIMPLEMENTED"
  | "INTERNAL"
  | "DATA_LOSS"
  | "UNAVAILABLE";

/** The mark of every StatusError; a registered symbol is the same in every realm. */
const kBrand = Symbol.for("onebuffer.StatusError");

/**
 * The parent of every error onebuffer throws on purpose.
 *
 * Throws nothing, copies nothing.
 *
 * @example
 * const error = new StatusError("OUT_OF_RANGE", "index 3 is not in [0, 2)");
 * error.code; // => "OUT_OF_RANGE"
 * String(error); // => "OUT_OF_RANGE: index 3 is not in [0, 2)"
 */
export class StatusError extends Error {
  /** The canonical status name, which programs test. */
  readonly code: StatusCode;

  static {
    Object.defineProperty(this.prototype, kBrand, { value: true });
  }

  constructor(code: StatusCode, message: string, options?: { readonly cause?: unknown }) {
    super(typeof message === "string" ? message : shownValue(message), options);
    this.code = code;
    this.name = code;
  }
}

/**
 * The operation was stopped by its AbortSignal.
 *
 * @example
 * new CancelledError("reading was cancelled").code; // => "CANCELLED"
 */
export class CancelledError extends StatusError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("CANCELLED", message, options);
  }
}

/**
 * The caller gave a bad value: a wrong dtype, a negative size, a malformed text.
 *
 * @example
 * new InvalidArgumentError("Expected a non-negative size, got -1").code; // => "INVALID_ARGUMENT"
 */
export class InvalidArgumentError extends StatusError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("INVALID_ARGUMENT", message, options);
  }
}

/**
 * A requested name does not exist.
 *
 * @example
 * new NotFoundError("Key w not found in checkpoint").code; // => "NOT_FOUND"
 */
export class NotFoundError extends StatusError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("NOT_FOUND", message, options);
  }
}

/**
 * An allocator has not enough memory, or untrusted bytes would need more than a limit allows.
 *
 * @example
 * new ResourceExhaustedError("cannot allocate 8 bytes").code; // => "RESOURCE_EXHAUSTED"
 */
export class ResourceExhaustedError extends StatusError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("RESOURCE_EXHAUSTED", message, options);
  }
}

/**
 * The object is not in a state that allows the call: disposed, sealed, unaligned, not contiguous.
 *
 * @example
 * new FailedPreconditionError("the tensor was disposed").code; // => "FAILED_PRECONDITION"
 */
export class FailedPreconditionError extends StatusError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("FAILED_PRECONDITION", message, options);
  }
}

/**
 * An index, start or limit is outside the valid range.
 *
 * @example
 * new OutOfRangeError("index 3 of dimension 0 is not in [0, 2)").code; // => "OUT_OF_RANGE"
 */
export class OutOfRangeError extends StatusError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("OUT_OF_RANGE", message, options);
  }
}

/**
 * The request is valid but not implemented in onebuffer.
 *
 * @example
 * new UnimplementedError("descr '<U5' is not supported").code; // => "UNIMPLEMENTED"
 */
export class UnimplementedError extends StatusError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("UNIMPLEMENTED", message, options);
  }
}

/**
 * A precondition of an internal function is violated; TensorFlow uses this code for rank mismatches and overlapping slices.
 *
 * @example
 * new InternalError("Overlapping slices: existing slice = -, new slice = 0,1").code; // => "INTERNAL"
 */
export class InternalError extends StatusError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("INTERNAL", message, options);
  }
}

/**
 * The bytes of a file or message are damaged: truncated, of a wrong size, with a wrong checksum.
 *
 * @example
 * new DataLossError("crc32c mismatch").code; // => "DATA_LOSS"
 */
export class DataLossError extends StatusError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("DATA_LOSS", message, options);
  }
}

/**
 * A service has ended or cannot be reached: the process of an XlaDevice, or a peer of its group. Making a new one may help.
 *
 * @example
 * new UnavailableError("the runner ended (signal SIGKILL)").code; // => "UNAVAILABLE"
 */
export class UnavailableError extends StatusError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("UNAVAILABLE", message, options);
  }
}

/**
 * Returns true if a caught value is a StatusError, with the given code if one is given. Works for errors of
 * other copies of this package and of other realms.
 *
 * @example
 * isStatusError(new OutOfRangeError("5"), "OUT_OF_RANGE"); // => true
 * isStatusError(new OutOfRangeError("5"), "DATA_LOSS"); // => false
 * isStatusError(new Error("5")); // => false
 */
export function isStatusError(error: unknown, code?: StatusCode): error is StatusError {
  if (typeof error !== "object" || error === null) return false;
  if ((error as Readonly<Record<symbol, unknown>>)[kBrand] !== true) return false;
  return code === undefined || (error as { readonly code?: unknown }).code === code;
}
