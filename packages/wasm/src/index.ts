/**
 * The public exports of `@onebuffer/wasm`: the linear memory that arena tensors and kernels share. The assembler, vector programs and math
 * functions are exported by internal.ts, for other packages of onebuffer only.
 */
export { LinearMemory, linearMemory } from "./memory/linear-memory.ts";
export type { LinearMemoryOptions } from "./memory/linear-memory.ts";
export type { WasmMemory, WasmMemoryConstructor, WasmMemoryDescriptor } from "./memory/web-assembly.ts";
