// jax-js's steps of training: valueAndGrad, compiled by `jit`, in its WebAssembly backend.
import { jit, nn, numpy as np, valueAndGrad } from "@jax-js/jax";
import { digitsData, kHidden, kRate, kRows, meanOf } from "../training-data.mjs";

function digits(hiddenUnits) {
  const { x, y, ...rest } = Object.fromEntries(
    Object.entries(digitsData(hiddenUnits)).map(([name, [data, dims]]) => [name, np.array(data).reshape(dims)]),
  );
  let weights = Object.values(rest);
  const loss = ([w1, b1, w2, b2], rows, wanted) => {
    const hidden = nn.relu(np.matmul(rows, w1).add(b1));
    return np.sum(nn.logSoftmax(np.matmul(hidden, w2).add(b2)).mul(wanted)).mul(-1 / kRows);
  };
  const step = jit((...operands) => {
    const [w1, b1, w2, b2, rows, wanted] = operands;
    const [value, gradients] = valueAndGrad(loss)([w1.ref, b1.ref, w2.ref, b2.ref], rows, wanted);
    value.dispose();
    return [w1, b1, w2, b2].map((weight, k) => weight.sub(gradients[k].mul(kRate)));
  });
  const run = async () => {
    weights = step(...weights, x.ref, y.ref);
    await Promise.all(weights.map((each) => each.blockUntilReady()));
  };
  return { run, mean: async () => meanOf(await weights[0].ref.data()) };
}

const caseOf = (hiddenUnits) => () => ({
  isAsync: true,
  warmup: 20,
  run: digits(hiddenUnits).run,
  async checksum() {
    const fresh = digits(hiddenUnits);
    await fresh.run();
    return fresh.mean();
  },
});

export const trainingOfJaxJs = Object.fromEntries(Object.entries(kHidden).map(([name, hidden]) => [name, caseOf(hidden)]));
