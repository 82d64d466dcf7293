import { isStatusError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { thrown } from "./thrown.ts";

/** Runs `act` and returns the StatusError it throws; throws an Error if it does anything else. */
export function refusal(act: () => unknown): StatusError {
  const error = thrown(act);
  if (!isStatusError(error)) throw new Error(`expected a StatusError, got ${String(error)}`);
  return error;
}
