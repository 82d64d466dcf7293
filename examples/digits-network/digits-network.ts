// Trains a small network to read handwritten digits. The gradients are made once, as expressions; each step computes them and the new weights.
import { readFileSync } from "node:fs";
import { evaluate, gradients, liveBuffers, oneHot, readNpy, Tensor, tensorOf, updateTogether } from "onebuffer";
import { sgd } from "onebuffer/gradients";

const kHidden = 32;
const kParts = 5; // four to train with, one to test with
const kPart = 359; // digits in each
const kEpochs = 60;
const kRate = 0.5;
const kInk = 16; // the largest value of a pixel

const readData = (name: string) => readNpy(readFileSync(new URL(`../data/${name}`, import.meta.url)), { dtype: "uint8" });

/** Small random weights. The generator is Lehmer's, so that the NumPy twin can start from the same ones. */
function randomWeights(inputs: number, outputs: number, seed: number): Tensor<"float32"> {
  const weights = Tensor.zeros([inputs, outputs]);
  const limit = Math.sqrt(6 / (inputs + outputs));
  let state = seed;
  weights.flat().copyFrom(
    Float32Array.from({ length: inputs * outputs }, () => {
      state = (state * 48271) % 2147483647;
      return ((2 * state) / 2147483647 - 1) * limit;
    }),
  );
  return weights;
}

export function run() {
  using images = readData("digits.npy"); // uint8 [1797, 8, 8]
  using labels = readData("digits-labels.npy"); // uint8 [1797]
  // The first 1,795 digits, in rows of five, and columns of them: part 0 has the digits 0, 5, 10, ... All of it is views.
  using firstImages = images.slice(0, kPart * kParts);
  using imageRows = firstImages.reshape([kPart, kParts, 64]);
  using pixels = tensorOf(imageRows.tensor(3).cast("float32").div(kInk));
  using firstLabels = labels.slice(0, kPart * kParts);
  using labelRows = firstLabels.reshape([kPart, kParts]);
  using wanted = tensorOf(oneHot(labelRows.matrix(), 10, "float32"));
  const pixelsOf = (part: number) => pixels.tensor(3).chip(part, 1); // [359, 64]
  const wantedOf = (part: number) => wanted.tensor(3).chip(part, 1); // [359, 10]
  const test = kParts - 1;

  using hiddenWeights = randomWeights(64, kHidden, 1);
  using hiddenBias = Tensor.zeros([kHidden]);
  using outputWeights = randomWeights(kHidden, 10, 2);
  using outputBias = Tensor.zeros([10]);
  const weights = [hiddenWeights, hiddenBias, outputWeights, outputBias];
  const scoresOf = (part: number) => {
    const hidden = pixelsOf(part).matMul(hiddenWeights.matrix()).add(hiddenBias.vec()).relu();
    return hidden.matMul(outputWeights.matrix()).add(outputBias.vec());
  };

  // A step for each part: the loss, and the weights after it. Nothing is computed yet.
  using lossNow = Tensor.zeros([]);
  const steps = Array.from({ length: test }, (_, part) => {
    const loss = scoresOf(part).logSoftmax().mul(wantedOf(part)).sum().div(-kPart);
    return [[lossNow, loss] as const, ...sgd(weights, gradients(loss, weights), { learningRate: kRate })];
  });

  const losses: number[] = [];
  const started = performance.now();
  for (let epoch = 0; epoch < kEpochs; epoch++) {
    let loss = 0;
    for (const step of steps) {
      updateTogether(step);
      loss += lossNow.item() / test;
    }
    losses.push(loss);
  }
  const ms = performance.now() - started;

  using predicted = tensorOf(scoresOf(test).argmax(1, { outputType: "int32" }));
  const isRight = predicted.vec().equal(labelRows.matrix().chip(test, 1).cast("int32"));
  const right = evaluate(isRight.cast("int32").sum()).at();
  return { losses, predicted: predicted.vec().toArray(), right, tested: kPart, ms };
}

export const result = run();

for (const epoch of [0, 9, 19, 39, 59]) console.log(`epoch ${String(epoch + 1).padStart(2)}: loss ${result.losses[epoch]?.toFixed(4)}`);
console.log(`${result.right} of ${result.tested} digits read right, ${((100 * result.right) / result.tested).toFixed(1)} %`);
console.log(`trained in ${result.ms.toFixed(0)} ms, ${liveBuffers()} buffers left`);
