// Tests how values of a caller are told apart and shown: classes, callbacks, reasons of an AbortSignal.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { cancelledBy, checkCallback, checkMadeInside, isClass, kMadeInside, shownValue } from "@onebuffer/base/internal";

const revoked = (target: object): unknown => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

describe("cancelledBy", () => {
  test.each<readonly [string, unknown, string]>([
    ["the platform's", AbortSignal.abort().reason, `reading was cancelled: ${(AbortSignal.abort().reason as Error).message}`],
    ["a timeout's", new DOMException("The operation timed out", "TimeoutError"), "reading was cancelled: The operation timed out"],
    ["an Error", new Error("too slow"), "reading was cancelled: too slow"],
    ["an Error without a message", new Error(), "reading was cancelled: an object"],
    ["an object with a message", { message: "stop" }, "reading was cancelled: stop"],
    ["a message that is no text", { message: 5 }, "reading was cancelled: an object"],
    ["a text", "enough", 'reading was cancelled: "enough"'],
    ["a number", 5, "reading was cancelled: 5"],
    ["null", null, "reading was cancelled: null"],
    ["none", undefined, "reading was cancelled"],
    ["a revoked Proxy", revoked({}), "reading was cancelled: an object"],
  ])("%s", (_, reason, message) => {
    const error = cancelledBy("reading", reason);
    expect([error.code, error.message]).toEqual(["CANCELLED", message]);
    expect(Object.is(error.cause, reason)).toBe(true);
  });
});

test("isClass, and checkCallback refuses classes", () => {
  class Own {}
  for (const value of [Own, class {}, Map, Promise, Uint8Array]) {
    expect([isClass(value), shownValue(value)]).toEqual([true, "a class"]);
    expect(() => checkCallback(value, "a callback")).toThrow("Expected a callback, got a class");
  }
  const object = { method: () => 1, *generator() {}, async later() {} };
  const functions = [() => 1, function old() {}, object.method, object.generator, object.later, Math.max, Own.bind(null), revoked(() => 1)];
  for (const value of functions) {
    expect([isClass(value), shownValue(value)]).toEqual([false, "a function"]);
    checkCallback(value, "a callback");
  }
  for (const value of [{}, null, undefined, { prototype: 1 }, "class"]) expect(isClass(value)).toBe(false);
});

test("checkMadeInside refuses everything but the key", () => {
  checkMadeInside(kMadeInside, "open makes it");
  for (const value of [undefined, null, {}, Symbol("made inside"), "made inside"]) {
    let thrown: unknown;
    try {
      checkMadeInside(value, "open makes it");
    } catch (error) {
      thrown = error;
    }
    expect(isStatusError(thrown, "INVALID_ARGUMENT") && thrown.message).toBe("the constructor is not for programs: open makes it");
  }
});
