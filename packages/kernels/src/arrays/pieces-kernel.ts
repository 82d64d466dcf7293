/**
 * pieces-kernel: copies blocks of memory by one call, however many there are (tensorflow/core/kernels/concat_lib_cpu.h).
 *
 *     [64, 64] into the middle of [66, 66]     64 rows of 256 bytes, 256 bytes apart in one and 264 in the other
 *     a border of zeros around it              rows of 264 bytes and of 4, all read from the same few bytes
 *
 * The blocks are a table of 32-bit words, nine for each (see kBlockWords).
 */
import type { WasmModule } from "@onebuffer/wasm/internal";
import { elementAccess } from "../lanes/lane-memory.ts";
import { arrayKernel, textFunction } from "../calls/array-kernel.ts";

/** The words of a block: from, to; size, step in both of the outer loop; the same of the inner loop; the bytes of a run. */
export const kBlockWords = 9;

/** How the bytes of a run are copied: a vector at a time, 8 to 1 bytes at a time, or by one instruction: 0. */
export type RunUnit = 0 | 16 | 8 | 4 | 2 | 1;

/** The bytes from which a run is copied by one instruction, which costs as much as a few dozen others. */
const kLongRun = 512;

/** Returns how runs of so many bytes are copied. */
export function runUnit(run: number): RunUnit {
  if (run >= kLongRun) return 0;
  return run >= 16 ? 16 : (([8, 4, 2] as const).find((bytes) => run % bytes === 0) ?? 1);
}

/** Returns the function that copies `count` blocks, whose words are at an address; null if the engine refuses it. */
export function piecesKernel(unit: RunUnit): ((table: number, count: number) => number) | null {
  return arrayKernel(`pieces of ${unit}`, (module) => writePieces(module, unit))?.["pieces"] ?? null;
}

/** Writes the loops over blocks, their two loops and the runs. The last, shorter vector of a run is a whole one that overlaps the one before. */
function writePieces(module: WasmModule, unit: RunUnit): void {
  const word = (index: number): string => `table i32.load:${4 * index}`;
  const move = `target k + source k + ${elementAccess[unit || 16]!.join(" ")}`;
  const vectors = `
    0 ->k
    loop
      ${move}
      k+=${unit}
    k last i32.le_s while
    ${unit === 16 ? `last ->k ${move}` : ""}`;
  textFunction(
    module,
    "pieces",
    "table count",
    "from to size source target inner run k last",
    `loop
      ${word(0)} ->from
      ${word(1)} ->to
      ${word(2)} ->size
      ${word(8)} ->run
      run ${unit} - ->last
      loop
        from ->source
        to ->target
        ${word(5)} ->inner
        loop
          ${unit === 0 ? "target source run memory.copy" : vectors}
          source ${word(6)} + ->source
          target ${word(7)} + ->target
          inner+=-1
        inner while
        from ${word(3)} + ->from
        to ${word(4)} + ->to
        size+=-1
      size while
      table+=${4 * kBlockWords}
      count+=-1
    count while
    0`,
  );
}
