// Tests the text of slices: the grammar, limits of numbers, and hostile texts.
import { describe, expect, test } from "@jest/globals";
import { TensorSlice } from "@onebuffer/slice";
import fc from "fast-check";
import { anySlice } from "./arbitraries.ts";
import { expectStatus, statusErrorsOnly, stopwatch } from "@onebuffer/test-support";

const kMax = Number.MAX_SAFE_INTEGER;

describe("the grammar", () => {
  const good: [text: string, debug: string][] = [
    ["", ""],
    [":", ""],
    ["-", "-"],
    ["::-:", "-"],
    [":::-", "-"],
    ["-::-", "-:-"],
    ["0,10:14,1", "0,10:14,1"],
    ["1,,2", "1,2"],
    [",1,,2,", "1,2"],
    [" 1,2", "1,2"],
    ["1 ,2 ", "1,2"],
    ["1,\t\n\v\f\r 2", "1,2"],
    ["+1,+2", "1,2"],
    ["00,01", "0,1"],
    ["-0,1", "0,1"],
    [`${"0".repeat(400)}7,1`, "7,1"],
    [`${kMax - 1},1`, `${kMax - 1},1`],
    [`0,${kMax}`, `0,${kMax}`],
  ];
  test.each(good)("%j parses as %j", (text, debug) => {
    expect(TensorSlice.parse(text).debugString()).toBe(debug);
  });

  const noPair = [
    ["1", "1,2,3", "a,b", "1.0,2", "0x1,2", "1;2", " -", "- ", "--", "1,2 3", "1,+-2", "1,+", "1, "],
    ["1,-", "1e3,2", "1_000,2", "٣,1", "1,2\u00a0", ",", "1,\0"],
  ].flat();
  test.each(noPair)("%j is not a pair of numbers", (text) => {
    expectStatus(
      () => TensorSlice.parse(text),
      "INVALID_ARGUMENT",
      `Expected a pair of numbers or '-' but got '${text}': string = ${text}`,
    );
    expectStatus(() => TensorSlice.parse(`-:${text}:1,1`), "INVALID_ARGUMENT", `but got '${text}': string = -:${text}:1,1`);
  });

  test.each(["19223372036854775808,1", "1,9223372036854775808", "-9223372036854775809,1", `1,${"9".repeat(5000)}`])(
    "%.40s… lies beyond int64",
    (text) => {
      expectStatus(() => TensorSlice.parse(text), "INVALID_ARGUMENT", `but got '${text}'`);
    },
  );

  test.each([
    ["1,-1", 1, -1],
    ["-1,3", -1, 3],
    ["0,0", 0, 0],
    ["-9223372036854775808,1", "-9223372036854775808", 1],
    ["0,-9223372036854775808", 0, "-9223372036854775808"],
  ])("%s has a bad start or length", (text, start, length) => {
    expectStatus(
      () => TensorSlice.parse(text),
      "INVALID_ARGUMENT",
      `Expected non-negative start and positive length but got start = ${start}, length = ${length}: string = ${text}`,
    );
  });

  const large = [
    "9223372036854775806,1",
    "9007199254740992,1",
    "0,9007199254740992",
    "1,9223372036854775807",
    `1,${kMax}`,
    `${kMax},1`,
    `${kMax},${kMax}`,
  ];
  test.each(large)("%s is refused, not rounded", (text) => {
    expectStatus(() => TensorSlice.parse(text), "INVALID_ARGUMENT", ...text.split(","), kMax);
  });
});

test("-0 parses as 0", () => {
  expect(Object.is(TensorSlice.parse("-0,1").start(0), 0)).toBe(true);
});

test("parse reads what debugString writes", () => {
  fc.assert(
    fc.property(anySlice, (slice) => {
      const again = TensorSlice.parse(slice.debugString());
      expect(again.equals(slice)).toBe(true);
    }),
  );
});

test("numbers are parsed like BigInt", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), fc.nat(3), fc.constantFrom("", " ", "\t"), (value, zeros, space) => {
      const digits = `${"0".repeat(zeros)}${value < 0n ? -value : value}`;
      const slice = statusErrorsOnly(() => TensorSlice.parse(`${space}${value < 0n ? "-" : ""}${digits}${space},1`));
      const fine = value >= 0n && value < BigInt(kMax);
      expect(slice?.debugString()).toBe(fine ? `${value},1` : undefined);
    }),
    {
      examples: [
        [BigInt(kMax) - 1n, 0, ""],
        [BigInt(kMax), 0, ""],
        [2n ** 53n + 1n, 2, " "],
        [-0n, 0, ""],
        [2n ** 63n, 0, ""],
      ],
    },
  );
});

test("hostile text throws a StatusError, or gives a slice whose text parses to an equal slice", () => {
  const pieces = fc.array(
    fc.oneof(fc.constantFrom(":", ",", "-", "+", " ", "0", "1", "9007199254740991", "\0", "é"), fc.string({ maxLength: 3 })),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const slice = statusErrorsOnly(() => TensorSlice.parse(parts.join("")));
      if (slice) expect(TensorSlice.parse(slice.debugString()).equals(slice)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("long hostile text is refused fast", () => {
  const milliseconds = stopwatch();
  for (const text of [
    " ".repeat(200_000),
    "0".repeat(200_000),
    "9".repeat(200_000),
    ",".repeat(200_000),
    `1,${" ".repeat(200_000)}x`,
    "-".repeat(200_000),
  ]) {
    expectStatus(() => TensorSlice.parse(text), "INVALID_ARGUMENT", "Expected a pair of numbers");
  }
  expect(TensorSlice.parse(":".repeat(200_000)).dims).toBe(0);
  expect(TensorSlice.parse("-:".repeat(100_000)).dims).toBe(100_000);
  expect(milliseconds()).toBeLessThan(2000);
});
