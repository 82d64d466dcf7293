/** The entry `onebuffer/debug`: what shows where memory is, who holds it, and which kernels ran. */
export { bufferLedger, memorySnapshot } from "@onebuffer/allocator/internal";
export type {
  ArenaSnapshot,
  BufferLedger,
  LedgerEntry,
  LedgerMistake,
  LedgerOptions,
  LedgerSubject,
  MemorySnapshot,
} from "@onebuffer/allocator/internal";
export { describe } from "@onebuffer/core/internal";
export type {
  AllocatorDescription,
  DescribedTensor,
  Description,
  Placement,
  RootDescription,
  ShapeDescription,
  ShapeField,
  TensorPicture,
} from "@onebuffer/core/internal";
export { assignByReference } from "@onebuffer/eigen/internal";
export { explain, kernelFallbacks } from "@onebuffer/compiler/internal";
export { kernelCounts, setKernelHooks } from "@onebuffer/kernels/internal";
export type { ExplainedStep, Explanation } from "@onebuffer/compiler/internal";
export type { KernelCounts, KernelForm, KernelHooks } from "@onebuffer/kernels/internal";
export { LinearMemory, linearMemory } from "@onebuffer/wasm";
export type { LinearMemoryOptions, WasmMemory, WasmMemoryConstructor, WasmMemoryDescriptor } from "@onebuffer/wasm";
