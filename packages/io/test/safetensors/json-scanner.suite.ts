// The strings of JSON headers (src/safetensors/json-scanner.ts) against JSON.parse: every escape, every control character, and what is refused.
import { expect, test } from "@jest/globals";
import { refusal } from "@onebuffer/test-support";
import { JsonScanner } from "../../src/safetensors/json-scanner.ts";

const read = (text: string): string => new JsonScanner(text, "header").string();

/** Returns what JSON.parse makes of a text; undefined if it refuses it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test("a string is read as JSON.parse reads it, whatever follows a backslash", () => {
  for (let code = 0; code < 0x180; code++) {
    const char = String.fromCharCode(code);
    for (const text of [`"a\\${char}b"`, `"a${char}b"`, `"\\u00${code.toString(16).padStart(2, "0").slice(-2)}${char}"`]) {
      const expected = parsed(text);
      if (expected !== undefined) expect([text, read(text)]).toEqual([text, expected]);
      else if (char !== '"') expect([text, refusal(() => read(text)).code]).toEqual([text, "INVALID_ARGUMENT"]);
    }
  }
});

test("integers of a header go up to 2^64 - 1", () => {
  const read = (text: string): unknown => new JsonScanner(text, "header").unsigned();
  expect(read("18446744073709551615")).toBe(2n ** 64n - 1n);
  for (const text of ["18446744073709551616", "18446744073709551617"]) expect(refusal(() => read(text)).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => new JsonScanner("7", "header").object(() => {})).message).toContain("an object");
});

test("strings of JSON are read whole, also those of escapes alone", () => {
  const read = (text: string): string => new JsonScanner(text, "header").string();
  expect([read('"\\\\"'), read('"\\n"'), read('"plain"')]).toEqual(["\\", "\n", "plain"]);
  for (const text of ['"\u0001"', '"abc', '"']) expect([text, refusal(() => read(text)).code]).toEqual([text, "INVALID_ARGUMENT"]);
  expect(refusal(() => new JsonScanner('{"a":1 7', "header").object(() => {})).code).toBe("INVALID_ARGUMENT");
});
