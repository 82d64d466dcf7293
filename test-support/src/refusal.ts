import { isStatusError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { thrown } from "./thrown.ts";

/** Runs `act` and returns the StatusError it throws; throws an Error if it does anything else. */
export function refusal(act: () => unknown): StatusError {
  const error = thrown(act);
  if (!isStatusError(error)) throw new Error(`expected a StatusError, got ${String(error)}`);
  return error;
}

/** Returns the code and message of the StatusError that `act` throws, or that it throws nothing. Rethrows any other error. */
export function refusalText(act: () => unknown): string {
  const error = thrown(act);
  if (error === undefined) return "nothing was thrown";
  if (!isStatusError(error)) throw error;
  return `${error.code}: ${error.message}`;
}
