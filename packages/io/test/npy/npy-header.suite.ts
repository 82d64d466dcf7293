// Tests parseNpyHeader: the fields, every descr, and the error of every kind of invalid header.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { StatusCode } from "@onebuffer/base";
import { parseNpyHeader } from "@onebuffer/io";
import type { BytesInput, NpyDType, NpyHeader } from "@onebuffer/io";
import fc from "fast-check";
import { npyFile, npyHeader } from "./npy-file.ts";
import { expectStatus } from "@onebuffer/test-support";
import { scanString } from "../../src/npy/python-string.ts";

const kOk = npyHeader("<f4", [2, 3]);

function failure(act: () => unknown): { readonly code: StatusCode; readonly message: string } {
  try {
    act();
  } catch (error) {
    if (isStatusError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was thrown");
}

test("parseNpyHeader returns the header's fields and the sizes computed from them", () => {
  const header: NpyHeader = parseNpyHeader(npyFile({ header: npyHeader(">c16", [2, 3, 4], "True"), align: 64 }));
  expect(header).toEqual({
    version: [1, 0],
    descr: "'>c16'",
    dtype: "complex128",
    littleEndian: false,
    fortranOrder: true,
    shape: [2, 3, 4],
    numElements: 24,
    dataOffset: 128,
    dataBytes: 384,
  });
});

test.each([
  [[1, 0], 10],
  [[2, 0], 12],
  [[3, 0], 12],
] as const)("version %j: the text begins at byte %d", (version, offset) => {
  expect(parseNpyHeader(npyFile({ version, header: kOk }))).toMatchObject({ version, dataOffset: offset + kOk.length, shape: [2, 3] });
});

test.each<[string, NpyDType, number]>([
  ["b1", "bool", 1],
  ["i1", "int8", 1],
  ["i2", "int16", 2],
  ["i4", "int32", 4],
  ["i8", "int64", 8],
  ["u1", "uint8", 1],
  ["u2", "uint16", 2],
  ["u4", "uint32", 4],
  ["u8", "uint64", 8],
  ["f2", "float16", 2],
  ["f4", "float32", 4],
  ["f8", "float64", 8],
  ["c8", "complex64", 8],
  ["c16", "complex128", 16],
])("descr %s is %s in every byte order", (code, dtype, bytes) => {
  for (const order of ["<", ">", "=", "|", ""]) {
    const header = parseNpyHeader(npyFile({ header: npyHeader(order + code, [3]) }));
    expect(header).toMatchObject({ dtype, dataBytes: 3 * bytes, littleEndian: order !== ">" || bytes === 1 });
  }
});

test.each([
  "[('a', '<i4'), ('b', '<f4')]",
  "('<f4', (2,))",
  "'<f4,<f4'",
  "'2f4'",
  "'0f4'",
  "'S5'",
  "'<U7'",
  "'|V4'",
  "'<M8[ns]'",
  "'<m8[s]'",
  "'|O'",
  "'|O8'",
  "'<f16'",
  "'<c32'",
  "'object'",
  "'T'",
  "'S'",
  "'<U'",
  "'|V'",
  "'<M8'",
  "'m'",
  "'M[ns]'",
])("descr %s is UNIMPLEMENTED", (descr) => {
  const { code, message } = failure(() => parseNpyHeader(npyFile({ header: kOk.replace("'<f4'", descr) })));
  expect(code).toBe("UNIMPLEMENTED");
  expect(message).toContain(descr);
});

test.each(["'Sx'", "'Mfoo'", "'<gx'", "'c9'", "'O!'"])("descr %s, which only begins like a type, is refused", (descr) => {
  const { code, message } = failure(() => parseNpyHeader(npyFile({ header: kOk.replace("'<f4'", descr) })));
  expect(code).toBe("INVALID_ARGUMENT");
  expect(message).toContain(descr);
});

test("the message shows the beginning of a long descr", () => {
  const descr = `[${"('abcdef', '<f4'), ".repeat(200)}]`;
  const { code, message } = failure(() => parseNpyHeader(npyFile({ header: kOk.replace("'<f4'", descr) })));
  expect(code).toBe("UNIMPLEMENTED");
  expect(message.length).toBeLessThan(250);
});

describe("every error message has the offending value", () => {
  const text = (header: string): Uint8Array => npyFile({ header });
  test.each<[string, Uint8Array, StatusCode, string]>([
    ["an empty file", new Uint8Array(0), "DATA_LOSS", "after 0 bytes"],
    ["a cut magic", Uint8Array.of(0x93, 0x4e), "DATA_LOSS", "after 2 bytes"],
    ["another magic", Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0, 0, 0), "INVALID_ARGUMENT", "50 4b 03 04 00 00"],
    ["a file that ends in the version", Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1), "DATA_LOSS", "after 7 bytes"],
    ["version 1.1", npyFile({ version: [1, 1], header: kOk }), "INVALID_ARGUMENT", "(1, 1)"],
    ["version 4.0", npyFile({ version: [4, 0], header: kOk }), "INVALID_ARGUMENT", "(4, 0)"],
    ["a file that ends in the length", Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 9), "DATA_LOSS", "after 9 bytes"],
    ["a text beyond the end", npyFile({ header: kOk, length: 5000 }), "DATA_LOSS", `expected 5000 bytes of header text, got ${kOk.length}`],
    ["a text of 4 GiB", npyFile({ version: [2, 0], header: kOk, length: 0xffffffff }), "DATA_LOSS", "4294967295"],
    ["a text over 10,000 characters", text(kOk.padEnd(10_001)), "INVALID_ARGUMENT", "10001 characters"],
    ["a text over 40,000 bytes of UTF-8", npyFile({ version: [3, 0], header: kOk.padEnd(40_001) }), "INVALID_ARGUMENT", "40001 bytes"],
    [
      "a text over 10,000 characters of UTF-8",
      npyFile({ version: [3, 0], header: `${kOk}#${"\u{1f600}".repeat(9999)}` }),
      "INVALID_ARGUMENT",
      "characters",
    ],
    ["bad UTF-8", npyFile({ version: [3, 0], header: kOk }).with(30, 0xff), "INVALID_ARGUMENT", "UTF-8"],
    ["a NUL", text(`${kOk}\0`), "INVALID_ARGUMENT", String(kOk.length)],
    ["a list instead of a dict", text("[1, 2]"), "INVALID_ARGUMENT", "not a dictionary"],
    ["a missing key", text("{'descr': '<f4', 'shape': (2,)}"), "INVALID_ARGUMENT", `"descr", "shape"`],
    ["an extra key", text(kOk.replace("}", "'x': 1}")), "INVALID_ARGUMENT", `"x"`],
    ["a tuple as key", text(kOk.replace("}", "(): 1}")), "INVALID_ARGUMENT", "a tuple is not a valid key"],
    ["a list as shape", text(kOk.replace("(2, 3)", "[2, 3]")), "INVALID_ARGUMENT", "[2, 3]"],
    ["a fraction as size", text(kOk.replace("(2, 3)", "(2.0, 3)")), "INVALID_ARGUMENT", "2.0, 3"],
    ["a bool as size", text(kOk.replace("(2, 3)", "(2, True)")), "INVALID_ARGUMENT", "(2, True)"],
    ["a negative size", text(kOk.replace("(2, 3)", "(2, -3)")), "INVALID_ARGUMENT", "dimension 1 of the shape is negative: -3"],
    ["a size above 2^53 - 1", text(kOk.replace("(2, 3)", "(9007199254740992, 0)")), "INVALID_ARGUMENT", "9007199254740992"],
    ["a size of 5,000 digits", text(kOk.replace("(2, 3)", `(${"9".repeat(5000)},)`)), "INVALID_ARGUMENT", "more than 30 digits"],
    ["a product above 2^53 - 1", text(kOk.replace("(2, 3)", "(4294967296, 4294967296)")), "INVALID_ARGUMENT", "(4294967296, 4294967296)"],
    [
      "a product above 2^63 - 1 beside a zero",
      text(kOk.replace("(2, 3)", "(0, 2147483648, 2147483648)")),
      "INVALID_ARGUMENT",
      "(0, 2147483648, 2147483648)",
    ],
    ["65 dimensions", text(kOk.replace("(2, 3)", `(${"1,".repeat(65)})`)), "INVALID_ARGUMENT", "65 dimensions"],
    ["an order that is not a bool", text(kOk.replace("False", "'False'")), "INVALID_ARGUMENT", "'False'"],
    ["an unknown descr", text(kOk.replace("<f4", "<f3")), "INVALID_ARGUMENT", "'<f3'"],
    ["201 brackets", text(kOk.replace("(2, 3)", `${"(".repeat(200)}2${")".repeat(200)}`)), "INVALID_ARGUMENT", "200 open brackets"],
    ["100,000 brackets, limit raised", text("(".repeat(9_999)), "INVALID_ARGUMENT", "200 open brackets"],
    ["an open string", text(kOk.replace("'<f4'", "'<f4")), "INVALID_ARGUMENT", "character"],
    ["a name", text(kOk.replace("False", "false")), "INVALID_ARGUMENT", `"false, 'shape'`],
  ])("%s", (_, file, code, words) => {
    const failed = failure(() => parseNpyHeader(file));
    expect(failed.code).toBe(code);
    expect(failed.message).toContain(words);
    expect(failed.message.length).toBeLessThan(500);
  });

  test.each<[string, unknown]>([
    ["text", "npy"],
    ["an array", [1, 2]],
    ["null", null],
    ["an object", { byteLength: 3 }],
  ])("%s is refused as input", (_, input) => {
    expect(failure(() => parseNpyHeader(input as BytesInput)).code).toBe("INVALID_ARGUMENT");
  });

  test("a detached buffer is refused as input", () => {
    const buffer = npyFile({ header: kOk }).buffer;
    structuredClone(buffer, { transfer: [buffer] });
    expect(["DATA_LOSS", "INVALID_ARGUMENT"]).toContain(failure(() => parseNpyHeader(buffer)).code);
  });
});

