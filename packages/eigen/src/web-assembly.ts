/**
 * web-assembly: the few words of the `WebAssembly` namespace that this package uses (no counterpart in TensorFlow).
 *
 * The compiler's own declarations come only with those of a whole browser or worker. Sources here see neither, so the
 * names are declared by hand: structural, so that the engine's own objects and the full declarations fit them.
 */

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

declare const WebAssembly: { readonly Memory: WasmMemoryConstructor & { readonly prototype: WasmMemory } } | undefined;

/** The engine's constructor of memories, or null where there is no WebAssembly. */
export function engineMemoryConstructor(): WasmMemoryConstructor | null {
  return typeof WebAssembly === "undefined" ? null : WebAssembly.Memory;
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
