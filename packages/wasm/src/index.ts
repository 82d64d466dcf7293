export { LinearMemory, linearMemory } from "./memory/linear-memory.ts";
export type { LinearMemoryOptions } from "./memory/linear-memory.ts";
export type { WasmMemory, WasmMemoryConstructor, WasmMemoryDescriptor } from "./memory/web-assembly.ts";
