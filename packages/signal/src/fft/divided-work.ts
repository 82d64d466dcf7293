/**
 * divided-work: runs work over units that are independent, on this thread or in parts on the threads of a pool.
 */
import { noteRun, releaseScratch, scratchMark, takeScratch, workSplitter } from "@onebuffer/kernels/internal";
import type { WorkSplitter } from "@onebuffer/kernels/internal";
import type { FftFunction } from "./fft-module.ts";

/** Work over units from `begin` to `end`, with scratch memory. Calls of kernels go to the splitter if there is one. */
export type UnitWork = (begin: number, end: number, scratch: number, splitter: WorkSplitter | null) => void;

/** Parts per thread, which even out differences of speed. */
const kPartsPerThread = 2;

/** Calls a kernel here, or adds the call to the present part of a splitter. */
export function callKernel(splitter: WorkSplitter | null, kernel: FftFunction, ...numbers: readonly number[]): void {
  if (splitter === null) kernel.run(...numbers);
  else splitter.call(kernel, "run", ...numbers);
}

/**
 * Runs work over `units` units, of which each takes about so many nanoseconds. `subject` is an object that is kept as long as such work is
 * expected: what is learned of its times is kept with it. Throws RESOURCE_EXHAUSTED if there is no scratch memory.
 */
export function runUnits(subject: object, nanoseconds: number, units: number, scratchBytes: number, run: UnitWork): void {
  const mark = scratchMark();
  const splitter = workSplitter();
  noteRun();
  try {
    const parts =
      units > 1 && splitter !== null && splitter.divides(subject, units * nanoseconds)
        ? splitter.parts(Math.min(units, kPartsPerThread * splitter.numThreads))
        : 1;
    if (splitter === null || parts < 2) {
      run(0, units, takeScratch(scratchBytes), null);
      splitter?.ranWhole();
      return;
    }
    const bounds = Array.from({ length: parts }, (_, part): readonly [number, number] => [
      Math.floor((units * part) / parts),
      Math.floor((units * (part + 1)) / parts),
    ]);
    for (const [begin, end] of bounds) {
      splitter.begin();
      run(begin, end, takeScratch(scratchBytes), splitter);
    }
    splitter.run(true, () => ({ by: "rows", sizes: [units], parts: bounds.map(([begin, end]) => ({ begin: [begin], end: [end] })) }));
  } finally {
    releaseScratch(mark);
  }
}
