// Fits a cubic polynomial to points by gradient descent. A port of TensorFlow.js's example polynomial-regression-core
// (github.com/tensorflow/tfjs-examples): the same curve, number of points, noise, steps and learning rate.
import { evaluate, liveBuffers, Tensor } from "onebuffer";

const kTrue = { a: -0.8, b: -0.2, c: 0.9, d: 0.5 };
const kPoints = 100;
const kNoise = 0.04;
const kSteps = 75;
const kRate = 0.5;

/** Random numbers in (0, 1). The generator is Lehmer's, so that the NumPy twin gets the same ones. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Points of the true curve with noise, x in [-1, 1], y scaled to [0, 1]. */
function generatePoints(random: () => number) {
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const xs = Float32Array.from({ length: kPoints }, () => 2 * random() - 1);
  const ys = Float32Array.from(xs, (x) => kTrue.a * x ** 3 + kTrue.b * x ** 2 + kTrue.c * x + kTrue.d + kNoise * normal());
  const points = { x: Tensor.from(xs), y: Tensor.from(ys) };
  const y = points.y.vec();
  points.y.assign(y.sub(y.min()).div(y.max().sub(y.min())));
  return points;
}

export function run() {
  const random = generator(7);
  const points = generatePoints(random);
  using xs = points.x;
  using ys = points.y;
  using coefficients = Tensor.from(Float32Array.from({ length: 4 }, random));
  using errors = Tensor.zeros([kPoints]);
  const [x, y, error] = [xs.vec(), ys.vec(), errors.vec()];
  // Each coefficient is a view of rank 0 on one buffer: readable in expressions, and written by assignments.
  const [a, b, c, d] = [coefficients.strided("0"), coefficients.strided("1"), coefficients.strided("2"), coefficients.strided("3")];

  // TensorFlow.js finds the gradients by itself (optimizer.minimize). Here they are written down:
  // of loss = mean(error²), by a coefficient whose power of x is p: mean(2 * error * p).
  const prediction = x.pow(3).mul(a).add(x.square().mul(b)).add(x.mul(c)).add(d);
  const loss = error.square().mean();
  const gradientOf = { a: error.mul(x.pow(3)).mean(), b: error.mul(x.square()).mean(), c: error.mul(x).mean(), d: error.mean() };

  const losses: number[] = [];
  const started = performance.now();
  for (let step = 0; step < kSteps; step++) {
    error.assign(prediction.sub(y));
    losses.push(evaluate(loss).at());
    a.subAssign(gradientOf.a.mul(2 * kRate));
    b.subAssign(gradientOf.b.mul(2 * kRate));
    c.subAssign(gradientOf.c.mul(2 * kRate));
    d.subAssign(gradientOf.d.mul(2 * kRate));
  }
  const ms = performance.now() - started;
  return { coefficients: coefficients.vec().toArray(), losses, fitted: evaluate(prediction).toArray(), ms };
}

export const result = run();

const [a, b, c, d] = result.coefficients.map((each) => each.toFixed(3));
for (const step of [0, 24, 49, 74]) console.log(`step ${String(step + 1).padStart(2)}: loss ${result.losses[step]?.toFixed(5)}`);
console.log(`y = ${a} x³ + ${b} x² + ${c} x + ${d}, with y scaled to [0, 1]`);
console.log(`${result.ms.toFixed(0)} ms, ${liveBuffers()} buffers left`);
