/**
 * Chapter 8 of the tour: a classifier that TensorFlow trained reads digits that were held out from its training.
 *
 * The results are compared with the data set's labels, and with the predictions that TensorFlow wrote beside the weights.
 */
import { bytesCopied } from "@onebuffer/allocator";
import type { Tensor } from "@onebuffer/core";
import { tensorOf } from "@onebuffer/core";
import type { ConstStridedMap } from "@onebuffer/eigen";
import { readNpy } from "@onebuffer/io";
import { DigitClassifier, kHeldOutStep, tensorOfFile } from "./digit-classifier.ts";
import type { ModelFiles } from "./digit-classifier.ts";
import type { DigitFiles } from "./digits.ts";
import { say, showCode } from "./page.ts";
import type { Print } from "./page.ts";
import { pictureRows, sideBySide } from "./pictures.ts";

/** The column of the results, after the code. */
const kColumn = 66;
/** The largest value of a pixel. */
const kInk = 16;
/** The number of pictures side by side. */
const kPicturesPerRow = 4;
/** The most pictures that are drawn. */
const kMostPictures = 16;

/** The files of the data set and the model. */
export interface ClassifierFiles extends DigitFiles {
  readonly model: ModelFiles;
}

/** Classifies the held-out digits and prints how many of them are right. */
export function classifier(print: Print, files: ClassifierFiles): void {
  const copied = bytesCopied();
  say(
    print,
    "A small network reads the digits: 64 pixels, 64 hidden units, 10 classes. TensorFlow trained it (examples/data/train-digits.py) " +
      "and wrote its weights as TensorProtos. Every fifth digit was held out from training. The weights are views of the files:",
  );
  using model = new DigitClassifier(files.model);
  showWeights(print, "hidden-kernel.pb", model.hiddenKernel, files.model["hidden-kernel"]);
  showWeights(print, "hidden-bias.pb", model.hiddenBias, files.model["hidden-bias"]);
  showWeights(print, "output-kernel.pb", model.outputKernel, files.model["output-kernel"]);
  showWeights(print, "output-bias.pb", model.outputBias, files.model["output-bias"]);
  print("");
  using images = readNpy(files.digits);
  using allLabels = readNpy(files.labels);
  using rows = images.reshape([images.dimSize(0), 64]);
  say(print, "Expressions describe the network. They are computed when tensorOf makes a tensor of one:");
  const pixels = rows.matrix("uint8").strided().slice([null, null, kHeldOutStep]);
  showCode(print, "const pixels = rows.matrix().strided().slice([null, null, 5]);", shownDims("uint8", pixels.dimensions), kColumn);
  const hidden = model.hidden(pixels);
  showCode(print, 'const x = pixels.cast("float32").div(16);');
  showCode(print, "const hidden = x.matMul(kernel).add(bias).relu();", shownDims(hidden.dtype, hidden.dimensions), kColumn);
  const logits = model.logits(pixels);
  showCode(print, "const logits = hidden.matMul(kernel2).add(bias2);", shownDims(logits.dtype, logits.dimensions), kColumn);
  using probabilities = model.probabilities(pixels);
  showCode(print, "using probabilities = tensorOf(logits.softmax());", shownTensor(probabilities), kColumn);
  using read = model.read(pixels);
  showCode(print, "using read = tensorOf(logits.argmax(1));", shownTensor(read), kColumn);
  print("");
  const labels = allLabels.vec("uint8").strided().slice([null, null, kHeldOutStep]);
  using right = tensorOf(read.vec().equal(labels.cast("int64")));
  using score = tensorOf(right.vec().cast("int32").sum());
  const [count, good] = [right.numElements, Number(score.scalar().at())];
  showCode(print, "digits read correctly", `${good} of ${count}, ${((100 * good) / count).toFixed(2)} %`, kColumn);
  showAgreement(print, files.model, read, probabilities);
  print("");
  if (good < count) showMisread(print, { images, labels, read, probabilities, right });
  showCode(print, "bytes copied in this chapter", bytesCopied() - copied);
}

const shownDims = (dtype: string, dims: readonly number[]): string => `${dtype} [${dims.join(",")}]`;
const shownTensor = (tensor: Tensor): string => `${tensor.dtype} ${tensor.shape.debugString()}`;

/** Prints the dtype and shape of a file of weights, and the position of its elements in the file. */
function showWeights(print: Print, name: string, tensor: Tensor, file: Uint8Array): void {
  const bytes = tensor.tensorData;
  const inFile = bytes.buffer === file.buffer ? `at byte ${bytes.byteOffset - file.byteOffset} of the file` : "copied";
  print(`  ${name.padEnd(18)} ${shownTensor(tensor).padEnd(16)} ${String(file.length).padStart(6)} bytes, elements ${inFile}`);
}

/** Prints how many predictions equal TensorFlow's, and the largest difference of a probability. */
function showAgreement(print: Print, model: ModelFiles, read: Tensor<"int64">, probabilities: Tensor<"float32">): void {
  using theirs = tensorOfFile(model.predictions, "int64");
  using theirProbabilities = tensorOfFile(model.probabilities, "float32");
  using same = tensorOf(read.vec().equal(theirs.vec()).cast("int32").sum());
  showCode(print, "digits read as TensorFlow read them", `${String(same.scalar().at())} of ${theirs.numElements}`, kColumn);
  using largestDifference = tensorOf(probabilities.matrix().sub(theirProbabilities.matrix()).abs().max());
  showCode(print, "largest difference from TensorFlow's probabilities", Number(largestDifference.scalar().at()).toExponential(1), kColumn);
}

/** The pictures and results of the held-out digits. */
interface Results {
  readonly images: Tensor;
  readonly labels: ConstStridedMap<"uint8", 1>;
  readonly read: Tensor<"int64">;
  readonly probabilities: Tensor<"float32">;
  readonly right: Tensor<"bool">;
}

/** Draws the misread digits, each with its label, the model's prediction and the prediction's probability. */
function showMisread(print: Print, { images, labels, read, probabilities, right }: Results): void {
  const misread = Array.from({ length: right.numElements }, (_, i) => i).filter((i) => !right.vec().at(i));
  const drawn = misread.length > kMostPictures ? ` (the first ${kMostPictures})` : "";
  say(print, `The ${misread.length} misread digits, with the model's probability for its answer${drawn}:`);
  for (let from = 0; from < Math.min(misread.length, kMostPictures); from += kPicturesPerRow) {
    const pictures: string[][] = [];
    const captions: string[] = [];
    for (const i of misread.slice(from, Math.min(from + kPicturesPerRow, kMostPictures))) {
      using picture = images.subSlice(i * kHeldOutStep);
      pictures.push(pictureRows(picture.matrix(), kInk));
      const digit = Number(read.vec().at(i));
      captions.push(`${labels.at(i)} read as ${digit}, ${probabilities.matrix().at(i, digit).toFixed(2)}`);
    }
    for (const line of sideBySide(pictures, captions)) print(`  ${line}`);
    print("");
  }
}
