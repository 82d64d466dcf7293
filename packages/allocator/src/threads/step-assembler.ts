/**
 * step-assembler: compiles the steps of the protocol between threads to a WebAssembly module over the linear memory, with one exported
 * function per step (no counterpart in TensorFlow).
 *
 * An engine terminates a thread before or after a WebAssembly function without loops and calls, but never within it. The protocol
 * relies on this (step-program.ts). The module has about 1,500 bytes, few enough to be compiled synchronously on a browser's main thread.
 */
import type { WasmMemory } from "@onebuffer/wasm";
import type { AtomicInstruction, CodeWriter, PlainInstruction } from "@onebuffer/wasm/internal";
import { WasmModule } from "@onebuffer/wasm/internal";
import type { Access, Instruction, Operator, StepProgram, Value } from "./step-program.ts";

/** The part of the `WebAssembly` namespace that is used here; TypeScript declares it only with the DOM library. */
interface WasmNamespace {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, (...args: number[]) => number>> };
}

/** The largest memory of WebAssembly, in pages of 64 KiB, so that the module accepts any memory. */
const kMostPages = 65536;

const kOperators: Readonly<Record<Operator, PlainInstruction>> = {
  and: "i32.and",
  or: "i32.or",
  xor: "i32.xor",
  shl: "i32.shl",
  shr: "i32.shr_u",
  add: "i32.add",
  sub: "i32.sub",
  mul: "i32.mul",
  eq: "i32.eq",
  ne: "i32.ne",
  ge: "i32.ge_s",
};

const kAccesses: Readonly<Record<Access["kind"], AtomicInstruction>> = {
  load: "i32.atomic.load",
  store: "i32.atomic.store",
  add: "i32.atomic.rmw.add",
  sub: "i32.atomic.rmw.sub",
  exchange: "i32.atomic.rmw.xchg",
  compareExchange: "i32.atomic.rmw.cmpxchg",
};

/** Returns the bytes of a module with these steps. It imports `env.memory`, a shared memory. */
export function assembleSteps(steps: Readonly<Record<string, StepProgram>>): Uint8Array {
  const module = new WasmModule({ module: "env", name: "memory", initial: 1, maximum: kMostPages, shared: true });
  for (const [name, { params, locals, code }] of Object.entries(steps)) {
    const step = module.function(name, Object.fromEntries(Array.from({ length: params }, (_, i) => [`p${i}`, "i32"])), ["i32"]);
    for (let i = params; i < locals; i++) step.local("i32");
    for (const line of code) write(step.body, line);
    // Needed for validation only: every step has returned before this instruction.
    step.body.i32(0);
  }
  return module.toBytes();
}

/**
 * Returns the steps as functions over a shared memory. Returns null if the engine cannot run WebAssembly code, a page's security
 * policy forbids it, or the memory is not shared.
 */
export function compileSteps(
  steps: Readonly<Record<string, StepProgram>>,
  memory: WasmMemory,
): Readonly<Record<string, (...args: number[]) => number>> | null {
  const engine = (globalThis as { WebAssembly?: Partial<WasmNamespace> }).WebAssembly;
  if (engine?.Module === undefined || engine.Instance === undefined) return null;
  try {
    return new engine.Instance(new engine.Module(assembleSteps(steps)), { env: { memory } }).exports;
  } catch {
    // A CompileError or LinkError.
    return null;
  }
}

function write(code: CodeWriter, line: Instruction): void {
  switch (line.kind) {
    case "compute":
      push(code, line.left);
      push(code, line.right);
      code.op(kOperators[line.operator]).set(line.into.local);
      break;
    case "set":
      push(code, line.value);
      code.set(line.into.local);
      break;
    case "return":
      push(code, line.value);
      code.op("return");
      break;
    case "when":
      push(code, line.condition);
      code.if();
      for (const each of line.body) write(code, each);
      code.end();
      break;
    default:
      writeAccess(code, line);
  }
}

function writeAccess(code: CodeWriter, { kind, into, index, offset, value, expected }: Access): void {
  // The index is in words; a WebAssembly address is in bytes.
  push(code, index);
  code.i32(2).op("i32.shl");
  if (kind === "compareExchange") push(code, expected);
  if (kind !== "load") push(code, value);
  code.atomic(kAccesses[kind], offset * 4);
  if (into !== null) code.set(into.local);
}

/** Pushes a value onto the WebAssembly stack. */
function push(code: CodeWriter, value: Value): void {
  if (typeof value === "number") code.i32(value);
  else code.get(value.local);
}
