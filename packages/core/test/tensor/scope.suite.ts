// scope: kept resources are disposed at its end and returned ones are not, whatever throws and however scopes interleave.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { Keep } from "@onebuffer/core";
import { liveBuffers, RefCountPtr } from "@onebuffer/allocator";
import { scope, Tensor } from "@onebuffer/core";
import fc from "fast-check";
import { thrown } from "@onebuffer/test-support";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isType = <T extends true>(_?: T): void => undefined;

/** A resource that records its name when it is disposed, and then throws `failure` if that is set. */
class Probe {
  readonly log: string[];
  readonly name: string;
  readonly failure: unknown;
  constructor(log: string[], name: string, failure?: unknown) {
    this.log = log;
    this.name = name;
    this.failure = failure;
  }
  [Symbol.dispose](): void {
    this.log.push(this.name);
    if (this.failure !== undefined) throw this.failure;
  }
}

/** Returns a promise and the function that resolves it. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("what is disposed and what is not", () => {
  test("everything kept is disposed, the last first, but not the result", () => {
    const log: string[] = [];
    const result = scope((keep) => {
      for (const name of ["a", "b", "c"]) keep(new Probe(log, name));
      expect(log).toEqual([]);
      return 42;
    });
    expect([result, log]).toEqual([42, ["c", "b", "a"]]);
  });

  test("kept tensors give their buffers back; the returned one is the caller's", () => {
    const before = liveBuffers();
    using sum = scope((keep) => {
      const a = keep(Tensor.ones([4]));
      const b = keep(Tensor.ones([4]));
      const out = keep(Tensor.zeros([4]));
      for (let i = 0; i < 4; i++) out.vec().set(i, a.vec().at(i) + b.vec().at(i));
      return out;
    });
    expect(liveBuffers()).toBe(before + 1);
    expect(sum.toArray()).toEqual([2, 2, 2, 2]);
  });

  test("a view of a kept tensor holds the buffer by itself", () => {
    const row = scope((keep) => keep(Tensor.from([[1], [2]])).subSlice(1));
    expect([row.toArray(), row.buffer?.rootBuffer.refCount]).toEqual([[2], 1]);
    row.dispose();
  });

  test.each<[name: string, shape: (...probes: Probe[]) => unknown, left: string]>([
    ["a handle", (_a, b) => b, "b"],
    ["an array", (a, b) => [a, b], "ab"],
    ["an object", (a, _b, c) => ({ a, c }), "ac"],
    ["nested ones", (a, b, c) => ({ list: [a, { deep: [[b]] }], more: { c } }), "abc"],
    ["an object without a prototype", (a) => Object.assign(Object.create(null) as object, { a }), "a"],
    ["the same handle twice", (a) => [a, a], "a"],
    ["nothing", () => undefined, ""],
    ["text and numbers", () => ["a", 1, null, true, Symbol.iterator], ""],
    ["holes", (_a, _b, c) => Object.assign(new Array<unknown>(5), { 3: c }), "c"],
    // Objects of classes, maps, sets and closures are not searched.
    ["an instance", (a) => new RefCountPtrLike(a), ""],
    ["a set", (a) => new Set([a]), ""],
    ["a function", (a) => () => a, ""],
  ])("returned: %s", (_name, shape, left) => {
    const log: string[] = [];
    scope((keep) => shape(...["a", "b", "c"].map((name) => keep(new Probe(log, name)))));
    const ended = ["c", "b", "a"].filter((name) => !left.includes(name));
    expect(log).toEqual(ended);
  });

  test("a returned kept object also saves the kept handles in its fields", () => {
    const log: string[] = [];
    const pair = scope((keep) => {
      const parts = [keep(new Probe(log, "a")), keep(new Probe(log, "b"))];
      return keep({ parts, [Symbol.dispose]: () => log.push("pair") });
    });
    expect([log, pair.parts.length]).toEqual([[], 2]);
  });

  test("a function with Symbol.dispose can be kept", () => {
    const log: string[] = [];
    const handle = (name: string) => Object.assign(() => name, { [Symbol.dispose]: () => void log.push(name) });
    const kept = scope((keep) => [keep(handle("a")), keep(handle("b"))].slice(1));
    expect([kept[0]!(), log]).toEqual(["b", ["a"]]);
  });

  test("plain objects of another realm are searched", async () => {
    const { runInNewContext } = await import("node:vm");
    const log: string[] = [];
    scope((keep) => {
      const result = runInNewContext("({ list: [] })") as { list: Probe[] };
      result.list.push(keep(new Probe(log, "a")));
      return result;
    });
    expect(log).toEqual([]);
  });

  test("cyclic and very deep results are searched", () => {
    const log: string[] = [];
    scope((keep) => {
      const loop: unknown[] = [keep(new Probe(log, "a"))];
      loop.push(loop);
      keep(new Probe(log, "b"));
      return loop;
    });
    expect(log).toEqual(["b"]);
    scope((keep) => {
      let deep: unknown = keep(new Probe(log, "c"));
      for (let i = 0; i < 100_000; i++) deep = [deep];
      return deep;
    });
    expect(log).toEqual(["b"]);
  });

  test("a result of a million numbers is not searched if nothing is kept", () => {
    const numbers = new Array<number>(1_000_000).fill(1);
    let read = 0;
    const watched = new Proxy(numbers, {
      ownKeys: (target) => {
        read++;
        return Reflect.ownKeys(target);
      },
    });
    expect(scope(() => watched)).toBe(watched);
    expect(read).toBe(0);
  });

  test("a resource kept twice is disposed once; null and undefined are returned", () => {
    const log: string[] = [];
    scope((keep) => {
      const probe = new Probe(log, "a");
      expect(keep(keep(probe))).toBe(probe);
      expect([keep(null), keep(undefined)]).toEqual([null, undefined]);
    });
    expect(log).toEqual(["a"]);
  });

  test("disposes other kinds of handles, and accepts handles that the callback disposed itself", () => {
    const before = liveBuffers();
    scope((keep) => {
      const tensor = keep(Tensor.zeros([2]));
      const buffer = tensor.buffer!;
      buffer.ref();
      keep(new RefCountPtr(buffer));
      tensor.dispose();
      expect(buffer.refCount).toBe(1);
    });
    expect(liveBuffers()).toBe(before);
  });

  test("a value that cannot be disposed is refused", () => {
    for (const [value, text] of [
      [7, "7"],
      [{ dispose: () => undefined }, "an object"],
      ["t", '"t"'],
    ] as const) {
      const error = thrown(() => scope((keep) => keep(value as unknown as Disposable)));
      expect(isStatusError(error, "INVALID_ARGUMENT")).toBe(true);
      expect(String(error)).toContain(text);
    }
  });
});

/** A user's class that holds a probe in a field. */
class RefCountPtrLike {
  readonly held: Probe;
  constructor(held: Probe) {
    this.held = held;
  }
}

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

