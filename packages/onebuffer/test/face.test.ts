import { expect, test } from "@jest/globals";
import * as allocator from "@onebuffer/allocator";
import * as base from "@onebuffer/base";
import * as core from "@onebuffer/core";
import * as eigen from "@onebuffer/eigen";
import * as io from "@onebuffer/io";
import * as proto from "@onebuffer/proto";
import * as shape from "@onebuffer/shape";
import * as slice from "@onebuffer/slice";
import * as xla from "@onebuffer/xla";
import * as wasm from "@onebuffer/wasm";
import * as onebuffer from "onebuffer";

const packages: Readonly<Record<string, object>> = { base, shape, wasm, allocator, eigen, slice, xla, core, proto, io };

test("every export of every package is an export of onebuffer, the same object", () => {
  const missing: string[] = [];
  for (const [name, exported] of Object.entries(packages)) {
    for (const [key, value] of Object.entries(exported)) {
      // Two packages exporting one name would silently drop it from the umbrella.
      if ((onebuffer as Readonly<Record<string, unknown>>)[key] !== value) missing.push(`${name}: ${key}`);
    }
  }
  expect(missing).toEqual([]);
});

test("onebuffer adds nothing of its own", () => {
  const all = new Set(Object.values(packages).flatMap((exported) => Object.keys(exported)));
  expect(Object.keys(onebuffer).filter((name) => !all.has(name))).toEqual([]);
});
