import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { bufferLedger, cpuAllocator } from "@onebuffer/allocator";
import { Buffer, concat, ForeignBuffer, scope, SubBuffer, Tensor, TensorReference } from "@onebuffer/core";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expectMistakes, thrown } from "@onebuffer/test-support";

beforeEach(() => bufferLedger.enable());
afterEach(() => bufferLedger.disable());

function makeForgotten(): Buffer {
  return new Buffer("float32", cpuAllocator(), 6);
}

describe("BufferLedger", () => {
  test("lists what is held, with the count and the stack that made it, oldest first", () => {
    const root = makeForgotten();
    const slice = new SubBuffer(root, 1, 2, 4);
    const foreign = new ForeignBuffer(new Uint8Array(3));
    const reference = new TensorReference({ buffer: slice });
    expect(bufferLedger.held().map(({ serial, name, refs, collected }) => [serial, name, refs, collected])).toEqual([
      [1, "Buffer of 24 bytes", 3, false],
      [2, "SubBuffer of 8 bytes", 1, false],
      [3, "ForeignBuffer of 3 bytes", 1, false],
      [4, "TensorReference on Buffer of 24 bytes", 1, false],
    ]);
    expect(bufferLedger.held()[0]!.stack).toContain("makeForgotten");
    for (const holder of [root, slice, foreign, reference]) holder.unref();
    expect(bufferLedger.held()).toEqual([]);
    bufferLedger.assertEmpty();
    expect(bufferLedger.mistakes()).toEqual([]);
  });

  test.each<[name: string, make: () => Tensor]>([
    ["from", () => Tensor.from([[1, 2]], { dtype: "int32" })],
    ["arange", () => Tensor.arange(3)],
    ["random", () => Tensor.random([2, 2])],
    ["concat", () => scope((keep) => concat([keep(Tensor.zeros([1])), keep(Tensor.zeros([1]))]))],
    ["text", () => Tensor.from(["a"])],
  ])("a stack reaches the caller of the factories: %s", (_name, make) => {
    function callerOfFactory(): Tensor {
      return make();
    }
    const tensor = callerOfFactory();
    const held = bufferLedger.held();
    tensor.dispose();
    expect(held.map(({ stack }) => stack)).toEqual([expect.stringContaining("callerOfFactory")]);
  });

  test("assertEmpty names every one that is held and where it was made", () => {
    const buffer = makeForgotten();
    const error = thrown(() => bufferLedger.assertEmpty());
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(String(error)).toMatch(/1 buffers.*#1 Buffer of 24 bytes, 1 held.*makeForgotten/s);
    buffer.unref();
  });

  test("keeps nothing alive: what was forgotten is collected, and still listed with the place that made it", async () => {
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    (function forget(): void {
      for (let i = 0; i < 3; i++) void new SubBuffer(makeForgotten(), 1, 2, 4).typedArray("float32");
    })();
    for (let i = 0; i < 20 && bufferLedger.held().some((entry) => !entry.collected); i++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      gc();
    }
    const held = bufferLedger.held();
    expect(held.map(({ refs, collected }) => [refs, collected])).toEqual(Array.from({ length: 6 }, () => [0, true]));
    expect(held[0]!.stack).toMatch(/makeForgotten.*forget/s);
    expect(String(thrown(() => bufferLedger.assertEmpty()))).toContain("Buffer of 24 bytes, dropped");
    bufferLedger.disable();
  });

  test("leaves the engine's way of writing stacks as it found it", () => {
    const before = [Error.prepareStackTrace, Error.stackTraceLimit];
    makeForgotten().unref();
    expect([Error.prepareStackTrace, Error.stackTraceLimit]).toEqual(before);
  });

  test("finds a forgotten reference", () => {
    const buffer = makeForgotten();
    const reference = new TensorReference({ buffer });
    buffer.unref();
    expect(bufferLedger.held().map((entry) => entry.name)).toEqual(["Buffer of 24 bytes", "TensorReference on Buffer of 24 bytes"]);
    reference.unref();
  });

  test("finds double unrefs and tells where the object was made and freed", () => {
    expectMistakes();
    const buffer = makeForgotten();
    const reference = new TensorReference({ buffer });
    (function freeIt(): void {
      reference.unref();
      buffer.unref();
    })();
    thrown(() => buffer.unref());
    thrown(() => reference.unref());
    const [first, second] = bufferLedger.mistakes();
    expect(first).toMatchObject({ kind: "double unref", call: "unref", name: "Buffer of 24 bytes" });
    expect(first!.madeAt).toContain("makeForgotten");
    expect(first!.freedAt).toContain("freeIt");
    expect(first!.stack).toContain("buffer-ledger.test");
    expect(second).toMatchObject({ kind: "double unref", name: "TensorReference on Buffer of 24 bytes" });
    expect(second!.freedAt).toContain("freeIt");
  });

  test("finds touches after the end", () => {
    expectMistakes();
    const buffer = makeForgotten();
    buffer.unref();
    for (const touch of [() => buffer.ref(), () => buffer.bytes(), () => buffer.typedArray("int8"), () => new SubBuffer(buffer, 0, 1)])
      thrown(touch);
    expect(bufferLedger.mistakes().map(({ kind, call }) => [kind, call])).toEqual([
      ["touch after free", "ref"],
      ["touch after free", "bytes"],
      ["touch after free", "typedArray"],
      ["touch after free", "ref"],
    ]);
  });

  test("does not watch what was made before, but notes mistakes on it", () => {
    expectMistakes();
    bufferLedger.disable();
    const buffer = makeForgotten();
    bufferLedger.enable();
    expect(bufferLedger.held()).toEqual([]);
    buffer.unref();
    thrown(() => buffer.unref());
    expect(bufferLedger.mistakes()).toMatchObject([{ kind: "double unref", madeAt: "", freedAt: "" }]);
  });

  test("writes nothing while it is off", () => {
    bufferLedger.disable();
    const buffer = makeForgotten();
    buffer.unref();
    thrown(() => buffer.unref());
    expect([bufferLedger.enabled, bufferLedger.held(), bufferLedger.mistakes()]).toEqual([false, [], []]);
  });

  test("enable and disable empty the books", () => {
    const buffer = makeForgotten();
    bufferLedger.enable();
    expect(bufferLedger.held()).toEqual([]);
    buffer.unref();
    bufferLedger.assertEmpty();
  });
});
