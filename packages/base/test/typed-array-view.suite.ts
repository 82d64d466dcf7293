// Tests that a caller's typed arrays are read by their internal slots, not by properties that the caller can change.
import { describe, expect, test } from "@jest/globals";
import { elementCodec } from "@onebuffer/base";
import { plainTypedArray, shownValue, typedArrayKind, typedArrayLength, viewPlace } from "@onebuffer/base/internal";
import { runInNewContext } from "node:vm";
import { expectStatus } from "@onebuffer/test-support";

class LyingArray extends Float32Array {
  override get length(): number {
    return 1e9;
  }
  override get byteLength(): number {
    return 4e9;
  }
  override get byteOffset(): number {
    return 12345;
  }
  override get [Symbol.toStringTag](): "Float32Array" {
    throw new Error("foreign code ran");
  }
}

const owning = (): Float32Array => {
  const array = new Float32Array(3);
  for (const key of ["length", "byteLength", "byteOffset"]) Object.defineProperty(array, key, { value: 99 });
  return array;
};

const cases: readonly [string, () => ArrayBufferView, number, number][] = [
  ["a plain array", () => new Float32Array(new ArrayBuffer(16), 4, 2), 2, 4],
  ["a subclass with a wrong length", () => new LyingArray(new ArrayBuffer(16), 4, 2), 2, 4],
  ["own properties that lie", owning, 3, 0],
  ["an array of another realm", () => runInNewContext("new Float32Array(new ArrayBuffer(16), 8)") as Float32Array, 2, 8],
];

describe.each(cases)("%s", (_, make, length, byteOffset) => {
  test("is read by its internal slots", () => {
    const array = make();
    expect([typedArrayKind(array), typedArrayLength(array)]).toEqual(["Float32Array", length]);
    const place = viewPlace(array);
    expect([place.byteOffset, place.byteLength]).toEqual([byteOffset, 4 * length]);
    expect(shownValue(array)).toBe("[object Float32Array]");
  });

  test("plainTypedArray returns a plain array over the same memory", () => {
    const array = make() as Float32Array;
    const plain = plainTypedArray(array);
    expect([plain.length, plain.byteOffset, Object.getPrototypeOf(plain) === Float32Array.prototype]).toEqual([length, byteOffset, true]);
    plain[0] = 7;
    expect(array[0]).toBe(7);
  });
});

test("plainTypedArray returns a plain array unchanged, and a new array for a Node Buffer", () => {
  const array = new Int8Array(2);
  expect(plainTypedArray(array)).toBe(array);
  const plain = plainTypedArray(Buffer.from([1, 2]));
  expect([Object.getPrototypeOf(plain) === Uint8Array.prototype, [...plain]]).toEqual([true, [1, 2]]);
});

const proxy = new Proxy(new Float32Array(2), {});
const revoked = (): object => {
  const { proxy: gone, revoke } = Proxy.revocable([], {});
  revoke();
  return gone;
};

test.each<[string, unknown]>([
  ["a Proxy", proxy],
  ["a revoked Proxy", revoked()],
  ["an array", [1]],
  ["a forged tag", { [Symbol.toStringTag]: "Float32Array", length: 3 }],
  ["the prototype", Object.create(Float32Array.prototype)],
  ["null", null],
  ["a DataView", new DataView(new ArrayBuffer(8))],
])("%s is not a typed array", (_, value) => {
  expect(typedArrayKind(value)).toBe("");
  expectStatus(() => typedArrayLength(value), "INVALID_ARGUMENT", "typed array");
  expectStatus(() => plainTypedArray(value as Float32Array), "INVALID_ARGUMENT", "typed array");
  if (!ArrayBuffer.isView(value)) expectStatus(() => viewPlace(value), "INVALID_ARGUMENT", "typed array or DataView");
});

test("detached arrays and views have no bytes, and plainTypedArray refuses them", () => {
  const array = new Float32Array(4);
  const view = new DataView(array.buffer, 4);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  expect([typedArrayLength(array), viewPlace(array).byteLength, viewPlace(view).byteLength]).toEqual([0, 0, 0]);
  expectStatus(() => plainTypedArray(array), "FAILED_PRECONDITION", "detached");
  expectStatus(() => elementCodec("int8").read(view, 0), "FAILED_PRECONDITION", "detached");
});