test("maxHeaderSize changes the limit of the text", () => {
  const file = npyFile({ header: kOk.padEnd(10_001) });
  expect(parseNpyHeader(file, { maxHeaderSize: 10_001 }).shape).toEqual([2, 3]);
  expect(failure(() => parseNpyHeader(npyFile({ header: kOk }), { maxHeaderSize: 20 })).message).toContain("more than the 20 characters");
});

test("10,000 characters of four bytes each are read in version 3.0", () => {
  const comment = "#".padEnd(2 * (10_000 - kOk.length) - 1, "\u{1f600}");
  expect(parseNpyHeader(npyFile({ version: [3, 0], header: kOk + comment })).shape).toEqual([2, 3]);
});

test("reads every kind of input: buffers, shared buffers, views at any offset", () => {
  const file = npyFile({ header: kOk });
  const shifted = new Uint8Array(file.length + 3);
  shifted.set(file, 3);
  const shared = new Uint8Array(new SharedArrayBuffer(file.length));
  shared.set(file);
  const version3 = npyFile({ version: [3, 0], header: kOk });
  const shared3 = new Uint8Array(new SharedArrayBuffer(version3.length));
  shared3.set(version3);
  for (const input of [
    file,
    file.buffer,
    shifted.subarray(3),
    new DataView(shifted.buffer, 3),
    shared,
    shared.buffer,
    shared3,
    Buffer.from(file),
  ]) {
    expect(parseNpyHeader(input).shape).toEqual([2, 3]);
  }
});

