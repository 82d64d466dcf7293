/**
 * web-assembly: the few words of the `WebAssembly` namespace that this package uses (no counterpart in TensorFlow).
 *
 * The compiler's own declarations come only with those of a whole browser or worker. Sources here see neither, so the
 * names are declared by hand: structural, so that the engine's own objects and the full declarations fit them.
 */

import { UnimplementedError } from "@onebuffer/base";

/** A linear memory of the engine: `WebAssembly.Memory` as far as this package looks at it. */
export interface WasmMemory {
  /** The bytes: a SharedArrayBuffer of a shared memory, otherwise an ArrayBuffer. */
  readonly buffer: ArrayBufferLike;
  /** Adds pages of 64 KiB. Never called here: growing a non-shared memory detaches its buffer. */
  grow(delta: number): number;
}

/** What a memory is asked to be; sizes in pages of 64 KiB. */
export interface WasmMemoryDescriptor {
  readonly initial: number;
  readonly maximum: number;
  readonly shared: boolean;
}

/** The constructor of memories, `WebAssembly.Memory` or a stand-in. */
export type WasmMemoryConstructor = new (descriptor: WasmMemoryDescriptor) => WasmMemory;

/** What a compiled kernel exports: functions of 32-bit integers. */
export interface WasmExports {
  readonly [name: string]: (...args: number[]) => number;
}

/** The parts of the namespace in use. */
interface WasmNamespace {
  readonly Memory: WasmMemoryConstructor & { readonly prototype: WasmMemory };
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: Record<string, Record<string, unknown>>) => { readonly exports: WasmExports };
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}

declare const WebAssembly: WasmNamespace | undefined;

/** The engine's constructor of memories, or null where there is no WebAssembly. */
export function engineMemoryConstructor(): WasmMemoryConstructor | null {
  return typeof WebAssembly === "undefined" ? null : WebAssembly.Memory;
}

/** Whether the engine accepts a module; false where there is no WebAssembly. Never throws. */
export function engineAccepts(bytes: Uint8Array<ArrayBuffer>): boolean {
  return typeof WebAssembly === "undefined" ? false : WebAssembly.validate(bytes);
}

/** Compiles a module and links it, at once. Throws what the engine throws: a CompileError of its realm, a policy's refusal. */
export function instantiateNow(bytes: Uint8Array<ArrayBuffer>, imports: Record<string, Record<string, unknown>>): WasmExports {
  if (typeof WebAssembly === "undefined") throw new UnimplementedError("this engine has no WebAssembly");
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), imports).exports;
}

/**
 * The bytes of `memory` if it is a memory of the engine, of any realm, otherwise null. `instanceof` would deny those of
 * other realms, and a property can be forged; the engine's own getter answers for nothing else.
 */
export function engineMemoryBuffer(memory: unknown): ArrayBufferLike | null {
  if (typeof WebAssembly === "undefined") return null;
  const getter = Object.getOwnPropertyDescriptor(WebAssembly.Memory.prototype, "buffer")?.get;
  try {
    return (getter?.call(memory) as ArrayBufferLike | undefined) ?? null;
  } catch {
    return null; // a TypeError: something else
  }
}
