/**
 * Chapter 8: a model that works. TensorFlow trained it; here its weights meet digits that it has never seen.
 *
 * Right or wrong is told by the data set's labels, and "as TensorFlow" by the predictions that TensorFlow itself wrote beside the weights.
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

/** Where results stand behind code. */
const kColumn = 66;
/** The pixels' largest value. */
const kInk = 16;
/** How many pictures stand side by side, and how many are drawn at most. */
const [A_ROW, DRAWN] = [4, 16] as const;

/** The data set and the model. */
export interface ClassifierFiles extends DigitFiles {
  readonly model: ModelFiles;
}

/** Reads the held-out digits with the model and shows how well it does. */
export function classifier(print: Print, files: ClassifierFiles): void {
  const copied = bytesCopied();
  say(
    print,
    "A small network reads the digits: 64 pixels, 64 hidden units, 10 classes. TensorFlow trained it (examples/data/train-digits.py) " +
      "and wrote its weights as TensorProtos; every fifth digit was kept from it. The weights are views of the files:",
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
  say(print, "Expressions describe the network; nothing is computed until a tensor is made of one:");
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
  showCode(print, "read as the labels say", `${good} of ${count}, ${((100 * good) / count).toFixed(2)} %`, kColumn);
  showAgreement(print, files.model, read, probabilities);
  print("");
  if (good < count) showMisread(print, { images, labels, read, probabilities, right });
  showCode(print, "bytes copied in this chapter", bytesCopied() - copied);
}

const shownDims = (dtype: string, dims: readonly number[]): string => `${dtype} [${dims.join(",")}]`;
const shownTensor = (tensor: Tensor): string => `${tensor.dtype} ${tensor.shape.debugString()}`;

/** A file of weights: the tensor, and where in the file it is. */
function showWeights(print: Print, name: string, tensor: Tensor, file: Uint8Array): void {
  const bytes = tensor.tensorData;
  const inFile = bytes.buffer === file.buffer ? `from byte ${bytes.byteOffset - file.byteOffset} of the file on` : "copied";
  print(`  ${name.padEnd(18)} ${shownTensor(tensor).padEnd(16)} ${String(file.length).padStart(6)} bytes, elements ${inFile}`);
}

/** How what was computed here compares with what TensorFlow computed. */
function showAgreement(print: Print, model: ModelFiles, read: Tensor<"int64">, probabilities: Tensor<"float32">): void {
  using theirs = tensorOfFile(model.predictions, "int64");
  using theirProbabilities = tensorOfFile(model.probabilities, "float32");
  using same = tensorOf(read.vec().equal(theirs.vec()).cast("int32").sum());
  showCode(print, "read as TensorFlow read them", `${String(same.scalar().at())} of ${theirs.numElements}`, kColumn);
  using farthest = tensorOf(probabilities.matrix().sub(theirProbabilities.matrix()).abs().max());
  showCode(print, "farthest probability from TensorFlow's", Number(farthest.scalar().at()).toExponential(1), kColumn);
}

/** What showMisread draws from. */
interface Results {
  readonly images: Tensor;
  readonly labels: ConstStridedMap<"uint8", 1>;
  readonly read: Tensor<"int64">;
  readonly probabilities: Tensor<"float32">;
  readonly right: Tensor<"bool">;
}

/** Draws the digits that were misread: number, label, what was read, and how sure the model was. */
function showMisread(print: Print, { images, labels, read, probabilities, right }: Results): void {
  const misread = Array.from({ length: right.numElements }, (_, i) => i).filter((i) => !right.vec().at(i));
  say(print, `The ${misread.length} that it misreads, and how sure it was${misread.length > DRAWN ? ` (the first ${DRAWN})` : ""}:`);
  for (let from = 0; from < Math.min(misread.length, DRAWN); from += A_ROW) {
    const pictures: string[][] = [];
    const captions: string[] = [];
    for (const i of misread.slice(from, Math.min(from + A_ROW, DRAWN))) {
      using picture = images.subSlice(i * kHeldOutStep);
      pictures.push(pictureRows(picture.matrix(), kInk));
      const digit = Number(read.vec().at(i));
      captions.push(`${labels.at(i)} read as ${digit}, ${probabilities.matrix().at(i, digit).toFixed(2)}`);
    }
    for (const line of sideBySide(pictures, captions)) print(`  ${line}`);
    print("");
  }
}
