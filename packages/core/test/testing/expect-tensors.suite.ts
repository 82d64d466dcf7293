/** expectEqual and expectClose: the inputs that pass, and the exact messages for those that do not. */
import { describe, expect, test } from "@jest/globals";
import { Tensor, TensorReference } from "@onebuffer/core";
import { expectClose, expectEqual } from "@onebuffer/core/testing";
import type { DType } from "@onebuffer/base";
import { iota, tensorMap } from "@onebuffer/eigen";
import { refusal } from "@onebuffer/test-support";

/** Returns the code and the message of the error that `act` throws. */
const failure = (act: () => void): [string, string] => {
  const { code, message } = refusal(act);
  return [code, message];
};

describe("both", () => {
  const matchers: [string, (x: Tensor, y: Tensor) => void][] = [
    ["expectEqual", expectEqual],
    ["expectClose", expectClose],
  ];
  test.each(matchers)("%s reports dtypes before shapes before elements", (name, matcher) => {
    using a = Tensor.ones([2, 3]);
    using b = Tensor.ones([2, 3], { dtype: "float64" });
    using c = Tensor.ones([3, 2]);
    expect(failure(() => matcher(a, b))).toEqual(["FAILED_PRECONDITION", `${name}: tensors have different dtypes (float32 vs float64)`]);
    expect(failure(() => matcher(a, c))).toEqual(["FAILED_PRECONDITION", `${name}: tensors have different shapes ([2,3] vs [3,2])`]);
    using scalar = Tensor.ones([]);
    using vector = Tensor.ones([1]);
    expect(failure(() => matcher(scalar, vector))[1]).toBe(`${name}: tensors have different shapes ([] vs [1])`);
  });

  test.each(matchers)("%s accepts NaN for NaN, an infinity for itself, -0 for 0, and two tensors without elements", (_, matcher) => {
    using a = Tensor.from([NaN, Infinity, -Infinity, 0, -0]);
    using b = Tensor.from([NaN, Infinity, -Infinity, -0, 0]);
    matcher(a, b);
    using none = Tensor.zeros([3, 0]);
    using other = Tensor.zeros([3, 0]);
    matcher(none, other);
    using opposite = Tensor.from([NaN, -Infinity, -Infinity, 0, 1]);
    const [code, message] = failure(() => matcher(a, opposite));
    expect(code).toBe("FAILED_PRECONDITION");
    expect(message).toMatch(
      /2 of 5 elements are not .*, float32 \[5\]\n {2}at \[1\]: Infinity is not .* to -Infinity.*\n {2}at \[4\]: -0 is not .* to 1/,
    );
    using numbers = Tensor.from([1, Infinity, -Infinity, 0, 0]);
    expect(failure(() => matcher(a, numbers))[1]).toMatch(/at \[0\]: NaN is not .* to 1$/);
  });

  test.each(matchers)("%s lists the first ten differences and counts the others", (_, matcher) => {
    using a = Tensor.zeros([4, 5]);
    using b = Tensor.ones([4, 5]);
    const lines = failure(() => matcher(a, b))[1].split("\n");
    expect(lines.length).toBe(12);
    expect(lines[0]).toContain("20 of 20 elements are");
    expect(lines[10]).toMatch(/^ {2}at \[1, 4\]: 0 is not/);
    expect(lines[11]).toBe("  and 10 more");
  });

  test.each(matchers)("%s accepts maps and expressions, and plain values as the expected side", (_, matcher) => {
    const map = tensorMap("float32", Float32Array.of(1, 2), [2]);
    const any = matcher as unknown as (x: unknown, y: unknown) => void;
    any(map, [1, 2]);
    any(map.mul(2), map.add(map));
    any(map.strided().reverse(), [2, 1]);
    any(iota("float32", [3]).sum(), 3);
    expect(failure(() => any(map, [1, 3]))[1]).toMatch(/1 of 2 elements is not .*\n {2}at \[1\]: 2 is not .* to 3/);
    expect(failure(() => any([1, 2], map))).toEqual(["INVALID_ARGUMENT", expect.stringContaining("a tensor, a map or an expression")]);
    expect(failure(() => any(map, [1, [2]]))[0]).toBe("INVALID_ARGUMENT");
    using tensor = Tensor.from([1, 2]);
    const reference = new TensorReference(tensor);
    expect(failure(() => any(reference, [1, 2]))[0]).toBe("INVALID_ARGUMENT");
    expect(failure(() => any(tensor, reference))[0]).toBe("INVALID_ARGUMENT");
    reference.unref();
  });

  test.each(matchers)("%s leaks no handle, and throws for a disposed tensor", (_, matcher) => {
    using a = Tensor.ones([2]);
    using b = Tensor.zeros([2]);
    refusal(() => matcher(a, b));
    expect([a.refCount, b.refCount]).toEqual([1, 1]);
    const gone = Tensor.ones([2]);
    gone.dispose();
    expect(failure(() => matcher(a, gone))[0]).toBe("FAILED_PRECONDITION");
  });
});

