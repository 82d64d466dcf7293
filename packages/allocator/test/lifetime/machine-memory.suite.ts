// What the host tells about its memory, on hosts of several kinds (src/lifetime/machine-memory.ts, node-builtins.ts).
import { afterEach, expect, test } from "@jest/globals";
import { heapLimit, machineMemory } from "../../src/lifetime/machine-memory.ts";
import { nodeBuiltin, nodeProcess } from "../../src/lifetime/node-builtins.ts";

const own = globalThis.process;

/** Makes this look like a host with another `process`. */
function onHost(process: object | undefined): void {
  Object.assign(globalThis, { process });
}

/** A `process` with some of Node's modules, and maybe the limit of a container. */
function hostWith(modules: Record<string, object>, limit?: unknown): object {
  const process = { getBuiltinModule: (name: string) => modules[name] };
  return limit === undefined ? process : { ...process, constrainedMemory: () => limit };
}

const os = (bytes: unknown): Record<string, object> => ({ "node:os": { totalmem: () => bytes } });
const v8 = (bytes: unknown): Record<string, object> => ({ "node:v8": { getHeapStatistics: () => ({ heap_size_limit: bytes }) } });

afterEach(() => onHost(own));

test.each<[process: object | undefined, bytes: number]>([
  [hostWith(os(1000)), 1000],
  [hostWith(os(1000), 400), 400],
  [hostWith(os(1000), 2 ** 64), 1000],
  // No limit, as some versions of Node say it.
  [hostWith(os(1000), 0), 1000],
  [hostWith(os(1000), "400"), 1000],
  [hostWith(os(0)), Infinity],
  [hostWith(os(-1), 1), 1],
  [hostWith(os("1000")), Infinity],
  [hostWith({}), Infinity],
  // A module of this name that is not Node's.
  [hostWith({ "node:os": {} }), Infinity],
  [{}, Infinity],
  [undefined, Infinity],
])("the memory of host %#", (process, bytes) => {
  onHost(process);
  expect(machineMemory()).toBe(bytes);
});

test("the limit of the heap", () => {
  for (const [process, bytes] of [
    [hostWith(v8(4096)), 4096],
    [hostWith(v8(0)), Infinity],
    [hostWith({ "node:v8": {} }), Infinity],
    [hostWith({}), Infinity],
    [undefined, Infinity],
  ] as const) {
    onHost(process);
    expect(heapLimit()).toBe(bytes);
  }
});

test("a module of Node is null where there is none, and where looking for it fails", () => {
  const host = hostWith(os(1));
  onHost(host);
  expect(nodeProcess()).toBe(host);
  expect([nodeBuiltin("os")?.totalmem(), nodeBuiltin("v8")]).toEqual([1, null]);
  for (const process of [undefined, {}, { getBuiltinModule: "no function" }]) {
    onHost(process);
    expect([nodeProcess(), nodeBuiltin("os")]).toEqual([null, null]);
  }
  onHost({
    getBuiltinModule: () => {
      throw new Error("not here");
    },
  });
  expect(nodeBuiltin("os")).toBe(null);
});
