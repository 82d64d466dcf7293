// Expectations of StatusErrors, thrown or rejected.
import { expect } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { StatusCode } from "@onebuffer/base";

/** Returns code and message of an error; fails the test if it is no StatusError. */
function shown(error: unknown): string {
  if (!isStatusError(error)) throw new Error(`not a StatusError: ${String(error)}`, { cause: error });
  return `${error.code}: ${error.message}`;
}

/** Expects that a call throws a StatusError with this code; returns its text. */
export function expectCode(call: () => unknown, code: StatusCode): string {
  let text = "nothing was thrown";
  try {
    call();
  } catch (error) {
    text = shown(error);
  }
  expect(text.split(":")[0]).toBe(code);
  return text;
}

/** Expects that a promise is rejected with a StatusError with this code; returns its text. */
export async function expectRejection(promise: Promise<unknown>, code: StatusCode): Promise<string> {
  const text = await promise.then(() => "nothing was thrown", shown);
  expect(text.split(":")[0] === code ? code : text).toBe(code);
  return text;
}
