/**
 * select-places: finds the first few places of a row in sorted order in one pass over it (TensorFlow's topk_op.cc; no heap is needed).
 *
 *     row       | first m elements | 64 bytes | 64 bytes | …            the best k of the first m are sorted
 *     filter    a kernel lists the pieces of 64 bytes in which an element is better than the k-th best so far
 *     then      these elements join the best, which are sorted again: the k-th best only becomes better
 *
 * Elements that come later lose against equal ones, so the order is that of the stable sort. NaN is never better.
 */
import type { TypedArray } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";
import type { Numbers } from "./dense-array.ts";
import { mergedPlaces } from "./merged-places.ts";

type Plain = Parameters<CodeWriter["op"]>[0];
type Access = Parameters<CodeWriter["memory"]>[0];

/** The bytes that the filter compares at a time. */
const kPieceBytes = 64;

/** The comparisons of elements by the tag of their array. There is none for unsigned integers of 64 bits. */
const kComparisons: Readonly<Record<string, readonly [lanes: string, sign: string]>> = {
  Float32Array: ["f32x4", ""],
  Float64Array: ["f64x2", ""],
  Int8Array: ["i8x16", "_s"],
  Int16Array: ["i16x8", "_s"],
  Int32Array: ["i32x4", "_s"],
  BigInt64Array: ["i64x2", "_s"],
  Uint8Array: ["i8x16", "_u"],
  Uint16Array: ["i16x8", "_u"],
  Uint32Array: ["i32x4", "_u"],
};

/**
 * Returns the first `kept` places of a row in sorted order. Returns null if sorting the whole row is as good: the row is outside the
 * linear memory or short, many elements are better than all before them, or the engine refuses the kernel.
 */
export function selectPlaces(row: TypedArray, kept: number, descending: boolean): readonly number[] | null {
  const { length: width, BYTES_PER_ELEMENT: item, byteOffset: start } = row;
  const values = row as Numbers;
  const first = Math.max(4 * kept, 128);
  const tag = Object.prototype.toString.call(row).slice(8, -1);
  const comparison = kComparisons[tag];
  if (width < 16 * first || comparison === undefined || row.buffer !== linearMemory().buffer) return null;
  const kernel = arrayKernel(`select ${tag} ${descending}`, (module) => writeFilter(module, comparison, item, descending));
  if (kernel === null) return null;
  const mark = scratchMark();
  try {
    const room = Math.max(16, kept >> 2);
    const list = takeScratch(room * 4 + 4);
    const words = new Uint32Array(linearMemory().buffer, list, room + 1);
    const each = kPieceBytes / item;
    const end = width - ((width - first) % each);
    let best: number[] = [];
    let next = 0;
    for (let left = width / 8; left > 0; ) {
      const bound = best[kept - 1] ?? 0;
      if (next === 0 || next === end || values[bound] !== values[bound]) {
        // The first and the last elements; or the best are not k numbers yet, and every element is a candidate.
        for (const stop = Math.min(width, next + first); next < stop; next++) best.push(next);
      } else {
        const reached = kernel["filter"]!(start + next * item, start + end * item, start + bound * item, list, list + room * 4);
        next = ((reached >>> 0) - start) / item;
        for (let p = 0; p < ((words[room] as number) - list) / 4; p++) {
          const piece = ((words[p] as number) - start) / item;
          for (let k = piece; k < piece + each; k++) {
            if (descending ? (values[k] as number) > (values[bound] as number) : (values[k] as number) < (values[bound] as number))
              best.push(k);
          }
        }
      }
      left -= best.length - kept;
      const order = mergedPlaces(
        best.map((place) => values[place] as number),
        descending,
      );
      best = Array.from(order.subarray(0, kept), (place) => best[place] as number);
      if (next === width) return best;
    }
    return null;
  } finally {
    releaseScratch(mark);
  }
}

/**
 * Writes the function that goes through pieces until the end, or until the list is full, and returns the address that it reached. The
 * addresses of pieces with an element better than the one at `bound` are stored in the list, and behind its room the address where it ends.
 */
function writeFilter(module: WasmModule, [lanes, sign]: readonly [string, string], item: number, descending: boolean): void {
  const { target, at: locals } = arrayFunction(module, "filter", ["at", "end", "bound", "list", "listEnd"], []);
  const { at, end, bound, list, listEnd } = locals;
  const limit = target.local("v128", "limit");
  const code = target.body;
  code
    .get(bound)
    .memory(`v128.load${item * 8}_splat` as Access)
    .set(limit);
  const next = code.loop();
  for (let offset = 0; offset < kPieceBytes; offset += 16) {
    code
      .get(at)
      .memory("v128.load", offset)
      .get(limit)
      .op(`${lanes}.${descending ? "gt" : "lt"}${sign}` as Plain);
    if (offset > 0) code.op("v128.or");
  }
  code.op("v128.any_true").if();
  code.get(list).get(at).memory("i32.store").addTo(list, 4).end();
  code.addTo(at, kPieceBytes);
  code.get(at).get(end).op("i32.lt_u").get(list).get(listEnd).op("i32.lt_u").op("i32.and").brIf(next).end();
  code.get(listEnd).get(list).memory("i32.store").get(at);
}