describe("expectEqual", () => {
  const steps: [DType, number, number, number][] = [
    ["float32", 1, 1 + 4 * 2 ** -23, 1 + 5 * 2 ** -23],
    ["float64", 1, 1 + 4 * 2 ** -52, 1 + 5 * 2 ** -52],
    ["float16", 1, 1 + 4 * 2 ** -10, 1 + 5 * 2 ** -10],
    ["float32", 2 ** -149, -3 * 2 ** -149, -4 * 2 ** -149],
    ["float64", -(2 ** -1074), 3 * 2 ** -1074, 4 * 2 ** -1074],
  ];
  test.each(steps)("%s %p: four steps are equal, five are not, none with ulps 0", (dtype, x, near, far) => {
    using a = Tensor.full([2], x, { dtype } as { dtype: "float32" });
    expectEqual(a, [x, near]);
    expectEqual(a, [near, x]);
    expect(failure(() => expectEqual(a, [x, far]))[1]).toMatch(
      /1 of 2 elements is not equal, .*\n {2}at \[1\]: .* is not equal to .*, 5 ulps apart$/,
    );
    expectEqual(a, [x, far], { ulps: 5 });
    expectEqual(a, [x, x], { ulps: 0 });
    expect(failure(() => expectEqual(a, [x, near], { ulps: 0 }))[1]).toContain("4 ulps apart");
  });

  test("complex numbers are compared part by part", () => {
    using z = Tensor.from([[1, 2]], { dtype: "complex64" });
    expectEqual(z, [[1 + 2 ** -21, 2 - 2 ** -22]]);
    expect(failure(() => expectEqual(z, [[1, 3]]))[1]).toContain("at [0]: (1, 2) is not equal to (1, 3)");
    expect(failure(() => expectEqual(z, [[0, 2]]))[1]).toContain("(0, 2)");
  });

  test("quirks: bfloat16 is compared exactly; the largest float is one step from Infinity", () => {
    using b = Tensor.ones([1], { dtype: "bfloat16" });
    expectEqual(b, [1]);
    expect(failure(() => expectEqual(b, [1 + 2 ** -7]))[1]).toContain("1 is not equal to 1.0078125");
    using large = Tensor.full([1], (2 - 2 ** -23) * 2 ** 127);
    expectEqual(large, [Infinity]);
    expect(failure(() => expectEqual(large, [Infinity], { ulps: 0 }))[1]).toContain("1 ulps apart");
  });

  test("integers, bools and strings are compared exactly", () => {
    using words = Tensor.from(["a", "é"]);
    expectEqual(words, ["a", "é"]);
    expect(failure(() => expectEqual(words, ["a", "e"]))[1]).toContain('at [1]: "é" is not equal to "e"');
    using raw = Tensor.from([Uint8Array.of(255)], { dtype: "string" });
    expect(failure(() => expectEqual(raw, [""]))[1]).toContain('bytes [255] is not equal to ""');
    using big = Tensor.from([2n ** 62n]);
    expectEqual(big, [2n ** 62n]);
    expect(failure(() => expectEqual(big, [2n ** 62n + 1n]))[1]).toContain("4611686018427387904 is not equal to 4611686018427387905");
    using flags = Tensor.from([true, false]);
    expect(failure(() => expectEqual(flags, [true, true]))[1]).toContain("at [1]: false is not equal to true");
  });

  test("compares an int64 slice in the middle of a buffer, and bytes at an odd offset", () => {
    using t = Tensor.arange(6, undefined, 1, { dtype: "int64" });
    using middle = t.slice(2, 4);
    expectEqual(middle, [2n, 3n]);
    using bytes = Tensor.from(Uint8Array.of(9, 0, 0, 128, 63));
    using part = bytes.slice(1, 5);
    using one = new Tensor("float32", [1]);
    one.bitcastFrom(part, "float32", [1]);
    expectEqual(one, [1]);
  });

  test("refuses wrong arguments with INVALID_ARGUMENT", () => {
    using variants = new Tensor("variant", [1]);
    expect(failure(() => expectEqual(variants, variants))).toEqual(["INVALID_ARGUMENT", expect.stringContaining("variant")]);
    using t = Tensor.ones([1]);
    expect(failure(() => expectEqual(t, t, { ulps: -1 }))).toEqual(["INVALID_ARGUMENT", expect.stringContaining("-1")]);
    expect(failure(() => expectEqual(t, t, { ulps: NaN }))[0]).toBe("INVALID_ARGUMENT");
  });
});

