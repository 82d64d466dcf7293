// The tensors that are sent through both readers, encoded as `{ dtype, dims, content }` or `{ dtype, dims, strings }` (see
// tensorflow_side.py): deterministic, with any bit pattern of every dtype.
import { dataTypeOf, dtypeSize } from "@onebuffer/base";

/**
 * Shapes: a scalar, single elements, empty tensors with the zero at every position, and lengths whose varint has one to three
 * bytes.
 */
export const kShapes = [[], [1], [3], [2, 3], [0], [0, 3], [2, 0, 4], [1, 2, 1, 3, 1], [257], [6, 3001]];

/** Bit patterns that a careless reader changes: signaling NaNs with payloads, negative zero, infinities, the smallest numbers. */
const kSpecial = {
  float32: ["010080ff", "0000a07f", "ffffffff", "ffff7f7f", "00000080", "01000000", "0000807f"],
  float64: ["010000000000f0ff", "000000000000f47f", "ffffffffffffffff", "0000000000000080", "0100000000000000", "000000000000f07f"],
  complex64: ["010080ff0000a07f", "000000800000807f", "0000000000000080"],
  complex128: ["010000000000f0ff000000000000f47f", "0000000000000080000000000000f07f"],
  float16: ["017c", "01fe", "ff7f", "0080", "0100", "00fc"],
  bfloat16: ["817f", "c1ff", "ffff", "0080", "0100", "80ff"],
};

/** The bits that are used in an element of one byte. */
export const kMask = { bool: 1, int4: 15, uint4: 15, int2: 3, uint2: 3, float4_e2m1fn: 15 };

/** A generator of bytes (linear congruential). */
function bytesFrom(seed, count) {
  const out = new Uint8Array(count);
  let state = (seed * 2654435761 + 12345) >>> 0;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[i] = state >>> 24;
  }
  return out;
}

const count = (dims) => dims.reduce((a, b) => a * b, 1);
/** The two hexadecimal digits of each byte. */
const kDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
export const hexOf = ({ buffer, byteOffset, byteLength }) =>
  Array.from(new Uint8Array(buffer, byteOffset, byteLength), (byte) => kDigits[byte]).join("");
export const bytesOf = (hex) => Uint8Array.from({ length: hex.length / 2 }, (_, k) => parseInt(hex.slice(2 * k, 2 * k + 2), 16));

/** Returns strings: UTF-8 and other bytes, empty ones, and one whose length does not fit in one byte of varint. */
function strings(n, seed) {
  return Array.from({ length: n }, (_, i) => {
    if (i % 5 === 1) return "";
    if (i % 5 === 2) return hexOf(new TextEncoder().encode(`grün ${i}`));
    if (i % 5 === 3) return hexOf(bytesFrom(seed + i, 200));
    return hexOf(bytesFrom(seed + i, 1 + (i % 7)));
  });
}

/** Returns an encoded tensor of a dtype and shape. */
export function sample(dtype, dims, seed = 1) {
  const n = count(dims);
  const encoded = { dtype: dataTypeOf(dtype), dims };
  if (dtype === "string") return { ...encoded, strings: strings(n, seed) };
  const bytes = bytesFrom(seed + 31 * dims.length + n, n * dtypeSize(dtype));
  const mask = kMask[dtype];
  if (mask !== undefined) for (let i = 0; i < bytes.length; i++) bytes[i] &= mask;
  const special = bytesOf((kSpecial[dtype] ?? []).join("")).subarray(0, bytes.length);
  bytes.set(special);
  return { ...encoded, content: hexOf(bytes) };
}

/** Returns encoded tensors for compression: all elements equal, runs at the end, all zero, all negative zero, random. */
export function compressible(dtype, n = 100) {
  const size = dtypeSize(dtype);
  const random = bytesOf(sample(dtype, [n], 9).content);
  const at = (i) => random.subarray(i * size, (i + 1) * size);
  const build = (element) => {
    const out = new Uint8Array(n * size);
    for (let i = 0; i < n; i++) out.set(element(i), i * size);
    return hexOf(out);
  };
  const zero = new Uint8Array(size);
  const signed = new Uint8Array(size);
  signed[size - 1] = ((kMask[dtype] ?? 255) + 1) >> 1;
  const encoded = { dtype: dataTypeOf(dtype), dims: [n] };
  return [
    ["all zero", build(() => zero)],
    ["all equal", build(() => at(1))],
    ["60 different, then equal", build((i) => at(Math.min(i, 60)))],
    ["3 different, then equal", build((i) => at(Math.min(i, 3)))],
    ["all the sign bit", build(() => signed)],
    ["zero, then the sign bit", build((i) => (i === 0 ? zero : signed))],
    ["the sign bit, then zero", build((i) => (i === 0 ? signed : zero))],
    ["no rule", build(at)],
  ].map(([name, content]) => [name, { ...encoded, content }]);
}
