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
import type { WasmModule } from "@onebuffer/wasm/internal";
import { linearMemory } from "@onebuffer/wasm";
import { takeScratch } from "../plan/scratch.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";

/** The bytes that the kernel reads at a time. */
const kPiece = 16;
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
    writeCount(module);
    writePlaces(module);
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

/** Writes the function that counts the bytes that are not 0. */
function writeCount(module: WasmModule): void {
  const { target, at } = arrayFunction(module, "count", ["from", "count"], ["end", "found"]);
  const zero = target.local("v128", "zero");
  const code = target.body;
  code.get(at.from).get(at.count).op("i32.add").set(at.end);
  const next = code.loop();
  code.get(at.from).memory("v128.load").get(zero).op("i8x16.ne").op("i8x16.bitmask").op("i32.popcnt");
  code.get(at.found).op("i32.add").set(at.found);
  code.addTo(at.from, kPiece).get(at.from).get(at.end).op("i32.lt_u").brIf(next).end();
  code.get(at.found);
}

/** Writes the function that stores the places of the bytes that are not 0. It stores up to three words behind the last one. */
function writePlaces(module: WasmModule): void {
  const { target, at } = arrayFunction(module, "places", ["from", "count", "to", "table"], ["place", "bits", "four"]);
  const zero = target.local("v128", "zero");
  const code = target.body;
  const next = code.loop();
  code.get(at.from).get(at.place).op("i32.add").memory("v128.load").get(zero).op("i8x16.ne").op("i8x16.bitmask").tee(at.bits).if();
  for (let lane = 0; lane < kPiece; lane += 4) {
    code.get(at.bits).i32(lane).op("i32.shr_u").i32(15).op("i32.and").set(at.four);
    code.get(at.to);
    code.get(at.table).get(at.four).i32(4).op("i32.shl").op("i32.add").memory("v128.load");
    code.get(at.place).i32(lane).op("i32.add").op("i32x4.splat").op("i32x4.add").memory("v128.store");
    code.get(at.to).get(at.four).op("i32.popcnt").i32(2).op("i32.shl").op("i32.add").set(at.to);
  }
  code.end();
  code.addTo(at.place, kPiece).get(at.place).get(at.count).op("i32.lt_u").brIf(next).end();
  code.i32(0);
}
