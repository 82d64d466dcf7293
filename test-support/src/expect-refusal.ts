// Assertions about asynchronous functions that throw StatusErrors.
import { expect } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";

/** Asserts that `act` rejects or throws with a StatusError of `code` whose message contains every given text. */
export async function expectRefusal(act: () => unknown, code: StatusCode, ...contains: readonly (string | number)[]): Promise<void> {
  let thrown: unknown;
  try {
    await act();
  } catch (error) {
    thrown = error;
  }
  expect(isStatusError(thrown) ? thrown.code : thrown).toBe(code);
  for (const text of contains) expect(String(thrown)).toContain(String(text));
}
