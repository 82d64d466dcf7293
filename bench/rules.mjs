// Measures the gradient of each operation beside the operation itself, on one thread: `node bench/rules.mjs [WORDS]`.
//
//     alone      the gradient, assigned by itself: it computes what it needs of the operation again
//     together   what the gradient adds to the operation if both are one group, as in a step of training
//
// The figures are the best of many runs in turn. A row misses its target if both ratios are above it.
import { assignTogether, ready, Tensor } from "onebuffer";
import { avgPool, convolve, einsum, maxPool, resize, unsortedSegmentSum } from "onebuffer/eigen";
import { gradients } from "onebuffer/gradients";
import { floats } from "./data.mjs";

const kLeastMillis = 0.5;
const kTurns = 200;

/** Returns a dense map of random floats between -1 and 1. */
const random = (sizes, seed = 1) => {
  const count = sizes.reduce((a, b) => a * b, 1);
  return Tensor.from(floats(count, seed), { shape: sizes }).tensor(sizes.length);
};
const indices = (count, size, seed = 9) =>
  Tensor.from(Int32Array.from(floats(count, seed), (value) => Math.abs(Math.floor(value * 1e6)) % size)).vec();

const square = () => random([1024, 1024]);

/** The same as an expression: a slice of a map is a view. */
const asNode = () => square().mul(1);

/** Numbers whose products neither overflow nor vanish. */
const nearOne = () => {
  const near = floats(1024 * 1024, 5).map((value) => 1 + value / 20);
  return Tensor.from(near, { shape: [1024, 1024] }).matrix();
};
const one = (name, most, expression, x = square) => ({ name, most, make: () => ({ xs: [x()], expression }) });
const several = (name, most, sizes, expression) => ({
  name,
  most,
  make: () => ({ xs: sizes.map((each, k) => random(each, k + 1)), expression }),
});

const kImages = [8, 32, 32, 16];
const kRows = [
  several(
    "matMul 256",
    1.1,
    [
      [256, 256],
      [256, 256],
    ],
    (a, b) => a.matMul(b),
  ),
  several(
    "attention (4, 4, 128, 32)",
    1.6,
    [
      [4, 4, 128, 32],
      [4, 4, 128, 32],
    ],
    (q, k) => q.matMul(k, { transposeB: true }),
  ),
  several("x + bias", 3, [[1024, 1024], [1024]], (x, bias) => x.add(bias)),
  one("relu", 3, (x) => x.relu()),
  one("tanh", 3, (x) => x.tanh()),
  one("gelu", 3, (x) => x.gelu()),
  one("softmax of rows", 3, (x) => x.softmax()),
  one("logSoftmax of rows", 3, (x) => x.logSoftmax()),
  several("layerNorm, scale, offset", 3, [[1024, 1024], [1024], [1024]], (x, scale, offset) => x.layerNorm({ scale, offset })),
  one("max of rows", 3, (x) => x.max([1])),
  { ...one("prod of rows", 3, (x) => x.prod([1]), nearOne), forward: (x) => x.cumprod(1) },
  { ...one("prod of columns", 3, (x) => x.prod([0]), nearOne), forward: (x) => x.cumprod(0) },
  one("cumsum of rows", 3, (x) => x.cumsum(1)),
  one("cumprod of rows", 3, (x) => x.cumprod(1), nearOne),
  one("cumprod of columns", 3, (x) => x.cumprod(0), nearOne),
  one("cummax of rows", 3, (x) => x.cummax(1)),
  one("cummax of columns", 3, (x) => x.cummax(0)),
  one("sort of rows", 3, (x) => x.sort()),
  one("topK 5", 3, (x) => x.topK(5).values),
  one("slice, steps of 2", 3, (x) => x.slice([0, 1024, 2], [0, 1024, 2]), asNode),
  one("slice, columns in steps of 2", 3, (x) => x.slice(null, [0, 1024, 2]), asNode),
  {
    name: "gather 65536 of 50000 rows of 64",
    most: 3,
    make() {
      const at = indices(65_536, 50_000);
      return { xs: [random([50_000, 64])], expression: (x) => x.gather(at) };
    },
  },
  {
    name: "unsortedSegmentSum",
    most: 3,
    make() {
      const at = indices(65_536, 1000);
      return { xs: [random([65_536, 64])], expression: (x) => unsortedSegmentSum(x, at, 1000) };
    },
  },
  several("convolve 3 x 3", 1.1, [kImages, [3, 3, 16, 32]], (x, f) => convolve(x, f, { padding: "same" })),
  several("convolve 3 x 3, strides of 2", 3, [kImages, [3, 3, 16, 32]], (x, f) => convolve(x, f, { padding: "same", strides: 2 })),
  several("convolve 1 x 1", 1.1, [kImages, [1, 1, 16, 32]], (x, f) => convolve(x, f)),
  several("depthwise 3 x 3", 3, [kImages, [3, 3, 1, 16]], (x, f) => convolve(x, f, { padding: "same", groups: 16 })),
  one(
    "maxPool 2",
    3,
    (x) => maxPool(x, 2),
    () => random([8, 32, 32, 32]),
  ),
  one(
    "maxPool 3, strides of 2",
    3,
    (x) => maxPool(x, 3, { strides: 2, padding: "same" }),
    () => random([8, 32, 32, 32]),
  ),
  one(
    "avgPool 2",
    3,
    (x) => avgPool(x, 2),
    () => random([8, 32, 32, 32]),
  ),
  one(
    "avgPool 3, strides of 1",
    3,
    (x) => avgPool(x, 3, { strides: 1 }),
    () => random([8, 32, 32, 32]),
  ),
  {
    ...one(
      "diagonals by einsum, beside a copy",
      3,
      (x) => einsum("nii->ni", x),
      () => random([64, 128, 128]),
    ),
    forward: (x) => x.mul(1),
  },
  one(
    "resize, bilinear",
    3,
    (x) => resize(x, [64, 64]),
    () => random([8, 32, 32, 16]),
  ),
];

