/**
 * What the tests of several packages share: assertions about StatusErrors, allocators that fail or misbehave, small WebAssembly
 * kernels, a stopwatch, samples of long tables, programs in processes of their own.
 */
export { builtProgram } from "./built-program.ts";
export { expectMistakes } from "./expect-mistakes.ts";
export { expectRefusal } from "./expect-refusal.ts";
export { expectStatus, statusErrorsOnly } from "./expect-status.ts";
export { CountingMemory, ExactTracking, LyingMemory, NoMemory, OddMemory, OpaqueHandles } from "./hostile-allocators.ts";
export { inProcess } from "./in-process.ts";
export type { RegionHabits } from "./odd-sub-allocators.ts";
export { BlockRegions, TestRegions } from "./odd-sub-allocators.ts";
export { refusal, refusalText } from "./refusal.ts";
export { isLong, sampled } from "./sampled.ts";
export { stopwatch } from "./stopwatch.ts";
export { thrown } from "./thrown.ts";
export { hasRelaxedSimd, instantiate, kernelOf, memory, memoryImport, slot, wasm } from "./vector-subjects.ts";