describe("asynchronous scopes", () => {
  test("dispose when the promise is settled, not before", async () => {
    const log: string[] = [];
    const { passed, open } = gate();
    const running = scope(async (keep) => {
      keep(new Probe(log, "a"));
      await passed;
      keep(new Probe(log, "b"));
      return [keep(new Probe(log, "c"))];
    });
    await Promise.resolve();
    expect(log).toEqual([]);
    open();
    expect((await running).map((each) => each.name)).toEqual(["c"]);
    expect(log).toEqual(["b", "a"]);
  });

  test("a rejection disposes of everything and is rethrown, together with disposers' errors", async () => {
    const log: string[] = [];
    const failing = scope(async (keep) => {
      keep(new Probe(log, "a"));
      await Promise.resolve();
      throw new Error("mine");
    });
    expect(String(await rejection(failing))).toBe("Error: mine");
    const both = scope(async (keep) => {
      keep(new Probe(log, "b", "of b"));
      await Promise.resolve();
      throw "mine";
    });
    expect(await rejection(both)).toMatchObject({ error: "of b", suppressed: "mine" });
    expect(log).toEqual(["a", "b"]);
  });

  test("an error before the callback returns a promise is thrown synchronously", () => {
    const log: string[] = [];
    const early = (keep: Keep): Promise<number> => {
      keep(new Probe(log, "a"));
      throw new Error("early");
    };
    expect(String(thrown(() => scope(early)))).toBe("Error: early");
    expect(log).toEqual(["a"]);
  });

  test("any thenable is awaited", async () => {
    const log: string[] = [];
    const thenable: PromiseLike<number> = {
      // biome-ignore lint/suspicious/noThenProperty: the test needs a thenable that is not a promise.
      then: (resolve, reject) => Promise.resolve(7).then(resolve, reject),
    };
    const running = scope((keep) => {
      keep(new Probe(log, "a"));
      return thenable;
    });
    expect(log).toEqual([]);
    expect([await running, log]).toEqual([7, ["a"]]);
  });

  test("interleaved scopes are independent of each other", async () => {
    const log: string[] = [];
    const [first, second] = [gate(), gate()];
    const one = scope(async (keep) => {
      keep(new Probe(log, "one 1"));
      await first.passed;
      keep(new Probe(log, "one 2"));
    });
    const two = scope(async (keep) => {
      keep(new Probe(log, "two 1"));
      await second.passed;
      scope((inner) => void inner(new Probe(log, "inside two")));
      keep(new Probe(log, "two 2"));
    });
    first.open();
    await one;
    expect(log).toEqual(["one 2", "one 1"]);
    second.open();
    await two;
    expect(log).toEqual(["one 2", "one 1", "inside two", "two 2", "two 1"]);
  });

  test("the result of an inner scope can be kept by the outer one", async () => {
    const before = liveBuffers();
    const total = await scope(async (keep) => {
      const made = keep(
        await scope(async (inner) => {
          inner(Tensor.zeros([8]));
          return inner(Tensor.arange(4));
        }),
      );
      expect(liveBuffers()).toBe(before + 1);
      return made.vec().at(3);
    });
    expect([total, liveBuffers()]).toEqual([3, before]);
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
});

test("the types of results and kept resources are preserved", () => {
  const number = scope(() => 3);
  isType<Equal<typeof number, number>>();
  const tensor = (): Tensor<"int32"> => scope((keep) => keep(Tensor.zeros([2], { dtype: "int32" })));
  isType<Equal<ReturnType<typeof tensor>, Tensor<"int32">>>();
  const later = (): Promise<Tensor<"float32">[]> => scope(async (keep) => [keep(Tensor.zeros([2]))]);
  isType<Equal<ReturnType<typeof later>, Promise<Tensor<"float32">[]>>>();
  const nested = () => scope((keep) => ({ a: keep(Tensor.zeros([2])), rest: [keep(null)] }));
  isType<Equal<ReturnType<typeof nested>, { a: Tensor<"float32">; rest: null[] }>>();
  const thenable = () => scope((): PromiseLike<string> => Promise.resolve("a"));
  isType<Equal<ReturnType<typeof thenable>, Promise<string>>>();
  const either = () => scope((): number | Promise<number> => 1);
  isType<Equal<ReturnType<typeof either>, number | Promise<number>>>();
  const never = () =>
    scope(() => {
      throw new Error("always");
    });
  isType<Equal<ReturnType<typeof never>, never>>();
  const generic = <T>(make: (keep: Keep) => T): T => scope(make);
  isType<Equal<ReturnType<typeof generic<string>>, string>>();
  const maybe = (keep: Keep, tensor: Tensor | null): Tensor | null => keep(tensor);
  isType<Equal<ReturnType<typeof maybe>, Tensor | null>>();
  // @ts-expect-error a number cannot be disposed
  expect(() => scope((keep) => keep(3))).toThrow();
  // @ts-expect-error a scope needs a callback
  expect(() => scope()).toThrow();
  expect(number).toBe(3);
});

/** The actions of one scope of the model at one of its turns. */
interface Step {
  readonly keeps: number;
  readonly returned: boolean;
}

test("model: many asynchronous scopes in any order dispose of exactly what they kept and did not return, in reverse order", async () => {
  const step = fc.record({ keeps: fc.nat(3), returned: fc.boolean() });
  const plan = fc.record({ steps: fc.array(step, { maxLength: 4 }), outcome: fc.constantFrom("return", "throw") });
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 4 }), fc.scheduler(), async (plans, scheduler) => {
      const logs = plans.map((): string[] => []);
      const expected: string[][] = [];
      const results = plans.map(async ({ steps, outcome }, id) => {
        const log = logs[id]!;
        const kept: [name: string, returned: boolean][] = [];
        const walk = async (keep: Keep, rest: readonly Step[], out: unknown[]): Promise<void> => {
          const next = rest[0];
          if (next === undefined) return;
          await scheduler.schedule(Promise.resolve(), `scope ${id}`);
          for (let i = 0; i < next.keeps; i++) {
            const name = `${id}.${kept.length}`;
            kept.push([name, next.returned]);
            const probe = keep(new Probe(log, name));
            if (next.returned) out.push([{ probe }]);
          }
          await walk(keep, rest.slice(1), out);
        };
        try {
          await scope(async (keep) => {
            const out: unknown[] = [];
            await walk(keep, steps, out);
            expect(log).toEqual([]);
            if (outcome === "throw") throw new Error(String(id));
            return out;
          });
          expect(outcome).toBe("return");
        } catch (error) {
          if ((error as Error).message !== String(id)) throw error;
        }
        expected[id] = kept
          .filter(([, returned]) => outcome === "throw" || !returned)
          .map(([name]) => name)
          .reverse();
      });
      await scheduler.waitAll();
      await Promise.all(results);
      expect(logs).toEqual(expected);
    }),
    { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 60 : 2000 },
  );
});
