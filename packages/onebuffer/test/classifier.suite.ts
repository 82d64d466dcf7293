/** Tests chapter 8 of the tour: the weights are used in place, the predictions are right, and the printed results are computed. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { bytesCopied, isStatusError, liveBuffers, readNpy, Tensor } from "onebuffer";
import { tensorProtoCodec } from "onebuffer/proto";
import { expectClose, expectEqual } from "onebuffer/testing";
import { classifier } from "../src/tour/classifier.ts";
import type { ClassifierFiles } from "../src/tour/classifier.ts";
import { DigitClassifier, tensorOfFile } from "../src/tour/digit-classifier.ts";
import { dataFile, modelFiles } from "./data-files.ts";

let files: ClassifierFiles;
/** The plain logits of the held-out pictures, every fifth of the files. */
let heldOut: readonly (readonly number[])[];
let live = 0;
beforeAll(() => {
  files = { digits: dataFile("digits.npy"), labels: dataFile("digits-labels.npy"), model: modelFiles() };
  heldOut = plainLogits(files);
});
beforeEach(() => {
  live = liveBuffers();
});
afterEach(() => {
  expect(liveBuffers()).toBe(live);
});

/** The lines that the chapter prints for these files. */
function linesOf(given: ClassifierFiles): string[] {
  const lines: string[] = [];
  classifier((line) => lines.push(line), given);
  return lines;
}

const resultOf = (lines: readonly string[], code: string): string =>
  (lines.find((line) => line.trimStart().startsWith(code)) ?? "").trimStart().slice(code.length).trim();

/** The elements of a file of float32, read from the decoded message without a Tensor. */
const floatsOf = (file: Uint8Array): Float32Array =>
  new Float32Array((tensorProtoCodec.decode(file).tensorContent as Uint8Array).slice().buffer);

const predicted = (logits: readonly number[]): number => logits.indexOf(Math.max(...logits));

/** The ten logits of each held-out picture, computed with plain numbers. */
function plainLogits({ digits, model }: ClassifierFiles): number[][] {
  const pictures = digits.subarray(digits.length - 1797 * 64);
  const [kernel1, bias1] = [floatsOf(model["hidden-kernel"]), floatsOf(model["hidden-bias"])];
  const [kernel2, bias2] = [floatsOf(model["output-kernel"]), floatsOf(model["output-bias"])];
  const layer = (inputs: readonly number[], kernel: Float32Array, bias: Float32Array): number[] =>
    Array.from(bias, (b, j) => inputs.reduce((sum, x, k) => sum + x * (kernel[k * bias.length + j] as number), b));
  return Array.from({ length: 360 }, (_, i) => {
    const pixels = Array.from(pictures.subarray(i * 320, i * 320 + 64), (p) => p / 16);
    const hidden = layer(pixels, kernel1, bias1);
    return layer(
      hidden.map((h) => Math.max(0, h)),
      kernel2,
      bias2,
    );
  });
}

/** The bytes of a file with this tensor. Disposes the tensor. */
const fileOf = (tensor: Tensor): Uint8Array => {
  try {
    return tensorProtoCodec.encode(tensor.asProtoTensorContent());
  } finally {
    tensor.dispose();
  }
};

test("reads at least 97 % of the held-out digits correctly, and every digit as TensorFlow does", () => {
  const lines = linesOf(files);
  const [good = 0, percent = 0] = /^(\d+) of 360, ([\d.]+) %$/.exec(resultOf(lines, "digits read correctly"))?.slice(1).map(Number) ?? [];
  expect(percent).toBeGreaterThanOrEqual(97);
  expect(percent).toBeCloseTo((100 * good) / 360, 2);
  expect(resultOf(lines, "digits read as TensorFlow read them")).toBe("360 of 360");
  expect(Number(resultOf(lines, "largest difference from TensorFlow's probabilities"))).toBeLessThan(1e-6);
  expect(resultOf(lines, "bytes copied in this chapter")).toBe("0");
});

test("weights are views of the files if the files' ends are aligned; otherwise they are copied, and the page says so", () => {
  using model = new DigitClassifier(files.model);
  expect(model.hiddenBias.tensorData.buffer).toBe(files.model["hidden-bias"].buffer);
  expect(linesOf(files).filter((line) => /\.pb .* elements at byte (16|11|15|10) of the file$/.test(line)).length).toBe(4);
  const copied = bytesCopied();
  const lines = linesOf({ ...files, model: modelFiles(1) });
  expect(lines.filter((line) => /-bias\.pb .* bytes, elements copied$/.test(line)).length).toBe(2);
  expect(resultOf(lines, "digits read as TensorFlow read them")).toBe("360 of 360");
  expect(resultOf(lines, "bytes copied in this chapter")).toBe(String(bytesCopied() - copied));
});

