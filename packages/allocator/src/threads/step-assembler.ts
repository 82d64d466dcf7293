/**
 * step-assembler: steps of the threads' protocol as a WebAssembly module over the linear memory, one exported function each.
 *
 * An engine ends a thread before the first instruction of a function without loops and calls, or after its last, and never in between,
 * which is what the protocol needs (step-program.ts). The module has some 1,500 bytes, few enough to be compiled at once on a
 * browser's main thread.
 */
import type { WasmMemory } from "@onebuffer/wasm";
import type { AtomicInstruction, CodeWriter, PlainInstruction } from "@onebuffer/wasm/internal";
import { WasmModule } from "@onebuffer/wasm/internal";
import type { Access, Instruction, Operator, StepProgram, Value } from "./step-program.ts";

/** The part of the `WebAssembly` namespace that is used; the compiler knows it only with a browser's declarations. */
interface WasmNamespace {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, (...args: number[]) => number>> };
}

/** The largest memory WebAssembly has, in pages of 64 KiB: the module takes any. */
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

/** The bytes of a module with these steps. It imports `env.memory`, a shared memory. */
export function assembleSteps(steps: Readonly<Record<string, StepProgram>>): Uint8Array {
  const module = new WasmModule({ module: "env", name: "memory", initial: 1, maximum: kMostPages, shared: true });
  for (const [name, { params, locals, code }] of Object.entries(steps)) {
    const step = module.function(name, Object.fromEntries(Array.from({ length: params }, (_, i) => [`p${i}`, "i32"])), ["i32"]);
    for (let i = params; i < locals; i++) step.local("i32");
    for (const line of code) write(step.body, line);
    // For the engine's validation: every step has returned before.
    step.body.i32(0);
  }
  return module.toBytes();
}

/**
 * The steps as functions over a shared memory. Null where the engine has no WebAssembly code, a page's security policy forbids
 * it, or the memory does not fit.
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
    case "answer":
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
  // The index counts words, an address bytes.
  push(code, index);
  code.i32(2).op("i32.shl");
  if (kind === "compareExchange") push(code, expected);
  if (kind !== "load") push(code, value);
  code.atomic(kAccesses[kind], offset * 4);
  if (into !== null) code.set(into.local);
}

/** Puts a value onto the stack. */
function push(code: CodeWriter, value: Value): void {
  if (typeof value === "number") code.i32(value);
  else code.get(value.local);
}
