/**
 * array-kernel: WebAssembly functions over dense elements in the linear memory, for operations that are no loop of independent
 * elements. Each is written and compiled when it is first needed. Addresses, counts and distances are 32-bit integers.
 */
import { linearMemory } from "@onebuffer/wasm";
import { instantiateNow, WasmModule, writeText } from "@onebuffer/wasm/internal";
import type { ValueType } from "@onebuffer/wasm/internal";
import { fallBack, noteKernel } from "./kernel-events.ts";

/** The functions of a module, by name. */
export type ArrayFunctions = Readonly<Record<string, (...numbers: number[]) => number>>;

const compiled: Map<string, ArrayFunctions | null> = new Map();

/** Returns the functions that `write` adds to a module, compiled at the first call with this key; null if the engine refuses them. */
export function arrayKernel(key: string, write: (module: WasmModule) => void): ArrayFunctions | null {
  let functions = compiled.get(key);
  if (functions === undefined) compiled.set(key, (functions = compile(key, write)));
  return functions;
}

function compile(key: string, write: (module: WasmModule) => void): ArrayFunctions | null {
  const { memory, buffer, isShared: shared } = linearMemory();
  const pages = buffer.byteLength / 65536;
  const module = new WasmModule({ module: "k", name: "m", initial: pages, maximum: pages, shared });
  write(module);
  try {
    const functions = instantiateNow(module.toBytes(), { k: { m: memory } });
    noteKernel(key);
    return functions as ArrayFunctions;
  } catch (error) {
    fallBack(`the engine refused a kernel: ${String(error)}`);
    return null;
  }
}

/** The names and types of a list of parameters or locals, which are i32 if they have no type: "at end key:i64 x:v128". */
const typed = (list: string): [name: string, type: ValueType][] =>
  (list.match(/\S+/g) ?? []).map((each) => [each.split(":")[0]!, (each.split(":")[1] ?? "i32") as ValueType]);

/** Adds a function whose instructions are text (writeText), with parameters and locals of the types that their lists name. */
export function textFunction(
  module: WasmModule,
  name: string,
  params: string,
  locals: string,
  text: string,
  results: readonly ValueType[] = ["i32"],
): void {
  const target = module.function(name, Object.fromEntries(typed(params)), results);
  for (const [local, type] of typed(locals)) target.local(type, local);
  writeText(module, target, text);
}

/** Returns the words that run `one` for the `count` elements from `from` on, at least one: for groups of four, then for those that are left. */
export const inGroups = (bytes: number, one: (k: number) => string): string => `
  count 3 & ->left
  count 2 >> ->count
  count if
    loop
      ${[0, 1, 2, 3].map(one).join(" ")}
      from+=${4 * bytes}
      count+=-1
    count while
  end
  left if
    loop
      ${one(0)}
      from+=${bytes}
      left+=-1
    left while
  end`;

/** Returns the word that replaces two vectors by the second one moved up by some bytes, with the last bytes of the first one below. */
export const raised = (bytes: number): string => `shuffle:${Array.from({ length: 16 }, (_, k) => k + 16 - bytes).join()}`;

/** Returns the type that holds an integer of some bytes on the stack, and the words for its load and store. */
export function integerAccess(bytes: number, sign: "s" | "u"): readonly ["i32" | "i64", string, string] {
  const type = bytes === 8 ? "i64" : "i32";
  return bytes < 4 ? [type, `i32.load${8 * bytes}_${sign}`, `i32.store${8 * bytes}`] : [type, `${type}.load`, `${type}.store`];
}