describe("expectClose", () => {
  const epsilons: [DType, number][] = [
    ["float16", 2 ** -10],
    ["bfloat16", 2 ** -7],
    ["float32", 2 ** -23],
    ["float64", 2 ** -52],
  ];
  test.each(epsilons)("%s: the default tolerances are five epsilons, absolute and relative", (dtype, epsilon) => {
    using one = Tensor.ones([1], { dtype } as { dtype: "float32" });
    expectClose(one, [1 + 10 * epsilon]);
    expect(failure(() => expectClose(one, [1 + 11 * epsilon]))[1]).toContain(`they differ by ${11 * epsilon}, allowed is ${10 * epsilon}`);
    using none = Tensor.zeros([1], { dtype } as { dtype: "float32" });
    expectClose(none, [5 * epsilon]);
    expect(failure(() => expectClose(none, [6 * epsilon]))[0]).toBe("FAILED_PRECONDITION");
  });

  test("the tolerance scales with the first argument; NumPy's scales with the second", () => {
    using ten = Tensor.full([1], 10);
    using eleven = Tensor.full([1], 11);
    expectClose(eleven, ten, { atol: 0, rtol: 0.095 });
    expect(failure(() => expectClose(ten, eleven, { atol: 0, rtol: 0.095 }))[1]).toContain(
      "at [0]: 10 is not close to 11: they differ by 1, allowed is 0.95",
    );
    expectClose(ten, eleven, { atol: 1, rtol: 0 });
    expect(failure(() => expectClose(ten, eleven, { atol: 0.5, rtol: 0 }))[0]).toBe("FAILED_PRECONDITION");
  });

  test("complex numbers are compared part by part", () => {
    using z = Tensor.from([[3, -4]], { dtype: "complex128" });
    expectClose(z, [[3.1, -4.1]], { atol: 0.11 });
    expect(failure(() => expectClose(z, [[3.1, -4.2]], { atol: 0.11 }))[1]).toContain("(3, -4) is not close to (3.1, -4.2)");
  });

  test("refuses wrong arguments with INVALID_ARGUMENT", () => {
    using whole = Tensor.ones([1], { dtype: "int32" });
    expect(failure(() => expectClose(whole, whole))).toEqual([
      "INVALID_ARGUMENT",
      "expectClose: elements of int32 have no tolerance, use expectEqual",
    ]);
    using t = Tensor.ones([1]);
    expect(failure(() => expectClose(t, t, { atol: -1 }))).toEqual(["INVALID_ARGUMENT", expect.stringContaining("atol -1")]);
    expect(failure(() => expectClose(t, t, { rtol: NaN }))).toEqual(["INVALID_ARGUMENT", expect.stringContaining("rtol NaN")]);
  });
});

test("ten wrong elements are all shown, and of eleven the last is counted", () => {
  const tensors = (length: number) => [Tensor.zeros([length]), Tensor.ones([length])] as const;
  for (const [length, end] of [
    [10, "at [9]: 0 is not equal to 1"],
    [11, "and 1 more"],
  ] as const) {
    const [zeros, ones] = tensors(length);
    const [, message] = failure(() => expectEqual(zeros, ones));
    expect(message.split("\n").at(-1)).toContain(end);
    zeros.dispose();
    ones.dispose();
  }
  expect(failure(() => expectEqual(iota("float32", [1]), [0], { ulp: 1 } as never))[1]).toContain("expectEqual");
});
