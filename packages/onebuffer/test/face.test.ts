// Tests that `onebuffer` exports exactly the names of the packages it is built from.
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

test("onebuffer exports every export of every package, as the same object", () => {
  const missing: string[] = [];
  for (const [name, exported] of Object.entries(packages)) {
    for (const [key, value] of Object.entries(exported)) {
      // If two packages export the same name, `export *` silently drops it.
      if ((onebuffer as Readonly<Record<string, unknown>>)[key] !== value) missing.push(`${name}: ${key}`);
    }
  }
  expect(missing).toEqual([]);
});

test("onebuffer exports no other names", () => {
  const all = new Set(Object.values(packages).flatMap((exported) => Object.keys(exported)));
  expect(Object.keys(onebuffer).filter((name) => !all.has(name))).toEqual([]);
});
