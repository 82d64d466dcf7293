// onebuffer's steps of training: expressions made once, unless a row says otherwise.
import { assignTogether, gradients, Tensor, updateTogether } from "onebuffer";
import { sgd } from "onebuffer/gradients";
import { digitsData, kHidden, kLayerRows, kLayers, kRate, kRows, kUnits, meanOf } from "../training-data.mjs";
import { floats } from "../data.mjs";

const tensorsOf = (data) =>
  Object.fromEntries(Object.entries(data).map(([name, [values, shape]]) => [name, Tensor.from(values, { shape })]));

/** Returns the pairs of a step. */
function pairsOf({ x, y, w1, b1, w2, b2, loss }) {
  const weights = [w1, b1, w2, b2];
  const hidden = x.matrix().matMul(w1.matrix()).add(b1.vec()).relu();
  const scores = hidden.matMul(w2.matrix()).add(b2.vec());
  const lossNow = scores.logSoftmax().mul(y).sum().div(-kRows);
  return [[loss, lossNow], ...sgd(weights, gradients(lossNow, weights), { learningRate: kRate })];
}

const network = (hidden) => ({ ...tensorsOf(digitsData(hidden)), loss: Tensor.zeros([]) });

const caseOf = (hidden, stepOf) => () => ({
  run: stepOf(network(hidden)),
  checksum() {
    const fresh = network(hidden);
    stepOf(fresh)();
    return meanOf(fresh.w1.flat().data);
  },
});

const kept = (tensors) => {
  const step = pairsOf(tensors);
  return () => updateTogether(step);
};

const anew = (tensors) => () => updateTogether(pairsOf(tensors));

/** Returns the loss of a network of layers, and its weights. */
export function layersOf(count) {
  const x = Tensor.from(floats(kLayerRows * kUnits, 1), { shape: [kLayerRows, kUnits] });
  const weights = Array.from({ length: count }, (_, k) =>
    Tensor.from(
      floats(kUnits * kUnits, k + 2).map((value) => value / 5),
      { shape: [kUnits, kUnits] },
    ),
  );
  const result = weights.reduce((h, w) => h.matMul(w.matrix()).relu(), x.matrix());
  return { loss: result.square().mean(), weights };
}

const layers = (count) => () => {
  const { loss, weights } = layersOf(count);
  const pairs = [[Tensor.zeros([]), loss], ...gradients(loss, weights).map((g) => [Tensor.zeros([kUnits, kUnits]), g])];
  return { run: () => assignTogether(pairs) };
};

export const trainingOfOurs = {
  ...Object.fromEntries(Object.entries(kHidden).map(([name, hidden]) => [name, caseOf(hidden, kept)])),
  "digits step 32 anew": caseOf(32, anew),
  ...Object.fromEntries(Object.entries(kLayers).map(([name, count]) => [name, layers(count)])),
};
