// Tests of how buffers construct and destroy elements that are JavaScript values.
import { describe, expect, test } from "@jest/globals";
import { RefCounted } from "@onebuffer/allocator";
import { Buffer, HostScalarTensorBuffer, ResourceHandle, SubBuffer, Tensor, Variant } from "@onebuffer/core";
import { elementLifecycle, kObjectElementSize } from "@onebuffer/core/internal";
import type { VariantValue } from "@onebuffer/core";
import { CountingMemory, expectMistakes, thrown } from "@onebuffer/test-support";

/** Returns a variant value whose dispose appends `name` to a log, and then throws if `fails`. */
function watched(log: string[], name: string, fails = false): VariantValue {
  return {
    typeName: "Watched",
    dispose: () => {
      log.push(name);
      if (fails) throw new Error(name);
    },
  };
}

describe("elements of object dtypes", () => {
  test("are constructed by default, a separate object for each element", () => {
    const variants = new Buffer("variant", new CountingMemory(), 2);
    const [a, b] = variants.elements as [Variant, Variant];
    expect([a.isEmpty(), a === b, a.constructor]).toEqual([true, false, Variant]);
    variants.unref();
    const resources = new Buffer("resource", new CountingMemory(), 1);
    expect((resources.elements as [ResourceHandle])[0].name).toBe("");
    resources.unref();
  });

  test("are destroyed once, in order, at the last unref", () => {
    expectMistakes();
    const log: string[] = [];
    const buffer = new Buffer("variant", new CountingMemory(), 3);
    (buffer.elements as Variant[]).forEach((variant, i) => variant.emplace(watched(log, `value ${i}`)));
    const window = new SubBuffer(buffer, 1, 1, kObjectElementSize.variant);
    buffer.unref();
    expect(log).toEqual([]);
    window.unref();
    expect(log).toEqual(["value 0", "value 1", "value 2"]);
    thrown(() => buffer.unref());
    expect(log.length).toBe(3);
  });

  test("release the reference on a ref-counted resource", () => {
    class Variable extends RefCounted {}
    const variable = new Variable();
    variable.ref();
    const buffer = new Buffer("resource", new CountingMemory(), 2);
    buffer.elements![1] = ResourceHandle.makeRefCountingHandle(variable);
    expect(variable.refs).toBe(2);
    buffer.unref();
    expect(variable.refs).toBe(1);
    using handle = ResourceHandle.makeRefCountingHandle(variable);
    const scalar = new HostScalarTensorBuffer("resource", handle);
    expect(variable.refs).toBe(2);
    handle.dispose();
    expect(variable.refs).toBe(1);
    scalar.unref();
    expect(variable.refs).toBe(0);
  });

  test("if destructors throw, all elements are destroyed, the bytes are freed and the first error is thrown", () => {
    const log: string[] = [];
    const allocator = new CountingMemory();
    const buffer = new Buffer("variant", allocator, 3);
    (buffer.elements as Variant[]).forEach((variant, i) => variant.emplace(watched(log, `value ${i}`, i < 2)));
    expect(() => buffer.unref()).toThrow("value 0");
    expect([log, allocator.live.size, buffer.refs]).toEqual([["value 0", "value 1", "value 2"], 0, 0]);
  });

  test("have TensorFlow's sizes", () => {
    expect([elementLifecycle("string").size, elementLifecycle("variant").size, elementLifecycle("resource").size]).toEqual([24, 64, 168]);
  });

  // Up to 64 characters of ASCII are encoded by a loop.
  test.each([0, 1, 63, 64, 65, 200])("texts of %d characters, ASCII or not, are UTF-8", (length) => {
    for (const last of ["", "\x7f", "\x80", "é", "€", "😀", "\ud800"]) {
      const text = "a".repeat(length) + last;
      using scalar = Tensor.from([text, new TextEncoder().encode(text)]);
      const [found, wanted] = scalar.vec().toArray() as Uint8Array[];
      expect([length, last, [...found!]]).toEqual([length, last, [...wanted!]]);
      expect([...wanted!]).toEqual([...new TextEncoder().encode(text)]);
    }
  });
});
