/**
 * engine: what the WebAssembly of this process can do, found out by asking it (Eigen's counterpart is its table of packet
 * traits, chosen by the compiler's flags; here nothing is known before the program runs).
 *
 *     feature      asked by                          unrolling (vectors of a value side by side)
 *     SIMD         validating one v128 instruction   light bodies 4, heavy ones (elementary functions) 4
 *     relaxed      validating f32x4.relaxed_madd
 *
 * No engine is recognised by its name. Older ones hoist all loads of a block to its top, which spills registers when there are
 * many; what follows from that for accumulators is in kernel-rows. The two numbers are apart so that they can be told apart.
 */
import { engineAccepts } from "../web-assembly.ts";

/** What kernels may use, and how far their bodies are unrolled. */
export interface Engine {
  /** Whether v128 instructions exist; without them there are no kernels. */
  readonly simd: boolean;
  /** Whether relaxed SIMD exists: madd in one instruction. */
  readonly relaxed: boolean;
  /** Registers per value in a loop body that keeps few values alive. */
  readonly unrollLight: number;
  /** Registers per value in a loop body that keeps many alive. */
  readonly unrollHeavy: number;
}

/** A module with one function `() -> ()` of these instructions. */
function probe(instructions: readonly number[]): Uint8Array<ArrayBuffer> {
  const body = [0, ...instructions, 0x0b];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 4, 1, 0x60, 0, 0],
    ...[3, 2, 1, 0],
    ...[10, body.length + 2, 1, body.length, ...body],
  ]);
}

const splatZero = [0x41, 0, 0xfd, 17];
const drop = 0x1a;

/** Asks a validator, by default the engine's own. */
export function detectEngine(accepts: (bytes: Uint8Array<ArrayBuffer>) => boolean = engineAccepts): Engine {
  const simd = accepts(probe([...splatZero, drop]));
  const relaxed = simd && accepts(probe([...splatZero, ...splatZero, ...splatZero, 0xfd, 0x85, 0x02, drop]));
  return { simd, relaxed, unrollLight: 4, unrollHeavy: 4 };
}

let current: Engine | null = null;

/** The engine of this process, asked once. */
export function engine(): Engine {
  current ??= detectEngine();
  return current;
}
