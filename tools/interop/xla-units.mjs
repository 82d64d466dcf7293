// The accuracy of XLA's functions on processors, as `npm run interop -- --xla` allows and docs/xla.md lists it.

/** The units of XLA's functions: float32, float64. Half of a unit is the rounding of the result that they are compared with. */
export const kUnits = {
  rsqrt: [2, 2],
  exp: [2, 3],
  exp2: [2, 2],
  expm1: [6, 5],
  log: [2, 2],
  log2: [3, 3],
  log10: [3, 4],
  log1p: [5, 5],
  sin: [2, 2],
  cos: [2, 2],
  tan: [3, 3],
  asin: [4, 4],
  acos: [4, 4],
  atan: [3, 3],
  sinh: [9, 8],
  cosh: [5, 5],
  tanh: [6, 8],
  sigmoid: [5, 5],
  erf: [6, 6],
  pow: [4, 3],
  atan2: [4, 4],
  randomNormal: [6, 8],
};
