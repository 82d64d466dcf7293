// Asserts that a call throws a StatusError of a code, with these values in the message.
import { expect } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { StatusCode } from "@onebuffer/base";

export function expectStatus(act: () => unknown, code: StatusCode, ...inMessage: readonly (string | number)[]): void {
  let caught: unknown;
  try {
    act();
  } catch (error) {
    caught = error;
  }
  expect(isStatusError(caught) ? caught.code : caught).toBe(code);
  for (const part of inMessage) expect(String(caught)).toContain(String(part));
}
