// Gradients on eight virtual devices: the batch is divided among them, the parameters are on each. XLA adds the parts of the gradients up.
import { convolve, evaluate, maxPool, tensorMap, updateTogether } from "@onebuffer/eigen";
import { gradients } from "@onebuffer/gradients";
import { near, numbers, withDevice } from "./checks.mjs";

/** The largest difference, of float32 in modules that XLA fuses in its own way. */
const kBound = 1e-5;

const random = (seed, dims) => tensorMap("float32", numbers(seed)(dims.reduce((a, b) => a * b, 1)), dims);

async function fetched(map) {
  const tensor = await map.fetch();
  try {
    return tensor.toArray();
  } finally {
    tensor.dispose();
  }
}

/** Compares the loss and all gradients, of operands here and there, the first of which is divided among the devices. */
async function compare(xla, lossOf, batch, parameters) {
  const here = lossOf(...batch, ...parameters);
  const expected = [here, ...gradients(here, parameters)].map((e) => evaluate(e).toArray());
  const parts = await Promise.all(batch.map((each) => xla.put(each, ["data"])));
  const whole = await Promise.all(parameters.map((each) => xla.put(each)));
  const there = lossOf(...parts, ...whole);
  const results = [];
  for (const e of [there, ...gradients(there, whole)]) results.push(await fetched(await xla.evaluate(e, [])));
  return `off by ${Math.max(...results.map((each, k) => near([each].flat(9), [expected[k]].flat(9), kBound, `result ${k}`)))}`;
}

const onEight = (python, use) => withDevice({ python, devices: 8, mesh: { data: 8 } }, use);

export const gradientChecks = {
  "the gradients of two layers, the batch on eight devices": (python) =>
    onEight(python, (xla) => {
      const loss = (x, t, w1, b1, w2, b2) => x.matMul(w1).add(b1).relu().matMul(w2).add(b2).logSoftmax().mul(t.softmax()).sum().div(-64); // prettier-ignore
      return compare(
        xla,
        loss,
        [random(1, [64, 20]), random(2, [64, 5])],
        [random(3, [20, 16]), random(4, [16]), random(5, [16, 5]), random(6, [5])],
      );
    }),

  "the gradients of a convolution, the images on eight devices": (python) =>
    onEight(python, (xla) => {
      const loss = (x, f, b) => convolve(x, f, { padding: "same" }).add(b).tanh().square().mean();
      return compare(xla, loss, [random(7, [16, 6, 6, 2])], [random(8, [3, 3, 2, 4]), random(9, [4])]);
    }),

  "the gradients of pools that tile and overlap, the images on eight devices": (python) =>
    onEight(python, (xla) => {
      const loss = (x, f) =>
        maxPool(maxPool(convolve(x, f, { padding: "same" }), 3, { strides: 2, padding: "same" }), 2)
          .square()
          .mean();
      return compare(xla, loss, [random(18, [16, 9, 8, 2])], [random(19, [3, 3, 2, 4])]);
    }),

  "running products and extremes and their gradients, the rows on eight devices": (python) =>
    onEight(python, (xla) => {
      const loss = (x, w) =>
        x
          .mul(w)
          .cumprod(1)
          .add(x.mul(w).cummax(1, { exclusive: false }))
          .square()
          .mean();
      return compare(xla, loss, [random(20, [16, 9])], [random(21, [9])]);
    }),

  "the gradients of normalized rows and attention, the rows on eight devices": (python) =>
    onEight(python, (xla) => {
      const loss = (x, scale, offset, w) => {
        const rows = x.layerNorm({ scale, offset });
        return rows.matMul(w).matMul(rows, { transposeB: true }).softmax().matMul(rows).logSumExp([1]).mean();
      };
      return compare(xla, loss, [random(10, [32, 12])], [random(11, [12]), random(12, [12]), random(13, [12, 12])]);
    }),

  "ten steps of generated gradients, weights in place": (python) =>
    onEight(python, async (xla) => {
      const [x, t] = [random(14, [64, 12]), random(15, [64, 3])];
      const weights = [random(16, [12, 16]), random(17, [16, 3])];
      const gradientsOf = (x, t, list) => gradients(x.matMul(list[0]).tanh().matMul(list[1]).sub(t).square().mean(), list);
      const updates = (list, gs) => list.map((w, k) => [w, w.sub(gs[k].mul(0.1))]);
      const there = await Promise.all(weights.map((each) => xla.put(each)));
      const ours = updates(weights, gradientsOf(x, t, weights));
      const theirs = gradientsOf(await xla.put(x, ["data"]), await xla.put(t, ["data"]), there);
      const steps = updates(there, theirs);
      for (let k = 0; k < 10; k++) {
        updateTogether(ours);
        await updateTogether(steps, xla);
      }
      const errors = [];
      for (const [k, map] of there.entries()) errors.push(near(await fetched(map), weights[k].toArray(), kBound, "the weights"));
      return `off by ${Math.max(...errors)}`;
    }),
};
