// The check of an error's code and of its text by a pattern.
import { expect } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";
import { thrown } from "@onebuffer/test-support";

/** Expects that `act` throws a StatusError of this code whose text matches. */
export function expectError(act: () => unknown, code: StatusCode, message: RegExp): void {
  const error = thrown(act);
  expect(isStatusError(error, code) ? code : error).toBe(code);
  expect(String(error)).toMatch(message);
}
