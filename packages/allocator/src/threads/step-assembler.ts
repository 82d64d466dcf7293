/**
 * step-assembler: steps of the threads' protocol as a WebAssembly module over the linear memory, one exported function each.
 *
 *     \0asm 1 | types | import env.memory | functions | exports | code          some 1,500 bytes
 *
 * A function without loops and calls is ended by an engine before its first instruction or not at all, which is what the protocol
 * needs (step-program.ts). The module is small enough to be compiled at once on a browser's main thread.
 */
import type { WasmMemory } from "@onebuffer/wasm";
import type { Access, Instruction, Operator, StepProgram, Value } from "./step-program.ts";

/** The part of the `WebAssembly` namespace that is used; the compiler knows it only with a browser's declarations. */
interface WasmNamespace {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, (...args: number[]) => number>> };
}

const kI32 = 0x7f;
const kFunction = 0x60;
const kLocalGet = 0x20;
const kLocalSet = 0x21;
const kConst = 0x41;
const kShl = 0x74;
const kIf = 0x04;
const kEmptyBlock = 0x40;
const kEnd = 0x0b;
const kReturn = 0x0f;
/** Before every atomic instruction. */
const kAtomic = 0xfe;
/** Two to the second: an i32 lies at a multiple of 4. */
const kAlignment = 2;
const kMostPages = 65536;

const kOperators: Readonly<Record<Operator, number>> = {
  and: 0x71,
  or: 0x72,
  xor: 0x73,
  shl: kShl,
  shr: 0x76, // without a sign
  add: 0x6a,
  sub: 0x6b,
  mul: 0x6c,
  eq: 0x46,
  ne: 0x47,
  ge: 0x4e, // with a sign
};

const kAccesses: Readonly<Record<Access["kind"], number>> = {
  load: 0x10,
  store: 0x17,
  add: 0x1e,
  sub: 0x25,
  exchange: 0x41,
  compareExchange: 0x48,
};

/** The bytes of a module with these steps. It imports `env.memory`, a shared memory. */
export function assembleSteps(steps: Readonly<Record<string, StepProgram>>): Uint8Array {
  const names = Object.keys(steps);
  const programs = Object.values(steps);
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      programs.map(({ params }) => [kFunction, ...vector(new Array<number[]>(params).fill([kI32])), 1, kI32]),
    ),
    ...section(2, [[...text("env"), ...text("memory"), 2, 3, 1, ...unsigned(kMostPages)]]),
    ...section(
      3,
      programs.map((_, i) => unsigned(i)),
    ),
    ...section(
      7,
      names.map((name, i) => [...text(name), 0, ...unsigned(i)]),
    ),
    ...section(10, programs.map(body)),
  ]);
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

function body({ params, locals, code }: StepProgram): number[] {
  const declared = locals === params ? [0] : [1, ...unsigned(locals - params), kI32];
  // The last value is for the engine's checker: every step has answered before.
  const bytes = [...declared, ...code.flatMap(instruction), kConst, 0, kEnd];
  return [...unsigned(bytes.length), ...bytes];
}

function instruction(line: Instruction): number[] {
  switch (line.kind) {
    case "compute":
      return [...push(line.left), ...push(line.right), kOperators[line.operator], kLocalSet, ...unsigned(line.into.local)];
    case "set":
      return [...push(line.value), kLocalSet, ...unsigned(line.into.local)];
    case "answer":
      return [...push(line.value), kReturn];
    case "when":
      return [...push(line.condition), kIf, kEmptyBlock, ...line.body.flatMap(instruction), kEnd];
    default:
      return access(line);
  }
}

function access({ kind, into, index, offset, value, expected }: Access): number[] {
  const operands = kind === "load" ? [] : kind === "compareExchange" ? [...push(expected), ...push(value)] : push(value);
  // The index counts words, an address bytes.
  const address = [...push(index), kConst, 2, kShl];
  const result = into === null ? [] : [kLocalSet, ...unsigned(into.local)];
  return [...address, ...operands, kAtomic, kAccesses[kind], kAlignment, ...unsigned(offset * 4), ...result];
}

/** Puts a value onto the stack. */
function push(value: Value): number[] {
  return typeof value === "number" ? [kConst, ...signed(value | 0)] : [kLocalGet, ...unsigned(value.local)];
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const content = vector(items);
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(name: string): number[] {
  return [name.length, ...Array.from(name, (letter) => letter.charCodeAt(0))];
}

/** LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

/** LEB128 of a 32-bit integer with a sign. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest < -0x40 || rest >= 0x40) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>= 7;
  }
  return [...bytes, rest & 0x7f];
}
