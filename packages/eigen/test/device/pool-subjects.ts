// What the tests of pools share: pools that divide small work, maps of numbers, and comparisons of bits.
import type { tensorMap } from "@onebuffer/eigen";
import { linearMemory } from "@onebuffer/wasm";
import { blockLimits } from "@onebuffer/compiler/src/split/reduce-in-blocks";
import { crewLimits } from "../../src/device/pool-crew.js";
import { poolLimits } from "../../src/device/thread-pool.js";
import { arenaMap } from "../kernel/kernel-subjects.ts";

/** Has pools divide everything that can be divided. Returns the function that undoes it. */
export function divideAll(limits: Partial<typeof poolLimits> = {}): () => void {
  const before = { ...poolLimits };
  const { leastElements } = blockLimits;
  blockLimits.leastElements = 2000;
  Object.assign(poolLimits, { partNs: 1, leastSpinningNs: 0, leastParkedNs: 0, learns: false, ...limits });
  return () => {
    Object.assign(poolLimits, before);
    blockLimits.leastElements = leastElements;
  };
}

/** The elements of all maps of numbers, each of which begins somewhere among them. */
const sines: number[] = [];

/** A map whose elements depend on their place. */
export function numbers(dims: readonly number[], seed: number = 1): ReturnType<typeof tensorMap<"float32", number[]>> {
  const map = arenaMap("float32", dims as number[]) as unknown as ReturnType<typeof tensorMap<"float32", number[]>>;
  const { data } = map;
  for (let n = sines.length; n < data.length + seed; n++) sines.push(Math.sin(n * 12.9898) * 3);
  for (let i = 0; i < data.length; i++) data[i] = sines[i + seed]!;
  return map;
}

/** Has pools wait only a moment for workers that do not end by themselves. Returns the function that undoes it. */
export function endSoon(): () => void {
  const { endMs } = crewLimits;
  crewLimits.endMs = 20;
  return () => void (crewLimits.endMs = endMs);
}

/** The bytes of a map. */
export function bytesOf({ data }: { readonly data: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number } }): Buffer {
  return Buffer.from(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

/** True if this process can share memory between threads. */
export const canShare = (): boolean => linearMemory().isAvailable && linearMemory().isShared;
