/**
 * messageFields: views a message from another thread as an object with fields of unknown type.
 *
 * Messages travel by postMessage as plain objects, and any code may post one. The receiver reads each field once and checks it before
 * using it.
 */
import { shownValue } from "./shown-value.ts";
import { InvalidArgumentError } from "./status-error.ts";

/** Returns `message` as an object with unknown fields. Throws INVALID_ARGUMENT, saying `what` was expected, if it is not an object. */
export function messageFields(message: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof message !== "object" || message === null) throw new InvalidArgumentError(`expected ${what}, got ${shownValue(message)}`);
  return message as Record<string, unknown>;
}
