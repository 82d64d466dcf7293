// scope: kept resources are disposed at its end and returned ones are not. Types of results are preserved.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { Keep } from "@onebuffer/core";
import { liveBuffers, RefCountPtr } from "@onebuffer/allocator";
import { scope, Tensor } from "@onebuffer/core";
import { thrown } from "@onebuffer/test-support";
import { Probe } from "./probe.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isType = <T extends true>(_?: T): void => undefined;

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
