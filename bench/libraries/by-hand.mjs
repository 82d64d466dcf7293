// What gradients are measured against: steps of training whose backward pass is written out, with onebuffer's expressions made once, and
// the losses of networks alone, and the step of an embedding with a small table. Also products beside factors, and one thread beside two.
import { matricesByHand } from "./ours-matrices.mjs";
import { rowsOnOneThread } from "./ours-signal.mjs";
import { select, Tensor } from "onebuffer";
import { digitsData, kHidden, kLayers, kRate, kRows, kTableRows, meanOf } from "../training-data.mjs";
import { convolutionNetwork, embedding, layersOf } from "./ours-training.mjs";

function digits(hiddenUnits) {
  const data = digitsData(hiddenUnits);
  const map = ([values, shape]) => {
    const tensor = Tensor.from(values, { shape });
    return tensor.tensor(shape.length);
  };
  const [x, y, w1, b1, w2, b2] = Object.values(data).map(map);
  const zeros = (...shape) => Tensor.zeros(shape).tensor(shape.length);
  const [h, logP, e2, e1, loss] = [zeros(kRows, hiddenUnits), zeros(kRows, 10), zeros(kRows, 10), zeros(kRows, hiddenUnits), zeros()];
  const hidden = x.matMul(w1).add(b1).relu();
  const logProbabilities = h.matMul(w2).add(b2).logSoftmax();
  const lossNow = logP.mul(y).sum().div(-kRows);
  const outputError = logP.exp().sub(y).div(kRows);
  const hiddenError = select(h.greater(0), e2.matMul(w2.transpose()), 0);
  const steps = [
    [w2, h.transpose().matMul(e2)],
    [b2, e2.sum(0)],
    [w1, x.transpose().matMul(e1)],
    [b1, e1.sum(0)],
  ].map(([weights, gradient]) => [weights, gradient.mul(kRate)]);
  const run = () => {
    h.assign(hidden);
    logP.assign(logProbabilities);
    loss.assign(lossNow);
    e2.assign(outputError);
    e1.assign(hiddenError);
    for (const [weights, change] of steps) weights.subAssign(change);
  };
  return { run, w1 };
}

const caseOf = (hiddenUnits) => () => ({
  run: digits(hiddenUnits).run,
  checksum() {
    const fresh = digits(hiddenUnits);
    fresh.run();
    return meanOf(fresh.w1.toArray().flat());
  },
});

const lossAlone = (network) => () => {
  const { loss } = network();
  const out = Tensor.zeros([]).scalar();
  return { run: () => out.assign(loss) };
};

export const cases = {
  ...rowsOnOneThread,
  ...matricesByHand,
  ...Object.fromEntries(Object.entries(kHidden).map(([name, hidden]) => [name, caseOf(hidden)])),
  "digits step 32 anew": caseOf(32),
  ...Object.fromEntries(Object.entries(kLayers).map(([name, count]) => [name, lossAlone(() => layersOf(count))])),
  "gradients of a convolution network": lossAlone(convolutionNetwork),
  "step of an embedding": embedding(kTableRows.small),
};
