/**
 * GpuPlan: what a program does at each run: steps over numbered pieces of memory, with nothing of a device in it.
 *
 *     slots    0 leaf 0    1 result 0    2 scratch, 4096 bytes
 *     steps    dispatch rows: slots 2, 0     dispatch map: slots 1, 2
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import type { Dispatch } from "../wgsl/shader.ts";

/** A piece of memory of a run: a map that is read, a result, scratch memory, or the flag of invalid elements. */
export interface Slot {
  readonly role: "leaf" | "result" | "scratch" | "flag";
  /** Which leaf or result it is; 0 for other memory. */
  readonly index: number;
  readonly bytes: number;
}

/** Sets all bytes of a slot to 0. */
export interface Clear {
  readonly kind: "clear";
  readonly slots: readonly [number];
}

/** Copies bytes from one slot to another. Offsets and the count are multiples of 4. */
export interface Copy {
  readonly kind: "copy";
  readonly slots: readonly [from: number, to: number];
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** One command of a run. */
export type GpuStep = Dispatch | Clear | Copy;

/** The commands of a program. */
export interface GpuPlan {
  readonly slots: readonly Slot[];
  readonly steps: readonly GpuStep[];
  /** For each step the node that it computes, for explain; null for a command of no expression. */
  readonly subjects: readonly (ExpressionTree | null)[];
  /** The number of the slot of the flag; -1 if no step reports invalid elements. */
  readonly flag: number;
}

/** Dense elements in a slot. */
export interface Stored {
  readonly slot: number;
  readonly dtype: DType;
  readonly dimensions: readonly number[];
}
