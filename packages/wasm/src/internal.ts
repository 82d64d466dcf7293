/**
 * The exports for other packages of onebuffer: the assembler, vector programs and math functions. They are not part of the public interface
 * and may change without notice.
 */
export { CodeWriter } from "./assembler/assembler-code.ts";
export type { Callable, ValueType } from "./assembler/assembler-code.ts";
export type { AtomicInstruction, MemoryInstruction, PlainInstruction } from "./assembler/assembler-instructions.ts";
export { WasmFunction, WasmModule } from "./assembler/assembler.ts";
export { writeText } from "./assembler/assembler-text.ts";
export { moduleText } from "./assembler/assembler-listing.ts";
export { detectEngine, engine } from "./assembler/engine.ts";
export type { Engine } from "./assembler/engine.ts";
export { expNonPositive } from "./math/exp.ts";
export { sizeFrom } from "./math/float-format.ts";
export { binaryMath, unaryMath } from "./math/math-table.ts";
export type { BinaryMathName, UnaryMathName } from "./math/math-table.ts";
export { FreeRanges } from "./memory/free-ranges.ts";
export { memoryMarkOn } from "./memory/memory-mark.ts";
export type { MemoryMark } from "./memory/memory-mark.ts";
export type { WasmExports } from "./memory/web-assembly.ts";
export { instantiateNow } from "./memory/web-assembly.ts";
export { VectorBuilder } from "./vector/vector-builder.ts";
export type { VectorVariable } from "./vector/vector-builder.ts";
export { kSignedKinds, laneBytes, Vector } from "./vector/vector.ts";
export type { VectorKind, VectorNode, VectorSource } from "./vector/vector.ts";
