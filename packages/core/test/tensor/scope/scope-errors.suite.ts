// Errors in a scope: whatever throws, kept resources are disposed and no error is lost, also of resources that are kept after its end.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { Keep } from "@onebuffer/core";
import { liveBuffers } from "@onebuffer/allocator";
import { scope, Tensor } from "@onebuffer/core";
import { thrown, expectStatus } from "@onebuffer/test-support";
import { Probe } from "./probe.ts";
import { gate, rejection } from "./promises.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

describe("errors", () => {
  test("an error of the callback is rethrown unchanged after everything is disposed", () => {
    const log: string[] = [];
    const mine = new Error("mine");
    const error = thrown(() =>
      scope((keep) => {
        keep(new Probe(log, "a"));
        keep(new Probe(log, "b"));
        throw mine;
      }),
    );
    expect(error).toBe(mine);
    expect(log).toEqual(["b", "a"]);
  });

  test("thrown values that are not errors are rethrown, even undefined", async () => {
    const log: string[] = [];
    let caught: unknown = "nothing";
    try {
      scope((keep) => {
        keep(new Probe(log, "a"));
        throw undefined;
      });
    } catch (error) {
      caught = error;
    }
    expect([caught, log]).toEqual([undefined, ["a"]]);
    await expect(scope(async () => Promise.reject(null))).rejects.toBe(null);
  });

  test("an error of one disposer is thrown unchanged, and the other disposers still run", () => {
    const log: string[] = [];
    const mine = new Error("mine");
    const error = thrown(() =>
      scope((keep) => {
        keep(new Probe(log, "a"));
        keep(new Probe(log, "b", mine));
        keep(new Probe(log, "c"));
        return "lost";
      }),
    );
    expect(error).toBe(mine);
    expect(log).toEqual(["c", "b", "a"]);
  });

  test("if a disposer throws, the result is disposed too, because the caller cannot receive it", () => {
    const log: string[] = [];
    const error = thrown(() =>
      scope((keep) => {
        const results = [keep(new Probe(log, "result 1")), keep(new Probe(log, "result 2"))];
        keep(new Probe(log, "b", "broken"));
        return results;
      }),
    );
    expect(error).toBe("broken");
    expect(log).toEqual(["b", "result 2", "result 1"]);
  });

  test("no error is lost: the later suppresses the earlier, as with `using`", () => {
    const log: string[] = [];
    const error = thrown(() =>
      scope((keep) => {
        keep(new Probe(log, "a", "of a"));
        keep(new Probe(log, "b"));
        keep(new Probe(log, "c", "of c"));
        throw new RangeError("of the callback");
      }),
    );
    expect(log).toEqual(["c", "b", "a"]);
    expect(error).toMatchObject({
      name: "SuppressedError",
      error: "of a",
      suppressed: { name: "SuppressedError", error: "of c", suppressed: { message: "of the callback" } },
    });
    expect(Object.prototype.toString.call(error)).toBe("[object Error]");
  });

  test("the platform's SuppressedError is used if it exists", () => {
    class SuppressedError extends Error {
      readonly error: unknown;
      readonly suppressed: unknown;
      constructor(error: unknown, suppressed: unknown) {
        super("");
        this.error = error;
        this.suppressed = suppressed;
      }
    }
    const host = globalThis as { SuppressedError?: unknown };
    const own = Object.getOwnPropertyDescriptor(host, "SuppressedError");
    host.SuppressedError = SuppressedError;
    try {
      const error = thrown(() =>
        scope((keep) => {
          keep(new Probe([], "a", 1));
          throw 0;
        }),
      );
      expect(error).toBeInstanceOf(SuppressedError);
      expect([(error as SuppressedError).error, (error as SuppressedError).suppressed]).toEqual([1, 0]);
    } finally {
      delete host.SuppressedError;
      if (own !== undefined) Object.defineProperty(host, "SuppressedError", own);
    }
  });

  test("if searching the result throws, everything is disposed", () => {
    const log: string[] = [];
    const hostile = {
      get trap(): never {
        throw new Error("trap");
      },
    };
    const error = thrown(() =>
      scope((keep) => {
        keep(new Probe(log, "a"));
        return hostile;
      }),
    );
    expect([String(error), log]).toEqual(["Error: trap", ["a"]]);
  });
});

describe("keep after the end", () => {
  test("disposes at once and throws", () => {
    const log: string[] = [];
    let late: Keep | undefined;
    scope((keep) => {
      late = keep;
    });
    const error = thrown(() => late!(new Probe(log, "a")));
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(String(error)).toContain("after the end of its scope");
    expect(log).toEqual(["a"]);
    expect(late!(null)).toBe(null);
  });

  test("a branch that outlives its scope leaks nothing", async () => {
    const before = liveBuffers();
    const { passed, open } = gate();
    let straggler: Promise<unknown> = Promise.resolve();
    const failing = scope(async (keep) => {
      straggler = passed.then(() => keep(Tensor.zeros([4])));
      await Promise.resolve();
      throw new Error("first");
    });
    expect(String(await rejection(failing))).toBe("Error: first");
    open();
    expect(isStatusError(await rejection(straggler), "FAILED_PRECONDITION")).toBe(true);
    expect(liveBuffers()).toBe(before);
  });

  test("also throws in a disposer of the scope itself", () => {
    const log: string[] = [];
    const error = thrown(() =>
      scope((keep) => {
        keep({ [Symbol.dispose]: () => void keep(new Probe(log, "late")) });
      }),
    );
    expect([isStatusError(error, "FAILED_PRECONDITION"), log]).toEqual([true, ["late"]]);
  });

  test("the error of the resource's disposer becomes the cause", () => {
    let late: Keep | undefined;
    scope((keep) => {
      late = keep;
    });
    const error = thrown(() => late!(new Probe([], "a", "broken")));
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect((error as Error).cause).toBe("broken");
  });

  test("a resource that is kept too late and fails to be disposed of says so", () => {
    let late: ((resource: Disposable) => unknown) | undefined;
    scope((keep) => {
      late = keep as Any;
      return null;
    });
    const failing = {
      [Symbol.dispose]() {
        throw new Error("no");
      },
    };
    expectStatus(() => late!(failing), "FAILED_PRECONDITION", "it was disposed at once, which failed");
  });
});
