// Jest's runner knows the test that runs without hooks on promises (jest-test-owner.js).
import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { expect, test } from "@jest/globals";
import { replaceStorage, SequentialStorage } from "../jest-test-owner.js";

const later = (value) => new Promise((resolve) => setTimeout(resolve, 1, value));

test("a store is current until the callback's promise is settled, in nested runs too", async () => {
  const storage = new SequentialStorage();
  const seen = [];
  const see = () => seen.push(storage.getStore());
  await storage.run("test", async () => {
    await storage.run("hook", () => later().then(see));
    await later();
    see();
    await expect(storage.run("failing hook", () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    see();
    expect(() =>
      storage.run("throws", () => {
        throw new Error("at once");
      }),
    ).toThrow("at once");
    see();
    expect(storage.run("returns", () => storage.getStore())).toBe("returns");
    see();
  });
  see();
  expect(seen).toEqual(["hook", "test", "test", "test", "test", undefined]);
});

test("tests have the storage of Node, which passes stores along promises", async () => {
  const storage = new AsyncLocalStorage();
  const reads = storage.run(1, () => later().then(() => storage.getStore()));
  expect([storage.getStore(), await reads]).toEqual([undefined, 1]);
});

test("modules get the other storage only until it is restored", () => {
  const hooks = createRequire(import.meta.url)("node:async_hooks");
  const restore = replaceStorage();
  try {
    expect(hooks.AsyncLocalStorage).toBe(SequentialStorage);
  } finally {
    restore();
  }
  expect(hooks.AsyncLocalStorage).not.toBe(SequentialStorage);
});
