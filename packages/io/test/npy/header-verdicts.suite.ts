// Compares parseNpyHeader with NumPy on about 800 spellings of headers (data/header-verdicts.json).
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { parseNpyHeader } from "@onebuffer/io";
import { readFileSync } from "node:fs";
import { npyFile } from "./npy-file.ts";

type Case = readonly [version: number, text: string, numpySays: readonly [string, readonly number[]] | null];

const cases = JSON.parse(readFileSync(new URL("../../../test/npy/data/header-verdicts.json", import.meta.url), "utf8")) as readonly Case[];

/** The cases of "Types without a dtype" and "Stricter than NumPy" in docs/formats.md, each with a pattern of our error message. */
const kStricter: readonly (readonly [string, RegExp])[] = [
  ["a type without a dtype", /^UNIMPLEMENTED: .* (has no dtype here|which has no dtype here)$/],
  ["platform", /^UNIMPLEMENTED: .* the size of this type depends on the platform/],
  ["loose numbers", /^INVALID_ARGUMENT: .* descr '[<>|=]?f(04|\+4| 4)' is not a valid dtype descriptor$/],
  ["literals", /^INVALID_ARGUMENT: .* (got "None|got "1\.5|plain, u'' and r'' strings|expected ':')/],
  ["names", /^INVALID_ARGUMENT: .* the escape \\N/],
  ["2^53", /^INVALID_ARGUMENT: .* more than the 9007199254740991 that can be counted here$/],
  ["joined lines", /^INVALID_ARGUMENT: .* (got "\\\\\\n|expected the end of the header at character \d+, got "\\\\)/],
  ["form feed", /^INVALID_ARGUMENT: .* (not to be indented behind a line end|ends with a line of \d+ blanks)/],
];

const kStr: Readonly<Record<string, string>> = {
  b1: "bool",
  i1: "int8",
  i2: "int16",
  i4: "int32",
  i8: "int64",
  u1: "uint8",
  u2: "uint16",
  u4: "uint32",
  u8: "uint64",
  f2: "float16",
  f4: "float32",
  f8: "float64",
  c8: "complex64",
  c16: "complex128",
}; // prettier-ignore

/** Our result in NumPy's form: `[dtype.str, shape]`, or the error. */
function verdict([version, text]: Case): { readonly read: readonly [string, boolean, readonly number[]] } | { readonly refused: string } {
  const file = npyFile({ version: [version, 0], header: text, data: new Uint8Array(64) });
  try {
    const { dtype, littleEndian, shape, dataBytes } = parseNpyHeader(file);
    if (dataBytes > 64) return { refused: "DATA_LOSS" };
    return { read: [dtype, littleEndian, shape] };
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return { refused: String(error) };
  }
}

describe(`${cases.length} headers with NumPy 2.4.6's verdicts`, () => {
  test("headers that NumPy refuses are refused", () => {
    const looser = cases.filter((each) => each[2] === null && "read" in verdict(each));
    expect(looser).toEqual([]);
    expect(cases.filter((each) => each[2] === null).length).toBeGreaterThan(300);
  });

  test("headers that NumPy reads are read the same, or refused for a reason in docs/formats.md", () => {
    const used = new Set<string>();
    const wrong: unknown[] = [];
    let read = 0;
    for (const each of cases) {
      const [, text, says] = each;
      if (says === null) continue;
      const ours = verdict(each);
      const expected = [kStr[says[0].slice(1)], !says[0].startsWith(">"), says[1]];
      if ("read" in ours) {
        read++;
        if (JSON.stringify(ours.read) !== JSON.stringify(expected)) wrong.push([text, says, ours.read]);
        continue;
      }
      const reason = kStricter.find(([, pattern]) => pattern.test(ours.refused));
      if (reason === undefined) wrong.push([text, says, ours.refused]);
      else used.add(reason[0]);
    }
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(280);
    expect(kStricter.map(([name]) => name).filter((name) => !used.has(name))).toEqual([]);
  });
});
