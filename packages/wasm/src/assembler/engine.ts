/**
 * engine: what the WebAssembly of this process can do, found out by asking it (Eigen's counterpart is its table of packet
 * traits, chosen by the compiler's flags; here nothing is known before the program runs).
 *
 *     feature      asked by                          decides
 *     SIMD         validating one v128 instruction   whether there are kernels
 *     relaxed      validating f32x4.relaxed_madd     multiply-add in one instruction
 *     age          whether Math.f16round is there    how far loops are unrolled
 *
 * No engine is recognised by its name. V8 has had f16round for about as long as its compiler has kept instructions in the order that they
 * are written in; before, it moved all loads of a block to its top, and long bodies side by side ran out of registers. The
 * table is measured: see docs/expressions.md.
 */
import { engineAccepts } from "../memory/web-assembly.ts";

/** What kernels may use, and how far their bodies are unrolled. */
export interface Engine {
  /** Whether v128 instructions exist; without them there are no kernels. */
  readonly simd: boolean;
  /** Whether relaxed SIMD exists: madd in one instruction. */
  readonly relaxed: boolean;
  /** How many vectors of a value a loop works on side by side. */
  readonly unroll: Unrolling;
}

/** Vectors side by side, by what a loop's body is. */
export interface Unrolling {
  /** Arithmetic: memory is the limit. */
  readonly light: number;
  /** With e^x and its like: few values alive, but each waits for the one before. */
  readonly powers: number;
  /** With other elementary functions, which keep many values alive. */
  readonly long: number;
}

const kHoisting: Unrolling = { light: 4, powers: 6, long: 4 };
const kInOrder: Unrolling = { light: 4, powers: 8, long: 8 };

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

/** Asks a validator, by default the engine's own; `isRecent` says which row of the table it gets. */
export function detectEngine(
  accepts: (bytes: Uint8Array<ArrayBuffer>) => boolean = engineAccepts,
  isRecent: boolean = "f16round" in Math,
): Engine {
  const simd = accepts(probe([...splatZero, drop]));
  const relaxed = simd && accepts(probe([...splatZero, ...splatZero, ...splatZero, 0xfd, 0x85, 0x02, drop]));
  return { simd, relaxed, unroll: isRecent ? kInOrder : kHoisting };
}

let current: Engine | null = null;

/** The engine of this process, asked once. */
export function engine(): Engine {
  current ??= detectEngine();
  return current;
}
