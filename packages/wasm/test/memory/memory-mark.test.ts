// The mark by which copies of the library in one thread use one memory.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { LinearMemory, linearMemory } from "@onebuffer/wasm";
import { memoryMarkOn } from "@onebuffer/wasm/internal";

const kSymbol = Symbol.for("onebuffer.linearMemory");

/** A copy of the library in a thread. */
const copyIn = (thread: object): LinearMemory => new LinearMemory({ mark: memoryMarkOn(thread) });

const codeOf = (act: () => unknown): unknown => {
  try {
    return void act();
  } catch (error) {
    return isStatusError(error) ? error.code : error;
  }
};

describe("two copies of the library in one thread", () => {
  test("the second one draws on the memory of the first", () => {
    const thread = {};
    const [first, second] = [copyIn(thread), copyIn(thread)];
    expect([first.isOffered, second.isOffered]).toEqual([false, false]);
    first.buffer;
    expect([first.isOffered, second.isOffered]).toEqual([false, true]);
    expect([second.isConstructed, second.buffer === first.buffer, second.byteLength]).toEqual([false, true, first.byteLength]);
    expect([first.reserve(1024), second.reserve(256), first.reserve(256)]).toEqual([65536, 66560, 66816]);
    expect(Object.keys(thread)).toEqual([]);
  });

  test("the memory need not be shared", () => {
    const thread = {};
    memoryMarkOn(thread).write({ buffer: new ArrayBuffer(131072), grow: () => -1 });
    const [first, second] = [copyIn(thread), copyIn(thread)];
    expect([first.isShared, first.reserve(256), second.reserve(256)]).toEqual([false, 65536, 65792]);
  });

  test("a memory that was joined is the one of later copies, and no copy can join another", () => {
    const thread = {};
    const [first, second] = [copyIn(thread), copyIn(thread)];
    const posted = new LinearMemory().memory;
    first.join(posted);
    expect(codeOf(() => second.join(new LinearMemory().memory))).toBe("FAILED_PRECONDITION");
    expect(second.isConstructed).toBe(false);
    second.join(posted);
    expect(second.buffer).toBe(first.buffer);
  });

  test("of versions with another layout: FAILED_PRECONDITION at every use, and nothing is made", () => {
    const thread = { [kSymbol]: { version: 0, memory: new LinearMemory().memory } };
    const copy = copyIn(thread);
    expect([copy.isAvailable, copy.isConstructed]).toEqual([false, false]);
    for (const use of [() => copy.buffer, () => copy.reserve(256), () => copy.join(new LinearMemory().memory)])
      expect(codeOf(use)).toBe("FAILED_PRECONDITION");
    expect(() => copy.buffer).toThrow(/two versions of onebuffer.*npm ls onebuffer/);
  });

  test("a thread whose global object is frozen has a memory for each copy", () => {
    const thread = Object.freeze({});
    expect(copyIn(thread).buffer).not.toBe(copyIn(thread).buffer);
  });

  test("the library's own memory is marked on globalThis; a separate one is not", () => {
    const { memory } = linearMemory();
    expect((globalThis as unknown as Record<symbol, unknown>)[kSymbol]).toEqual({ version: 1, memory });
    expect(new LinearMemory().buffer).not.toBe(memory.buffer);
  });
});