/** A simple reader of generated headers: finds the three values by their keys. */
function naive(header: string): { readonly descr: string; readonly order: boolean; readonly shape: readonly number[] } {
  const after = (key: string): string => header.slice(header.search(new RegExp(`['"]${key}['"]`)) + key.length + 2).replace(/^\s*:\s*/, "");
  const shape = after("shape").match(/^\(([^)]*)\)/)?.[1] ?? "";
  return {
    descr: after("descr").match(/^(['"])(.*?)\1/)?.[2] ?? "",
    order: after("fortran_order").startsWith("True"),
    shape: shape
      .split(",")
      .map((s) => s.trim())
      .filter(Boolean)
      .map((s) => Number(s.replaceAll("_", ""))),
  };
}

test("generated headers with any order, quotes, blanks and commas are read the same as by a simple reader", () => {
  const space = fc.constantFrom("", " ", "  ", "\n", "\t", " # c\n", "\\\n", "\r\n");
  const size = fc
    .nat(9)
    .chain((n) => fc.constantFrom(`${n}`, `0x${n.toString(16)}`, `0b${n.toString(2)}`, `0o${n.toString(8)}`, n > 0 ? `${n}_0` : "0"));
  const dims = fc
    .tuple(fc.array(size, { maxLength: 5 }), space, fc.boolean())
    .map(([sizes, s, comma]) => `(${sizes.join(`,${s}`)}${sizes.length === 1 || (comma && sizes.length > 0) ? `${s},` : ""}${s})`);
  const quote = fc.constantFrom("'", '"');
  const header = fc
    .record({
      q: quote,
      s: fc.array(space, { minLength: 14, maxLength: 14 }),
      dims,
      descr: fc.constantFrom("<f4", ">i8", "|b1", "c16", "=u2"),
      order: fc.constantFrom("True", "False"),
      comma: fc.boolean(),
      keys: fc.shuffledSubarray(["descr", "fortran_order", "shape"], { minLength: 3 }),
    })
    .map(({ q, s, dims: shape, descr, order, comma, keys }) => {
      const values: Readonly<Record<string, string>> = { descr: q + descr + q, fortran_order: order, shape };
      const entries = keys.map((key, i) => `${s[i * 4]}${q}${key}${q}${s[i * 4 + 1]}:${s[i * 4 + 2]}${values[key]}${s[i * 4 + 3]}`);
      return `{${entries.join(",")}${comma ? "," : ""}${s[12]}}\n`;
    });
  fc.assert(
    fc.property(header, fc.constantFrom(1, 2, 3), (text, major) => {
      const clean = text.replaceAll(" # c\n", " ").replaceAll("\\\n", " ");
      const expected = naive(clean);
      const got = parseNpyHeader(npyFile({ version: [major, 0], header: text }));
      expect({ descr: got.descr.slice(1, -1), order: got.fortranOrder, shape: got.shape }).toEqual(expected);
    }),
    { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 100 : 5000 },
  );
});

test("strings in three quotes are read", () => {
  const header = (quote: string): string => `{'descr': ${quote}<f4${quote}, 'fortran_order': False, 'shape': (2, 3), }`;
  for (const quote of ["'", '"', "'''", '"""']) expect(parseNpyHeader(npyFile({ header: header(quote) })).dtype).toBe("float32");
});

test("strings have Python's escapes, and end on their line unless they have three quotes", () => {
  const value = (text: string): string => scanString(text, 0).value;
  expect([value("'a\\tb'"), value("'it\\'s'"), value("'a\\\nb'"), value("'''a\nb'''"), value("r'ab\\c'")]).toEqual([
    "a\tb",
    "it's",
    "ab",
    "a\nb",
    "ab\\c",
  ]);
  expectStatus(() => value("'a\nb'"), "INVALID_ARGUMENT", "has no closing '");
  expectStatus(() => value("'''a\nb"), "INVALID_ARGUMENT", "has no closing '''");
});

test("a comment may stand before the dictionary", () => {
  const plain = npyHeader("<f4", [2, 3]);
  const shapeOf = (header: string): unknown => {
    try {
      return parseNpyHeader(npyFile({ header })).shape;
    } catch (error) {
      return String(error);
    }
  };
  expect(shapeOf(`# a comment\n${plain}`)).toEqual([2, 3]);
});
