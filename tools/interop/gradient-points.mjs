// The special points of docs/gradients.md: operands, the gradients of the sum of the result, and what TensorFlow and JAX have: "same", other
// numbers where we differ on purpose, or nothing where it has no rule.
import { concatenate, constant, select, tensorMap } from "@onebuffer/eigen";

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const int32 = (...values) => tensorMap("int32", Int32Array.from(values), [values.length]);

/** A complex number 1 + 2i. */
const z = [[1, 2]];

export const specialPoints = [
  // A maximum with the constant 0 is tf.nn.relu, whose gradient is 0 there; that of tf.maximum is 1.
  { name: "relu at 0", operands: [[0]], make: (x) => x.relu(), ours: [[0]], TensorFlow: [[1]], JAX: [[0.5]] },
  {
    name: "maximum of equal ones",
    operands: [[1], [1]],
    make: (x, y) => x.maximum(y),
    ours: [[1], [0]],
    TensorFlow: "same",
    JAX: [[0.5], [0.5]],
  },
  {
    name: "minimum of equal ones",
    operands: [[1], [1]],
    make: (x, y) => x.minimum(y),
    ours: [[1], [0]],
    TensorFlow: "same",
    JAX: [[0.5], [0.5]],
  },
  { name: "maximum of NaN", operands: [[nan], [1]], make: (x, y) => x.maximum(y), ours: [[0], [1]], TensorFlow: "same" },
  { name: "clip at its ends", operands: [[0, 1]], make: (x) => x.clip(0, 1), ours: [[0, 1]], JAX: [[0.5, 0.5]] },
  { name: "abs at 0", operands: [[0]], make: (x) => x.abs(), ours: [[0]], TensorFlow: "same", JAX: [[1]] },
  { name: "sqrt at 0", operands: [[0]], make: (x) => x.sqrt(), ours: [[inf]], TensorFlow: "same", JAX: "same" },
  { name: "rsqrt at 0", operands: [[0]], make: (x) => x.rsqrt(), ours: [[-inf]], TensorFlow: "same", JAX: "same" },
  { name: "log at 0", operands: [[0]], make: (x) => x.log(), ours: [[inf]], TensorFlow: "same", JAX: "same" },
  { name: "norm of zeros", operands: [[0, 0]], make: (x) => x.norm(), ours: [[nan, nan]], TensorFlow: "same", JAX: "same" },
  { name: "std of equal ones", operands: [[2, 2]], make: (x) => x.std(), ours: [[nan, nan]], TensorFlow: "same", JAX: "same" },
  { name: "pow of 0 and 0", operands: [[0], [0]], make: (x, y) => x.pow(y), ours: [[0], [0]] },
  { name: "pow of a negative base", operands: [[-2], [3]], make: (x, y) => x.pow(y), ours: [[12], [0]], TensorFlow: "same" },
  { name: "atan2 of zeros", operands: [[0], [0]], make: (x, y) => x.atan2(y), ours: [[nan], [nan]], TensorFlow: "same", JAX: "same" },
  { name: "max of equal ones", operands: [[1, 2, 2]], make: (x) => x.max(), ours: [[0, 0.5, 0.5]], TensorFlow: "same", JAX: "same" },
  { name: "min of equal ones", operands: [[1, 1, 2]], make: (x) => x.min(), ours: [[0.5, 0.5, 0]], TensorFlow: "same", JAX: "same" },
  {
    name: "sort of equal ones",
    operands: [[2, 1, 2]],
    make: (x) => x.sort().mul(tensorMap("float64", Float64Array.of(1, 2, 3), [3])),
    ours: [[2, 1, 3]],
    TensorFlow: "same",
    JAX: "same",
  },
  {
    name: "scatter max of equal ones",
    operands: [[1, 2], [1]],
    make: (x, u) => x.scatter(int32(0), u, 0, { reduction: "max" }),
    ours: [[0.5, 1], [0.5]],
    TensorFlow: "same",
    JAX: "same",
  },
  {
    name: "a row of NaN times updates",
    operands: [
      [nan, 2],
      [3, 4],
    ],
    make: (x, u) => x.scatter(int32(0, 0), u, 0, { reduction: "mul" }),
    ours: [
      [12, 1],
      [nan, nan],
    ],
    JAX: "same",
  },
  {
    name: "scatter update of equal indices",
    operands: [
      [1, 2],
      [5, 6],
    ],
    make: (x, u) => x.scatter(int32(0, 0), u, 0, { reduction: "update" }),
    ours: [
      [0, 1],
      [0, 1],
    ],
    JAX: "same",
  },
  { name: "prod with a zero", operands: [[2, 0, 3]], make: (x) => x.prod(), ours: [[0, 6, 0]], TensorFlow: "same", JAX: "same" },
  { name: "prod with two zeros", operands: [[2, 0, 0]], make: (x) => x.prod(), ours: [[0, 0, 0]], TensorFlow: "same", JAX: "same" },
  { name: "cumprod with a zero", operands: [[2, 0, 3]], make: (x) => x.cumprod(0), ours: [[1, 8, 0]], JAX: "same" },
  { name: "cumprod with two zeros", operands: [[2, 0, 3, 0, 5]], make: (x) => x.cumprod(0), ours: [[1, 8, 0, 0, 0]], JAX: "same" },
  {
    name: "exclusive cumprod that ends before an infinite element",
    operands: [[2, 3, Infinity]],
    make: (x) => x.cumprod(0, { exclusive: true }),
    ours: [[4, 2, 0]],
    TensorFlow: "same",
  },
  { name: "running maximum of equal ones", operands: [[1, 1, 0, 2]], make: (x) => x.cummax(0), ours: [[1, 2, 0, 1]] },
  { name: "mod", operands: [[7], [2]], make: (x, y) => x.mod(y), ours: [[1], [-3]], TensorFlow: "same", JAX: "same" },
  { name: "truncateMod", operands: [[-7], [2]], make: (x, y) => x.truncateMod(y), ours: [[1], [3]], JAX: "same" },
  {
    name: "the branch that select does not take",
    operands: [[0]],
    make: (x) => select(x.equal(0), constant("float64", 0, [1]), constant("float64", 1, [1]).div(x)),
    ours: [[nan]],
    TensorFlow: "same",
    JAX: "same",
  },
  { name: "xlogy of 0 and 0", operands: [[0], [0]], make: (x, y) => x.xlogy(y), ours: [[0], [0]], TensorFlow: "same" },
  { name: "floor", operands: [[1.5]], make: (x) => x.floor(), ours: [[0]], TensorFlow: "same", JAX: "same" },
  { name: "concatenate twice", operands: [[1]], make: (x) => concatenate([x, x], 0), ours: [[2]], TensorFlow: "same", JAX: "same" },
  { name: "the real part", operands: [z], make: (x) => x.real(), ours: [[1, 0]], TensorFlow: "same" },
  { name: "the imaginary part", operands: [z], make: (x) => x.imag(), ours: [[0, 1]], TensorFlow: "same" },
  { name: "the modulus", operands: [z], make: (x) => x.abs(), ours: [[Math.sqrt(0.2), 2 * Math.sqrt(0.2)]], TensorFlow: "same" },
  { name: "the angle", operands: [z], make: (x) => x.angle(), ours: [[-0.4, 0.2]], TensorFlow: "same" },
  { name: "a complex square", operands: [z], make: (x) => x.mul(x), ours: [[2, -4]], TensorFlow: "same" },
  {
    name: "a complex power",
    operands: [z],
    make: (x) => x.exp(),
    ours: [[Math.E * Math.cos(2), -Math.E * Math.sin(2)]],
    TensorFlow: "same",
  },
];
