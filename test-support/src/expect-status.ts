import { expect } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";

/** Asserts that `act` throws a StatusError of `code` whose message contains every given text. */
export function expectStatus(act: () => unknown, code: StatusCode, ...contains: readonly (string | number)[]): void {
  let caught: unknown;
  try {
    act();
  } catch (error) {
    caught = error;
  }
  if (!isStatusError(caught)) throw new Error(`expected ${code}, got ${String(caught)}`);
  expect(caught.code).toBe(code);
  for (const text of contains) expect(caught.message).toContain(String(text));
}

/** Returns the result of `act`, or undefined if it throws a StatusError. Rethrows any other error. */
export function statusErrorsOnly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return undefined;
  }
}
