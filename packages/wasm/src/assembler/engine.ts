/**
 * engine: detects the WebAssembly features of this process at run time. The counterpart in Eigen is the table of packet traits, which
 * compiler flags select before the program runs.
 *
 *     feature      detected by                       decides
 *     SIMD         validating one v128 instruction   whether there are kernels
 *     relaxed      validating f32x4.relaxed_madd     multiply-add in one instruction
 *     age          the presence of Math.f16round     how far loops are unrolled
 *
 * Engines are not recognized by name. V8 got f16round at about the time its compiler began to keep instructions in the order in
 * which they are written. Before, it moved all loads of a block to the top of the block, and long unrolled bodies ran out of registers.
 * The unroll factors are measured: see docs/contributing/kernels.md.
 */
import { engineAccepts } from "../memory/web-assembly.ts";

/** The features that kernels may use, and how far their loops are unrolled. */
export interface Engine {
  /** True if the engine has v128 instructions. Without them there are no kernels. */
  readonly simd: boolean;
  /** True if the engine has relaxed SIMD, in which multiply-add is one instruction. */
  readonly relaxed: boolean;
  /** How far loops are unrolled. */
  readonly unroll: Unrolling;
}

/** The number of copies of a loop's body that run side by side, by the kind of the body. */
export interface Unrolling {
  /** Arithmetic only, which is limited by memory. */
  readonly light: number;
  /** With exponentials, which keep few values alive but are long chains of dependent instructions. */
  readonly powers: number;
  /** With other elementary functions, which keep many values alive. */
  readonly long: number;
  /** The loop over k of a product of matrices, which keeps most registers busy. */
  readonly product: number;
}

/** For engines that move the loads of a block to its top. */
const kHoisting: Unrolling = { light: 4, powers: 6, long: 4, product: 1 };
/** For engines that keep instructions in order. */
const kInOrder: Unrolling = { light: 4, powers: 8, long: 8, product: 8 };

/** Returns a module with one function `() -> ()` of these instructions. */
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

/**
 * Detects the features by validating small modules with `accepts`, by default the engine's own validator. `isRecent` selects the unroll
 * factors of engines that keep instructions in order.
 */
export function detectEngine(
  accepts: (bytes: Uint8Array<ArrayBuffer>) => boolean = engineAccepts,
  isRecent: boolean = "f16round" in Math,
): Engine {
  const simd = accepts(probe([...splatZero, drop]));
  const relaxed = simd && accepts(probe([...splatZero, ...splatZero, ...splatZero, 0xfd, 0x85, 0x02, drop]));
  return { simd, relaxed, unroll: isRecent ? kInOrder : kHoisting };
}

let current: Engine | null = null;

/** Returns the features of this process, which are detected once. */
export function engine(): Engine {
  current ??= detectEngine();
  return current;
}
