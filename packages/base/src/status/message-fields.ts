/**
 * messageFields: a message that another thread posted, as an object whose fields may be anything.
 *
 * Messages travel by postMessage as plain objects, and any code may post one. The receiver reads each field once and checks it before
 * using it.
 */
import { shownValue } from "./shown-value.ts";
import { InvalidArgumentError } from "./status-error.ts";

/** Returns `message` as an object with unknown fields. Throws INVALID_ARGUMENT if it is not an object. */
export function messageFields(message: unknown): Readonly<Record<string, unknown>> {
  if (typeof message !== "object" || message === null)
    throw new InvalidArgumentError(`expected a message about a tensor, got ${shownValue(message)}`);
  return message as Record<string, unknown>;
}
