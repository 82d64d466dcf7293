import { expect } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { StatusCode } from "@onebuffer/base";

/** Asserts that `act` throws a StatusError of `code` whose message contains each of `parts`. */
export function expectStatus(act: () => unknown, code: StatusCode, ...parts: readonly string[]): void {
  let caught: unknown;
  try {
    act();
  } catch (error) {
    caught = error;
  }
  expect(isStatusError(caught) ? caught.code : caught).toBe(code);
  for (const part of parts) expect((caught as Error).message).toContain(part);
}
