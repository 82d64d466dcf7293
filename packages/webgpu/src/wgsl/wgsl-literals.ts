/**
 * Numbers as literals of WGSL, with exactly their bits.
 */
import type { VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";

const kScratch: DataView = new DataView(new ArrayBuffer(8));

/** Returns the bits of a number in lanes of a kind: one word, or two for lanes of 64 bits, the lower one first. */
export function bitsOf(kind: VectorKind, value: number | bigint): readonly number[] {
  if (kind === "f32x4") {
    kScratch.setFloat32(0, Number(value), true);
    return [kScratch.getUint32(0, true)];
  }
  if (kind === "f64x2") kScratch.setFloat64(0, Number(value), true);
  else kScratch.setBigInt64(0, BigInt.asIntN(64, BigInt(value)), true);
  const low = kScratch.getUint32(0, true);
  return laneBytes[kind] === 8 ? [low, kScratch.getUint32(4, true)] : [low];
}

/** Returns a number as a literal. Floats that WGSL has no literals for are read from their bits, with a zero that compilers do not know. */
export function literal(kind: VectorKind, value: number | bigint): string {
  const [low, high] = bitsOf(kind, value) as readonly [number, number];
  if (laneBytes[kind] === 8) return `vec2<u32>(${low}u, ${high}u)`;
  if (kind !== "f32x4") return integerLiteral(kind, low);
  const float = kScratch.getFloat32(0, true);
  if (!Number.isFinite(float)) return `bitcast<f32>(${low}u | zero)`;
  const isPlain = !Object.is(float, -0) && (float === 0 || Math.abs(float) >= 2 ** -126);
  return isPlain ? floatLiteral(float) : `bitcast<f32>(${low}u)`;
}

function integerLiteral(kind: VectorKind, low: number): string {
  const bits = laneBytes[kind] * 8;
  if (kind.startsWith("u")) return `${bits === 32 ? low : low & (2 ** bits - 1)}u`;
  const signed = (low << (32 - bits)) >> (32 - bits);
  if (signed === -(2 ** 31)) return "(-2147483647i - 1i)";
  return signed < 0 ? `(${signed}i)` : `${signed}i`;
}

/** Returns a normal float as a hexadecimal literal, which is exact. */
function floatLiteral(value: number): string {
  if (value === 0) return "0.0f";
  const magnitude = Math.abs(value);
  const log = Math.floor(Math.log2(magnitude));
  const exponent = 2 ** log > magnitude ? log - 1 : log;
  const text = `0x${((magnitude / 2 ** exponent) * 2 ** 23).toString(16)}p${exponent - 23}f`;
  return value < 0 ? `(-${text})` : text;
}
