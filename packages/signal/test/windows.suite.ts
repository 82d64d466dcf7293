// Windows against their formulas.
import { expect, test } from "@jest/globals";
import { evaluate } from "@onebuffer/eigen";
import { hannWindow } from "@onebuffer/signal";

test.each([0, 1, 2, 3, 8, 9, 100, 101])("a Hann window of %d elements", (length) => {
  for (const periodic of [true, false]) {
    const period = periodic && length % 2 === 0 ? length : length - 1;
    const wanted = Array.from({ length }, (_, i) => (length === 1 ? 1 : 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / period)));
    const given = evaluate(hannWindow(length, { periodic, dtype: "float64" })).toArray();
    expect(given.length).toBe(length);
    given.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 14));
  }
});

test.each([
  ["a negative length", () => hannWindow(-1)],
  ["a length of 16 GB", () => hannWindow(2 ** 31 - 1)],
  ["a length that is a BigInt", () => hannWindow(10n as never)],
  ["a length that is a symbol", () => hannWindow(Symbol("s") as never)],
  ["half an element", () => hannWindow(1.5)],
  ["another period", () => hannWindow(4, { periodic: 1 as never })],
  ["an integer dtype", () => hannWindow(4, { dtype: "int32" as never })],
  ["an unknown option", () => hannWindow(4, { symmetric: true } as never)],
])("%s is refused", (_, call) => {
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});
