// Messages about malformed headers and keys say what was expected.
import { expect, test } from "@jest/globals";
import { parseNpyHeader, readSafetensors } from "@onebuffer/io";
import { memorySource } from "../../src/source/memory-source.ts";
import { shownKey } from "../../src/table/compare-bytes.ts";
import { npyFile } from "./npy-file.ts";

const headerOf = (text: string): unknown => parseNpyHeader(npyFile({ header: text }));

const refused: readonly [string, RegExp][] = [
  ["{'descr': '<f4', 'fortran_order': False, 'shape': (-'x',)}", /an int after '-'/],
  ["{'descr': '<f4', 'fortran_order': False, 'shape': (+'x',)}", /an int after '\+'/],
  ["{'descr': '<f4', 'fortran_order': True9, 'shape': (2,)}", /True9/],
  ["{'descr': '<xS5', 'fortran_order': False, 'shape': (2,)}", /'<xS5' is not a valid dtype descriptor/],
  ["{'descr': '', 'fortran_order': False, 'shape': (2,)}", /'' is not a valid dtype descriptor/],
  ["{'descr': '<', 'fortran_order': False, 'shape': (2,)}", /'<' is not a valid dtype descriptor/],
];

test.each(refused)("%j", (text, message) => {
  expect(() => headerOf(text)).toThrow(message);
});

test("a control character in a name of a safetensors header has to be escaped", () => {
  const json = '{"a\u0007b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}';
  const bytes = new Uint8Array(8 + json.length + 4);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(new TextEncoder().encode(json), 8);
  expect(() => readSafetensors(bytes)).toThrow(/an escape for a control character/);
});

test("a key is shown with its blanks, and other bytes by their numbers", () => {
  expect(shownKey(Uint8Array.of(0x20, 0x61, 0x7e, 0x7f, 0x1f, 0x22))).toBe('" a~\\x7f\\x1f\\""');
});

test("bytes in memory have the name that they were given, or none", () => {
  expect(memorySource(Uint8Array.of(1), "a.npy").name).toBe("a.npy");
  expect("name" in memorySource(Uint8Array.of(1))).toBe(false);
});
