/**
 * fft-module: compiles the WebAssembly functions of transforms, one to a module, each when it is first needed.
 */
import { InternalError } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { engine, instantiateNow, VectorBuilder, WasmModule } from "@onebuffer/wasm/internal";
import type { WasmFunction } from "@onebuffer/wasm/internal";
import { fallBack, noteKernel } from "@onebuffer/kernels/internal";
import type { PoolModule } from "@onebuffer/kernels/internal";

/** The dtypes of the real and imaginary parts. */
export type PartDType = "float32" | "float64";

/** A compiled function of 32-bit integers: addresses, distances and counts. */
export interface FftFunction extends PoolModule {
  readonly run: (...numbers: number[]) => unknown;
}

/** Writes the body of a function. */
type WriteFunction = (target: WasmFunction, builder: VectorBuilder, module: WasmModule) => void;

/** The words of a text. */
type WordsOf<T extends string> = T extends `${infer Word} ${infer Rest}` ? Word | WordsOf<Rest> : T;

/** Returns the parameters of a function by the names in `params`. */
export function paramsOf<T extends string>(target: WasmFunction, params: T): Readonly<Record<WordsOf<T>, number>> {
  return Object.fromEntries(params.split(" ").map((name) => [name, target.param(name)])) as Readonly<Record<WordsOf<T>, number>>;
}

const functions: Map<string, FftFunction | null> = new Map();

/**
 * Returns the function `run` of a module, whose parameters are named by `params` and whose body `write` writes; compiled at the first call
 * with this key. Throws INTERNAL if the engine refuses it although it has compiled `hasFftFunctions`'s.
 */
export function fftFunction(key: string, params: string, write: WriteFunction): FftFunction {
  const known = functionOf(key, params, write);
  if (known === null) throw new InternalError(`the engine refused the kernel ${key}`);
  return known;
}

/** Returns true if the engine compiles a function over vectors. */
export function hasFftFunctions(): boolean {
  return (
    functionOf("probe", "at", (target, builder) =>
      builder.emit(1, () => builder.store(builder.constant("f32x4", 0), target.param("at"))),
    ) !== null
  );
}

function functionOf(key: string, params: string, write: WriteFunction): FftFunction | null {
  let known = functions.get(key);
  if (known === undefined) functions.set(key, (known = compile(key, params, write)));
  return known;
}

function compile(key: string, params: string, write: WriteFunction): FftFunction | null {
  const { memory, buffer, isShared: shared } = linearMemory();
  const pages = buffer.byteLength / 65536;
  const module = new WasmModule({ module: "k", name: "m", initial: pages, maximum: pages, shared });
  const target = module.function("run", Object.fromEntries(params.split(" ").map((param) => [param, "i32"])), ["i32"]);
  write(target, new VectorBuilder(target, { relaxed: engine().relaxed }), module);
  target.body.i32(0);
  try {
    const exported = instantiateNow(module.toBytes(), { k: { m: memory } });
    noteKernel(`fft ${key}`);
    return { functions: exported, bytes: () => module.toBytes(), run: exported["run"]! };
  } catch (error) {
    fallBack(`the engine refused a kernel: ${String(error)}`);
    return null;
  }
}
