/**
 * nonzero-kernel: the places of the bytes that are not 0, as WebAssembly.
 *
 *     bytes             0 1 1 0    1 0 0 0    …        four bytes at a time
 *     table[0110]       1 2 _ _    the lanes of the bits that are set come first
 *     stored            1 2 _ _                        4 more words, of which 2 are kept: the next ones are stored over the others
 *                           4 _ _ _
 *
 * Without branches that depend on a byte: which bytes are 0 cannot be predicted, and a wrong prediction costs as much as 16 bytes.
 */
import { linearMemory } from "@onebuffer/wasm";
import { takeScratch } from "../calls/scratch.ts";
import { arrayKernel, textFunction } from "../calls/array-kernel.ts";

/** The bytes that the kernel reads at a time. */
const kPiece = 16;
/** The words that push a mask of the bytes at the address on the stack that are not 0. */
const kMask = "v128.load zero i8x16.ne i8x16.bitmask";

/** Counts the bytes that are not 0. */
const kCountText = `
  from count + ->stop
  loop
    found from ${kMask} i32.popcnt + ->found
    from+=${kPiece}
  from stop < while
  found`;

/** Stores the places of the bytes that are not 0. It stores up to three words behind the last one. */
const kPlacesText = `
  loop
    from place + ${kMask} ->bits
    bits if
      ${[0, 4, 8, 12]
        .map(
          (lane) => `
      bits ${lane} >> 15 & ->four
      to  table four 4 << + v128.load  place ${lane} + i32x4.splat  i32x4.add v128.store
      to four i32.popcnt 2 << + ->to`,
        )
        .join("")}
    end
    place+=${kPiece}
  place count < while
  0`;

/** For each mask of four bits: the numbers of its bits that are set, and zeros. */
const kLanes = new Int32Array(Array.from({ length: 16 }, (_, mask) => lanesOf(mask)).flat());

function lanesOf(mask: number): number[] {
  const lanes = [0, 1, 2, 3].filter((lane) => (mask >> lane) & 1);
  return [...lanes, 0, 0, 0, 0].slice(0, 4);
}

/**
 * Returns the places of those of `count` bytes of scratch memory that are not 0, in ascending order, as a new array. Up to 15 bytes behind
 * them are cleared: scratch memory is taken in multiples of 256 bytes. Takes more of it. Returns null if the engine refuses the kernel.
 */
export function nonzeroPlaces(from: number, count: number): Int32Array<ArrayBuffer> | null {
  const kernel = arrayKernel("nonzero", (module) => {
    textFunction(module, "count", "from count", "stop found zero:v128", kCountText);
    textFunction(module, "places", "from count to table", "place bits four zero:v128", kPlacesText);
  });
  if (kernel === null) return null;
  const { buffer } = linearMemory();
  const read = Math.ceil(count / kPiece) * kPiece;
  new Uint8Array(buffer, from + count, read - count).fill(0);
  const found = kernel["count"]!(from, read);
  const table = takeScratch(kLanes.byteLength);
  new Int32Array(buffer, table, kLanes.length).set(kLanes);
  const to = takeScratch(found * 4 + 16);
  if (found > 0) kernel["places"]!(from, read, to, table);
  return new Int32Array(buffer, to, found).slice() as Int32Array<ArrayBuffer>;
}
