// Tests StatusError, its subclasses, and isStatusError, which also works for errors of other realms.
import { describe, expect, test } from "@jest/globals";
import { createContext, runInContext } from "node:vm";
import {
  CancelledError,
  DataLossError,
  FailedPreconditionError,
  InternalError,
  InvalidArgumentError,
  NotFoundError,
  OutOfRangeError,
  ResourceExhaustedError,
  StatusError,
  UnavailableError,
  UnimplementedError,
  isStatusError,
} from "@onebuffer/base";
import type { StatusCode } from "@onebuffer/base";

const family: readonly (readonly [code: StatusCode, kind: new (message: string, options?: { readonly cause?: unknown }) => StatusError])[] =
  [
    ["CANCELLED", CancelledError],
    ["DATA_LOSS", DataLossError],
    ["FAILED_PRECONDITION", FailedPreconditionError],
    ["INTERNAL", InternalError],
    ["INVALID_ARGUMENT", InvalidArgumentError],
    ["NOT_FOUND", NotFoundError],
    ["OUT_OF_RANGE", OutOfRangeError],
    ["RESOURCE_EXHAUSTED", ResourceExhaustedError],
    ["UNAVAILABLE", UnavailableError],
    ["UNIMPLEMENTED", UnimplementedError],
  ];

describe.each(family)("%s", (code, Kind) => {
  const cause = new Error("below");
  const error = new Kind("dim 3 is -1", { cause });

  test("has code, message, cause and a stack that begins with code and message", () => {
    expect([error.code, error.message, error.cause, error.name]).toEqual([code, "dim 3 is -1", cause, code]);
    expect(String(error)).toBe(`${code}: dim 3 is -1`);
    expect(error.stack?.split("\n")[0]).toBe(`${code}: dim 3 is -1`);
    expect("cause" in new Kind("none")).toBe(false);
  });

  test("is an Error and a StatusError", () => {
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(StatusError);
    expect(Object.getPrototypeOf(Kind)).toBe(StatusError);
  });

  test("isStatusError distinguishes it from other codes", () => {
    expect(isStatusError(error)).toBe(true);
    expect(family.filter(([other]) => isStatusError(error, other)).map(([other]) => other)).toEqual([code]);
  });
});

test.each([
  undefined,
  null,
  5,
  "OUT_OF_RANGE",
  new Error("OUT_OF_RANGE"),
  new RangeError("x"),
  { code: "OUT_OF_RANGE" },
  () => 0,
  Symbol("x"),
])("%p is not a status error", (value) => {
  expect([isStatusError(value), isStatusError(value, "OUT_OF_RANGE")]).toEqual([false, false]);
});

test("isStatusError narrows the type", () => {
  const caught: unknown = new OutOfRangeError("index 3");
  const code: StatusCode | null = isStatusError(caught) ? caught.code : null;
  expect(code).toBe("OUT_OF_RANGE");
});

describe("errors of another realm, which has another Error and another copy of the classes", () => {
  const realm = createContext({});
  // The shape of status-error.ts, since a context cannot import the package itself.
  const foreign: unknown = runInContext(
    `class StatusError extends Error { constructor(code, message) { super(message); this.code = code; } }
     Object.defineProperty(StatusError.prototype, Symbol.for("onebuffer.StatusError"), { value: true });
     new StatusError("DATA_LOSS", "crc32c mismatch")`,
    realm,
  );

  test("isStatusError is true for its status errors, where instanceof is false", () => {
    expect(foreign).not.toBeInstanceOf(StatusError);
    expect([isStatusError(foreign), isStatusError(foreign, "DATA_LOSS"), isStatusError(foreign, "INTERNAL")]).toEqual([true, true, false]);
  });

  test("isStatusError is false for its other errors", () => {
    expect(isStatusError(runInContext("new Error('DATA_LOSS')", realm))).toBe(false);
  });

  test("its isStatusError is true for our errors", () => {
    const guard = runInContext(`(e) => e[Symbol.for("onebuffer.StatusError")] === true && e.code`, realm) as (error: unknown) => unknown;
    expect(guard(new NotFoundError("w"))).toBe("NOT_FOUND");
  });
});
