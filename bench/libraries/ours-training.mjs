// onebuffer's steps of training: expressions made once, unless a row says otherwise.
import { assignTogether, gradients, Tensor, updateTogether } from "onebuffer";
import { convolve, maxPool } from "onebuffer/eigen";
import { sgd } from "onebuffer/gradients";
import {
  convolutionData,
  digitsData,
  kHidden,
  kImages,
  kLayerRows,
  kLayers,
  kRate,
  kRows,
  kTableRows,
  kUnits,
  meanOf,
} from "../training-data.mjs";
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

const caseOf = (hidden, stepOf, warmup) => () => ({
  run: stepOf(network(hidden)),
  warmup,
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

/** Loss and all gradients, into tensors of their own. */
const withGradients = ({ loss, weights }) => {
  const result = Tensor.zeros([]);
  const pairs = [[result, loss], ...gradients(loss, weights).map((g) => [Tensor.zeros(g.dimensions), g])];
  return { run: () => assignTogether(pairs), checksum: () => result.scalar().toArray() };
};

const layers = (count) => () => ({ run: withGradients(layersOf(count)).run });

/** Returns the loss of the convolution network, and its weights. */
export function convolutionNetwork() {
  const { x, y, f1, b1, f2, b2, w, b } = tensorsOf(convolutionData());
  const layer = (images, filters, bias) => maxPool(convolve(images, filters, { padding: "same" }).add(bias).relu(), 2);
  const images = layer(layer(x.tensor(4), f1.tensor(4), b1.vec()), f2.tensor(4), b2.vec());
  const scores = images.reshape([kImages, 1568]).matMul(w.matrix()).add(b.vec());
  return { loss: scores.logSoftmax().mul(y.matrix()).sum().div(-kImages), weights: [f1, b1, f2, b2, w, b] };
}

/** A step of an embedding: 256 rows of a table are read and changed. */
export const embedding = (rows) => () => {
  const table = Tensor.from(floats(rows * 64, 1), { shape: [rows, 64] });
  const indices = Tensor.from(Int32Array.from({ length: 256 }, (_, k) => (k * 7919) % rows));
  const w = Tensor.from(floats(64, 2), { shape: [64, 1] });
  const loss = table.matrix().gather(indices.vec(), 0).matMul(w.matrix()).square().mean();
  const step = sgd([table, w], gradients(loss, [table, w]), { learningRate: kRate });
  return { run: () => updateTogether(step) };
};

export const trainingOfOurs = {
  ...Object.fromEntries(Object.entries(kHidden).map(([name, hidden]) => [name, caseOf(hidden, kept)])),
  // What describes a step is hundreds of functions, which the engine compiles in the background while the first thousands of steps run.
  "digits step 32 anew": caseOf(32, anew, 6000),
  ...Object.fromEntries(Object.entries(kLayers).map(([name, count]) => [name, layers(count)])),
  "gradients of a convolution network": () => withGradients(convolutionNetwork()),
  "step of an embedding": embedding(kTableRows.ours),
};
