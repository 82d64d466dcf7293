/**
 * call-parts: divides the loops of a kernel call into parts for several threads.
 *
 *     map         any loop; the innermost in runs of whole cache lines
 *     tile        any loop; the two innermost in whole tiles
 *     rows        the loops of the result
 *     columns     the loops of the result; the innermost in runs of whole cache lines; windows likewise
 *
 * Every element of the result is computed by one part, from the same operands and in the same order as by the whole call.
 */
import { equalParts, nestPart, runsAcrossRows } from "@onebuffer/kernels/internal";
import type { DividedLoops, LoopNest, WorkSplitter } from "@onebuffer/kernels/internal";
import type { KernelSpec } from "../plan/kernel-spec.ts";

/** The bytes of a target's cache line: parts that share a line would send it back and forth. */
const kLineBytes = 64;

/** The part of a call that decides how it is divided. */
interface DividedCall {
  readonly spec: Pick<KernelSpec, "form" | "outerLoops">;
  readonly nest: LoopNest;
}

/** Returns the nanoseconds of a call by the estimate for one element of a kernel's loops. */
export function nanosecondsOfCall(perElement: number, { nest: { sizes } }: Pick<DividedCall, "nest">): number {
  let nanoseconds = perElement;
  for (let loop = 0; loop < sizes.length; loop++) nanoseconds *= sizes[loop] as number;
  return nanoseconds;
}

/** Returns the parts of a call that is to be divided; one or none if its loops are too short. */
export function partsOfCall(splitter: WorkSplitter, { spec, nest }: DividedCall): readonly LoopNest[] {
  const { sizes, accesses } = nest;
  const line = Math.max(1, kLineBytes / accesses[0]!.itemBytes);
  // For each loop the number of steps that stay together; 0 for loops that are not divided.
  const units = sizes.map((_, loop): number => {
    if (spec.form === "map") return loop === sizes.length - 1 ? line : 1;
    if (spec.form === "tile") return loop >= sizes.length - 2 ? line : 1;
    if (loop >= spec.outerLoops) return 0;
    return runsAcrossRows(spec.form) && loop === spec.outerLoops - 1 ? line : 1;
  });
  const counts = units.map((unit, loop) => (unit === 0 ? 0 : Math.floor((sizes[loop] as number) / unit)));
  const parts = splitter.parts(Math.max(0, ...counts));
  if (parts < 2) return [];
  // The outermost loop that is long enough: its parts are far apart in memory.
  let loop = counts.findIndex((count) => count >= parts);
  if (loop < 0) loop = counts.indexOf(Math.max(...counts));
  return equalParts(sizes[loop] as number, units[loop] as number, parts).map(([begin, end]) => nestPart(nest, loop, begin, end));
}

/** Returns the loops of a divided call. Its parts are consecutive ranges of one loop, and whole in all others. */
export function loopsOfParts({ spec, nest }: DividedCall, parts: readonly LoopNest[]): DividedLoops {
  const { sizes } = nest;
  const divided = sizes.findIndex((size, loop) => parts[0]!.sizes[loop] !== size);
  let next = 0;
  return {
    by: spec.form,
    sizes,
    parts: parts.map((part) => {
      const begin = sizes.map((_, loop) => (loop === divided ? next : 0));
      next += part.sizes[divided] as number;
      return { begin, end: sizes.with(divided, next) };
    }),
  };
}
