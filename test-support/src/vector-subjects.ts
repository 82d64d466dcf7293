// Small WebAssembly kernels over arrays, for the tests of the assembler, the vector builder and the math functions.
import { VectorBuilder, WasmModule } from "@onebuffer/wasm/internal";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";

type Exports = Record<string, (...args: (number | bigint)[]) => number | bigint>;

interface Wasm {
  readonly Memory: new (of: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Exports };
  validate(bytes: Uint8Array): boolean;
}

/** The engine's WebAssembly namespace, which this version of Node's types does not declare. */
export const wasm = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly;

/** The memory that all kernels of the tests import: 4 MiB. */
export const memory = new wasm.Memory({ initial: 64, maximum: 65536 });

export const memoryImport = { module: "test", name: "memory", initial: 1, maximum: 65536, shared: false };

/** Returns the exports of an instance of the module. */
export function instantiate(module: WasmModule, imports: Record<string, unknown> = {}): Exports {
  return new wasm.Instance(new wasm.Module(module.toBytes()), { test: { memory, ...imports } }).exports;
}

/** Returns true if the engine supports relaxed SIMD. */
export function hasRelaxedSimd(): boolean {
  const module = new WasmModule(memoryImport);
  module.function("probe", {}).body.op("unreachable").op("f32x4.relaxed_madd").op("unreachable");
  return wasm.validate(module.toBytes());
}

/** The bytes of one slot of the memory. */
const kBytes = 1 << 20;

const arrays = {
  f32x4: Float32Array,
  f64x2: Float64Array,
  i64x2: BigInt64Array,
  u64x2: BigUint64Array,
  i32x4: Int32Array,
  u32x4: Uint32Array,
  i16x8: Int16Array,
  u16x8: Uint16Array,
  i8x16: Int8Array,
  u8x16: Uint8Array,
} as const;

/** Returns a slot of the memory as an array: slot 0 is the result of kernelOf, the others are its arguments; 1 MiB each. */
export function slot<K extends VectorKind>(kind: K, index: number): InstanceType<(typeof arrays)[K]> {
  return new arrays[kind](memory.buffer, index * kBytes, kBytes / arrays[kind].BYTES_PER_ELEMENT) as InstanceType<(typeof arrays)[K]>;
}

/** Returns a kernel that runs `program` on `numBytes` bytes of each argument, in `copies` vectors at a time. */
export function kernelOf(
  kinds: readonly VectorKind[],
  program: (...args: readonly Vector[]) => Vector,
  copies: number = 1,
  relaxed: boolean = false,
): (numBytes: number) => void {
  const module = new WasmModule(memoryImport);
  const target = module.function("run", { at: "i32", end: "i32" });
  const builder = new VectorBuilder(target, { relaxed });
  const code = target.body;
  const top = code.loop();
  const write = (): void => {
    const args = kinds.map((kind, i) => builder.load(kind, target.param("at"), (i + 1) * kBytes));
    builder.store(program(...args), target.param("at"));
  };
  const done = code.block();
  const left = code.block();
  builder.emit(copies, write, () => void code.br(left));
  code.br(done).end();
  builder.emit(copies, write);
  code.end();
  code
    .get(0)
    .i32(16 * copies)
    .op("i32.add")
    .tee(0)
    .get(1)
    .op("i32.lt_u")
    .brIf(top)
    .end();
  const { run } = instantiate(module);
  return (numBytes) => void run!(0, numBytes);
}
