// Tests of bufferLedger: the optional record of live buffers and of calls after the last unref.
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { bufferLedger } from "@onebuffer/allocator/internal";
import { cpuAllocator } from "@onebuffer/allocator";
import { Buffer, concat, ForeignBuffer, scope, SubBuffer, Tensor, TensorReference } from "@onebuffer/core";
import { expectMistakes, refusal, thrown } from "@onebuffer/test-support";
import { collectUntil } from "@onebuffer/test-support/run-gc";

function makeForgotten(): Buffer {
  return new Buffer("float32", cpuAllocator(), 6);
}

describe("BufferLedger", () => {
  beforeEach(() => bufferLedger.enable());
  afterEach(() => bufferLedger.disable());

  test("lists live buffers with their counts and creation stacks, oldest first", () => {
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
  ])("the recorded stack includes the caller of the factory: %s", (_name, make) => {
    function callerOfFactory(): Tensor {
      return make();
    }
    const tensor = callerOfFactory();
    const held = bufferLedger.held();
    tensor.dispose();
    expect(held.map(({ stack }) => stack)).toEqual([expect.stringContaining("callerOfFactory")]);
  });

  test("assertEmpty names every live buffer and where it was made", () => {
    const buffer = makeForgotten();
    const error = thrown(() => bufferLedger.assertEmpty());
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(String(error)).toMatch(/1 buffers or references are still held:.*#1 Buffer of 24 bytes, 1 held.*makeForgotten/s);
    buffer.unref();
  });

  test("keeps no buffer alive: a dropped buffer is collected and still listed with its creation stack", async () => {
    (function forget(): void {
      for (let i = 0; i < 3; i++) void new SubBuffer(makeForgotten(), 1, 2, 4).typedArray("float32");
    })();
    await collectUntil(() => bufferLedger.held().every((entry) => entry.collected));
    const held = bufferLedger.held();
    expect(held.map(({ refs, collected }) => [refs, collected])).toEqual(Array.from({ length: 6 }, () => [0, true]));
    expect(held[0]!.stack).toMatch(/makeForgotten.*forget/s);
    expect(String(thrown(() => bufferLedger.assertEmpty()))).toContain("Buffer of 24 bytes, dropped");
    bufferLedger.disable();
  });

  test("restores Error.prepareStackTrace and Error.stackTraceLimit", () => {
    const before = [Error.prepareStackTrace, Error.stackTraceLimit];
    makeForgotten().unref();
    expect([Error.prepareStackTrace, Error.stackTraceLimit]).toEqual(before);
  });

  test("lists a TensorReference that was never released", () => {
    const buffer = makeForgotten();
    const reference = new TensorReference({ buffer });
    buffer.unref();
    expect(bufferLedger.held().map((entry) => entry.name)).toEqual(["Buffer of 24 bytes", "TensorReference on Buffer of 24 bytes"]);
    reference.unref();
  });

  test("records a double unref with the stacks that made and freed the object", () => {
    expectMistakes();
    const buffer = makeForgotten();
    const reference = new TensorReference({ buffer });
    (function freeIt(): void {
      reference.unref();
      buffer.unref();
    })();
    thrown(function freeTwice(): void {
      buffer.unref();
    });
    thrown(() => reference.unref());
    const [first, second] = bufferLedger.mistakes();
    expect(first).toMatchObject({ kind: "double unref", call: "unref", name: "Buffer of 24 bytes" });
    expect(first!.madeAt).toContain("makeForgotten");
    expect(first!.freedAt).toContain("freeIt");
    expect(first!.stack).toContain("freeTwice");
    expect(second).toMatchObject({ kind: "double unref", name: "TensorReference on Buffer of 24 bytes" });
    expect(second!.freedAt).toContain("freeIt");
  });

  test("records accesses after the last unref", () => {
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

  test("does not list buffers made before enable, but records mistakes on them", () => {
    expectMistakes();
    bufferLedger.disable();
    const buffer = makeForgotten();
    bufferLedger.enable();
    expect(bufferLedger.held()).toEqual([]);
    buffer.unref();
    thrown(() => buffer.unref());
    expect(bufferLedger.mistakes()).toMatchObject([{ kind: "double unref", madeAt: "", freedAt: "" }]);
  });

  test("without stacks it lists the same buffers and mistakes, and where the wrong call was", () => {
    expectMistakes();
    bufferLedger.enable({ stacks: false });
    const buffer = makeForgotten();
    expect(bufferLedger.held()).toMatchObject([{ name: "Buffer of 24 bytes", refs: 1, stack: "" }]);
    buffer.unref();
    (function touchFreed(): void {
      thrown(() => buffer.bytes());
    })();
    expect(bufferLedger.mistakes()).toMatchObject([{ kind: "touch after free", madeAt: "", freedAt: "" }]);
    expect(bufferLedger.mistakes()[0]!.stack).toContain("touchFreed");
    expect(refusal(() => bufferLedger.enable({ stack: false } as never)).message).toContain("unknown option");
  });

  test("records nothing while disabled", () => {
    bufferLedger.disable();
    const buffer = makeForgotten();
    buffer.unref();
    thrown(() => buffer.unref());
    expect([bufferLedger.enabled, bufferLedger.held(), bufferLedger.mistakes()]).toEqual([false, [], []]);
  });

  test("enable empties the list", () => {
    const buffer = makeForgotten();
    bufferLedger.enable();
    expect(bufferLedger.held()).toEqual([]);
    buffer.unref();
    bufferLedger.assertEmpty();
  });
});