/** Returns the milliseconds of processor time that calls of a function take: other programs do not count. */
function millisOf(run, calls) {
  const { user, system } = process.cpuUsage();
  for (let call = 0; call < calls; call++) run();
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) / 1000 / calls;
}

/** Returns the fewest milliseconds of each function, run in turn, as many calls at a time as take some milliseconds. */
function bestOf(functions) {
  for (const run of functions) run();
  const calls = functions.map((run) => Math.max(1, Math.ceil(kLeastMillis / Math.max(millisOf(run, 3), 0.001))));
  const best = functions.map(() => Infinity);
  for (let turn = 0; turn < kTurns; turn++) {
    functions.forEach((run, k) => {
      best[k] = Math.min(best[k], millisOf(run, calls[k]));
    });
  }
  return best;
}

/** Returns a map for the elements of an expression. */
const target = ({ dimensions }) => Tensor.zeros([...dimensions]).tensor(dimensions.length);

function measured({ name, most, make, forward }) {
  const { xs, expression } = make();
  const y = expression(...xs);
  const base = forward?.(...xs) ?? y;
  const g = random(y.dimensions, 77);
  const [yTarget, baseTarget] = [target(y), target(base)];
  return xs.map((x, k) => {
    const [gradient] = gradients(y, [x], { outputGradients: g });
    const to = target(gradient);
    const [first, alone, both, itself] = bestOf([
      () => baseTarget.assign(base),
      () => to.assign(gradient),
      () =>
        assignTogether([
          [yTarget, y],
          [to, gradient],
        ]),
      () => yTarget.assign(y),
    ]);
    const ratios = [alone / first, (both - itself) / first];
    const label = xs.length === 1 ? name : `${name}, operand ${k}`;
    const cells = [label, first.toFixed(3), alone.toFixed(3), `${ratios[0].toFixed(2)}x`, `${ratios[1].toFixed(2)}x`, `${most}x`];
    return { cells, isMet: Math.min(...ratios) <= most };
  });
}

await ready();
const words = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const wanted = kRows.filter(({ name }) => words.every((word) => name.includes(word)));
console.log("| operation | forward, ms | gradient, ms | alone | together | at most |\n|---|---|---|---|---|---|");
let missed = 0;
for (const row of wanted) {
  for (const { cells, isMet } of measured(row)) {
    if (!isMet) missed++;
    console.log(`| ${cells.join(" | ")} |${isMet ? "" : " missed"}`);
  }
}
console.log(`\n${missed} of the rows miss their target`);
process.exitCode = missed === 0 ? 0 : 1;
