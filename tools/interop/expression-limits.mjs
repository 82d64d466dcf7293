// The limits of the checks of expressions: how far floats may be from the exact result, and where TensorFlow differs on purpose.
//
// Units are those in the last place of the dtype at the size that tensorflow_expressions.py returns as `scale`: the exact result,
// for sums the sum of the absolute values. float16 and bfloat16 are computed in float32 and rounded once: 1 unit for all
// operations.

import { records } from "./operation-records.mjs";

/** Limits for float32 and float64. Operations that are not listed here and not compared with NumPy bit for bit may be 2 units off. */
const kUnits = {
  ...Object.fromEntries(
    Object.entries(records).flatMap(([op, { accuracy, units: found }]) => (Array.isArray(accuracy) ? [[op, found ?? accuracy[0]]] : [])),
  ),
  sum: 2,
  mean: 2,
  cumsum: 4,
  matMul: 4,
  // Half a unit for each factor.
  prod: 130,
  cumprod: 20,
  softmax: 4,
  logSoftmax: 2,
  logSumExp: 2,
  layerNorm: 4,
  variance: 4,
  std: 4,
  norm: 2,
  l2Normalize: 4,
  silu: 4,
  gelu: 4,
  // TensorFlow uses the C library's logarithm, sine and cosine in the dtype itself.
  randomNormal: 4,
};

/** Limits for complex numbers: the distance in the complex plane, in units of the modulus. */
const kComplexUnits = { prod: 700, cumprod: 100, pow: 60 };

/** Limits for float64 where they are larger. */
const kDoubleUnits = Object.fromEntries(
  Object.entries(records).flatMap(([op, { accuracy }]) => (Array.isArray(accuracy) ? [[op, Math.max(accuracy[0], accuracy[1])]] : [])),
);

/** Returns how many units a result may be off; `bits` is the number of fraction bits of the result it is compared with. */
export function units(op, dtype, bits = 63) {
  const judge = bits < 60 && /64|128/.test(dtype.replace("complex64", "")) ? 2 : 0;
  if (dtype.startsWith("complex")) return (kComplexUnits[op] ?? 8) + judge;
  if (dtype === "float16" || dtype === "bfloat16") return 1;
  return (dtype === "float64" ? Math.max(kDoubleUnits[op] ?? kUnits[op] ?? 2, 2) : (kUnits[op] ?? 2)) + judge;
}

const isHalf = (dtype) => dtype === "float16" || dtype === "bfloat16";
const isFloat = (dtype) => /^b?float(16|32|64)$/.test(dtype);
const isZero = (x) => x === 0;

/**
 * Intended differences from TensorFlow. `when` selects the cases, `elements` (all unless given) the elements, by their operands,
 * our value and TensorFlow's. For these elements TensorFlow's result is ignored; NumPy's is not.
 */
export const kOnPurpose = [
  {
    why: "of two zeros +0 is the larger; in TensorFlow the sign depends on the element's place",
    when: ({ op }) => ["minimum", "maximum", "min", "max", "relu", "clip", "scatter"].includes(op),
    elements: (_, ours, theirs) => isZero(ours) && isZero(theirs),
  },
  {
    why: "0 divided by anything is +0; in TensorFlow the sign of a -0 depends on the element's place",
    when: ({ op }) => op === "xdivy",
    elements: (_, ours, theirs) => isZero(ours) && isZero(theirs),
  },
  {
    why: "an infinite order has no derivative; TensorFlow multiplies by the factorial of an order, which is infinite for large ones",
    when: ({ op }) => op === "polygamma",
    elements: ([order]) => order > 33,
  },
  {
    why: "sums, and maxima and minima of zeros, are +0 where TensorFlow keeps the sign of the first",
    when: ({ op }) => /^(unsortedS|s)egment/.test(op),
    elements: (_, ours, theirs) => isZero(ours) && isZero(theirs),
  },
  {
    why: "halves are computed in float32 and rounded once, TensorFlow rounds in between",
    when: ({ op, dtype }) => isHalf(dtype) && ["floorDiv", "mod", "squaredDifference", "scatter"].includes(op),
  },
  {
    why: "TensorFlow's reciprocal of float32 is an approximation, and a rough one where the result is near the denormals",
    when: ({ op, dtype }) => op === "reciprocal" && dtype === "float32",
    // Processors differ: the bare approximation of x86 is within 1.5 * 2^-12; after a step of Newton's method two units were seen.
    elements: ([x], ours, theirs) => Math.abs(ours - theirs) <= (Math.abs(x) > 2 ** 100 ? 1.5 * 2 ** -12 : 2 ** -22) * Math.abs(ours),
  },
  {
    why: "TensorFlow's erf of a float64 infinity is NaN",
    when: ({ op, dtype }) => op === "erf" && dtype === "float64",
    elements: ([x]) => Math.abs(x) === Infinity,
  },
  {
    why: "a quotient too small for a normal number is flushed to 0 by TensorFlow, and so is its floor",
    when: ({ op, dtype }) => op === "floorDiv" && isFloat(dtype),
    elements: ([x, y], ours, theirs) => x / y !== 0 && Math.abs(x / y) < 2 ** -126 && (ours === -1 || isZero(ours)) && isZero(theirs),
  },
  {
    why: "a float outside uint32's range becomes what it does in a whole packet of TensorFlow's, alone it becomes something else",
    when: ({ op, args }) => op === "cast" && args[0] === "uint32",
    elements: ([x]) => !(x > -1 && x < 2 ** 32),
  },
  {
    why: "TensorFlow's saturate_cast rounds the ends of 64-bit integers to 2^63 and 2^64, which overflow the integer they clip",
    when: ({ op, dtype, args }) => op === "cast" && args[1] && (dtype === "int64" || /^u?int64$/.test(args[0])),
    elements: ([x], _, theirs) => typeof x === "bigint" || x !== x || Math.abs(Number(theirs)) >= 2 ** 63,
  },
  {
    why: "TensorFlow's leakyRelu rounds alpha to float32 for float64, too",
    when: ({ op, dtype }) => op === "leakyRelu" && dtype === "float64",
  },
];