test("probabilities and predictions equal TensorFlow's and those of plain arithmetic", () => {
  using model = new DigitClassifier(files.model);
  using images = readNpy(files.digits);
  using rows = images.reshape([1797, 64]);
  const pixels = rows.matrix("uint8").strided().slice([null, null, 5]);
  using probabilities = model.probabilities(pixels);
  using read = model.read(pixels);
  using theirProbabilities = tensorOfFile(files.model.probabilities, "float32");
  using theirs = tensorOfFile(files.model.predictions, "int64");
  expectClose(probabilities, theirProbabilities, { atol: 1e-6, rtol: 0 });
  expectEqual(read, theirs);
  expectClose(
    probabilities.matrix().sum([1]),
    Array.from({ length: 360 }, () => 1),
  );
  expect(Array.from({ length: 360 }, (_, i) => Number(read.vec().at(i)))).toEqual(heldOut.map(predicted));
  const errors = heldOut.map((logits, i) => {
    const sum = logits.reduce((s, x) => s + Math.exp(x), 0);
    return Math.abs(probabilities.matrix().at(i, 3) - Math.exp(logits[3] as number) / sum);
  });
  expect(errors.filter((each) => !(each < 1e-6))).toEqual([]);
});

test("the misread digits are drawn with their labels and predictions", () => {
  const lines = linesOf(files);
  const labels = files.labels.subarray(-1797);
  const expected = heldOut.map((logits, i) => [labels[i * 5], predicted(logits)]).filter(([label, read]) => label !== read);
  const drawn = lines.flatMap((line) => [...line.matchAll(/(\d) read as (\d), [01]\.\d\d/g)].map((m) => [Number(m[1]), Number(m[2])]));
  expect(drawn).toEqual(expected);
  expect(lines.some((line) => line.includes(`The ${expected.length} misread digits`))).toBe(true);
  expect(lines.filter((line) => line.includes("█")).length).toBeGreaterThan(10);
});

describe("with other files", () => {
  test("labels that equal all predictions: nothing is misread or drawn", () => {
    using read = tensorOfFile(files.model.predictions, "int64");
    const labels = files.labels.slice();
    for (let i = 0; i < 360; i++) labels[labels.length - 1797 + i * 5] = Number(read.vec().at(i));
    const lines = linesOf({ ...files, labels });
    expect(resultOf(lines, "digits read correctly")).toBe("360 of 360, 100.00 %");
    expect(lines.filter((line) => /[█▓▒░]|misread/.test(line))).toEqual([]);
  });

  test("weights of zero: every digit is read as 0, which differs from TensorFlow", () => {
    const model = { ...files.model, "output-kernel": fileOf(Tensor.zeros([64, 10])), "output-bias": fileOf(Tensor.zeros([10])) };
    const lines = linesOf({ ...files, model });
    const zeros = files.labels.subarray(-1797).filter((label, i) => i % 5 === 0 && label === 0).length;
    expect(resultOf(lines, "digits read correctly")).toBe(`${zeros} of 360, ${((100 * zeros) / 360).toFixed(2)} %`);
    expect(resultOf(lines, "digits read as TensorFlow read them")).not.toBe("360 of 360");
    expect(lines.join(" ")).toContain("(the first 16)");
    expect(lines.flatMap((line) => [...line.matchAll(/read as 0, 0\.10/g)]).length).toBe(16);
  });

  test.each<[string, () => ClassifierFiles["model"], string]>([
    ["another dtype", () => ({ ...files.model, "output-bias": fileOf(Tensor.zeros([10], { dtype: "int32" })) }), "INVALID_ARGUMENT"],
    ["another shape", () => ({ ...files.model, "output-kernel": fileOf(Tensor.zeros([63, 10])) }), "INVALID_ARGUMENT"],
    ["half a message", () => ({ ...files.model, "hidden-bias": files.model["hidden-bias"].subarray(0, 100) }), "DATA_LOSS"],
  ])("%s is refused, and no buffer stays alive", (_, model, code) => {
    let caught: unknown;
    try {
      linesOf({ ...files, model: model() });
    } catch (error) {
      caught = error;
    }
    expect(isStatusError(caught) ? caught.code : caught).toBe(code);
  });
});
