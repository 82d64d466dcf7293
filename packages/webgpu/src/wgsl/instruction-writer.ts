/**
 * InstructionWriter: the part of WgslSource that the forms of instructions call.
 */
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import type { WgslFunction } from "./wgsl-functions.ts";

/** What writes expressions and knows the text of vectors: see WgslSource. */
export interface InstructionWriter {
  value(kind: VectorKind, text: string): Vector;
  mask(condition: string): Vector;
  text(vector: Vector, kind?: VectorKind): string;
  conditionOf(vector: Vector): string | null;
  condition(vector: Vector): string;
  uses(name: WgslFunction): string;
}

/** Comparisons by the words of instructions. */
export const kComparisons: Readonly<Record<string, string>> = { eq: "==", ne: "!=", lt: "<", gt: ">", le: "<=", ge: ">=" };
