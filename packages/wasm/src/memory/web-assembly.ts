/**
 * web-assembly: the parts of the `WebAssembly` namespace that this package uses, and their types (no counterpart in TensorFlow).
 *
 * TypeScript declares this namespace only together with all types of a browser or worker, which this package is built without. So the types
 * are declared here. They are structural: the engine's own objects and the full declarations are assignable to them.
 */

import { UnimplementedError } from "@onebuffer/base";

/** A linear memory of the engine: the members of `WebAssembly.Memory` that this package uses. */
export interface WasmMemory {
  /** The bytes: a SharedArrayBuffer if the memory is shared, otherwise an ArrayBuffer. */
  readonly buffer: ArrayBufferLike;
  /** Adds pages of 64 KiB. This package never calls it, because growing an unshared memory detaches its buffer. */
  grow(delta: number): number;
}

/** The argument of the memory constructor. Sizes are in pages of 64 KiB. */
export interface WasmMemoryDescriptor {
  readonly initial: number;
  readonly maximum: number;
  readonly shared: boolean;
}

/** The constructor of memories: `WebAssembly.Memory` or a substitute in tests. */
export type WasmMemoryConstructor = new (descriptor: WasmMemoryDescriptor) => WasmMemory;

/** The exports of a compiled kernel: functions of 32-bit integers. */
export interface WasmExports {
  readonly [name: string]: (...args: number[]) => number;
}

/** The members of the namespace that this package uses. */
interface WasmNamespace {
  readonly Memory: WasmMemoryConstructor & { readonly prototype: WasmMemory };
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: Record<string, Record<string, unknown>>) => { readonly exports: WasmExports };
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}

declare const WebAssembly: WasmNamespace | undefined;

/** Returns the engine's constructor of memories, or null if the engine has no WebAssembly. */
export function engineMemoryConstructor(): WasmMemoryConstructor | null {
  return typeof WebAssembly === "undefined" ? null : WebAssembly.Memory;
}

/** Returns true if the engine accepts a module; false if the engine has no WebAssembly. Never throws. */
export function engineAccepts(bytes: Uint8Array<ArrayBuffer>): boolean {
  return typeof WebAssembly === "undefined" ? false : WebAssembly.validate(bytes);
}

/**
 * Compiles a module and instantiates it synchronously. Returns its exports. Throws UNIMPLEMENTED if the engine has no WebAssembly, and what
 * the engine throws: a CompileError of its realm, or the refusal of a content security policy.
 */
export function instantiateNow(bytes: Uint8Array<ArrayBuffer>, imports: Record<string, Record<string, unknown>>): WasmExports {
  if (typeof WebAssembly === "undefined") throw new UnimplementedError("this engine has no WebAssembly");
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), imports).exports;
}

/**
 * Returns the buffer of `memory` if it is a memory of the engine, of any realm, otherwise null. `instanceof` would reject memories of other
 * realms, and a property `buffer` can be forged. The engine's own getter throws for every other object.
 */
export function engineMemoryBuffer(memory: unknown): ArrayBufferLike | null {
  if (typeof WebAssembly === "undefined") return null;
  const getter = Object.getOwnPropertyDescriptor(WebAssembly.Memory.prototype, "buffer")?.get;
  try {
    return (getter?.call(memory) as ArrayBufferLike | undefined) ?? null;
  } catch {
    return null; // a TypeError: not a memory
  }
}
