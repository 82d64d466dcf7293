/** The error of a call that an AbortSignal has cancelled. */
import { shownValue } from "./shown-value.ts";
import { CancelledError } from "./status-error.ts";

/**
 * Returns the error: `reading was cancelled: This operation was aborted`. `reason` is the signal's reason: of an Error the message is shown,
 * and the Error is the cause. `controller.abort()` without a reason gives an Error of the platform.
 *
 * @example
 * cancelledBy("reading", "enough").message; // => 'reading was cancelled: "enough"'
 * cancelledBy("reading", new Error("too slow")).message; // => "reading was cancelled: too slow"
 */
export function cancelledBy(what: string, reason: unknown): CancelledError {
  const cause = reason === undefined ? {} : { cause: reason };
  return new CancelledError(`${what} was cancelled${reason === undefined ? "" : `: ${messageOf(reason) ?? shownValue(reason)}`}`, cause);
}

/** Returns the message of an Error of any realm, or null. Never throws: a reason may be a Proxy, or have getters. */
function messageOf(reason: unknown): string | null {
  if (typeof reason !== "object" || reason === null) return null;
  try {
    const { message } = reason as { readonly message?: unknown };
    return typeof message === "string" && message !== "" ? message : null;
  } catch {
    return null;
  }
}
