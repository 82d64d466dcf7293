/**
 * DigitClassifier: a small network that reads handwritten digits, with weights trained and written by TensorFlow.
 *
 *     pixels uint8 [n,64] / 16 -> x kernel [64,64] + bias -> relu -> x kernel [64,10] + bias -> softmax -> argmax
 *
 * examples/data/train-digits.py trains it and writes each tensor as a serialized TensorProto. The weights are views of the files' bytes.
 * This file uses no Node API: the browser checks run it, too, under a strict Content-Security-Policy.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { Tensor, tensorOf } from "@onebuffer/core";
import type { Expression, Operand, Operations } from "@onebuffer/eigen";
import { tensorProtoCodec } from "@onebuffer/proto";

/** The names of the files in examples/data/digits-model, without `.pb`: the weights, and TensorFlow's results for the held-out digits. */
export const kModelFiles = ["hidden-kernel", "hidden-bias", "output-kernel", "output-bias", "probabilities", "predictions"] as const;

/** The bytes of each model file. */
export type ModelFiles = Readonly<Record<(typeof kModelFiles)[number], Uint8Array>>;

/** The largest value of a pixel. */
const kInk = 16;
/** Every fifth digit was held out from training. */
export const kHeldOutStep = 5;

/** A map of pixels, one picture per row. */
type Pixels = Operand<"uint8", 2> & Operations;

/**
 * Returns the tensor of a serialized TensorProto. The tensor is a view of the file's bytes if its elements are aligned in memory; a
 * message's elements are its last bytes, so they are aligned if the file's end is. The caller disposes the tensor.
 *
 * Throws INVALID_ARGUMENT or DATA_LOSS if the bytes are not a TensorProto, INVALID_ARGUMENT if its dtype is not `dtype`.
 */
export function tensorOfFile<D extends DType>(bytes: Uint8Array, dtype: D): Tensor<D> {
  const tensor = Tensor.fromProto(tensorProtoCodec.decode(bytes));
  if (tensor.dtype === dtype) return tensor as Tensor<D>;
  const found = tensor.dtype;
  tensor.dispose();
  throw new InvalidArgumentError(`expected a tensor of ${dtype}, the file holds ${found}`);
}

/** The network. It holds its weights until it is disposed (`using`). */
export class DigitClassifier {
  readonly hiddenKernel: Tensor<"float32">;
  readonly hiddenBias: Tensor<"float32">;
  readonly outputKernel: Tensor<"float32">;
  readonly outputBias: Tensor<"float32">;

  constructor(files: ModelFiles) {
    const made: Tensor<"float32">[] = [];
    const read = (name: (typeof kModelFiles)[number]): Tensor<"float32"> => {
      const tensor = tensorOfFile(files[name], "float32");
      made.push(tensor);
      return tensor;
    };
    try {
      this.hiddenKernel = read("hidden-kernel");
      this.hiddenBias = read("hidden-bias");
      this.outputKernel = read("output-kernel");
      this.outputBias = read("output-bias");
    } catch (error) {
      for (const tensor of made) tensor.dispose();
      throw error;
    }
  }

  /** The values of the hidden units for pictures [n,64], as an expression. */
  hidden(pixels: Pixels): Expression<"float32", 2> {
    return pixels.cast("float32").div(kInk).matMul(this.hiddenKernel.matrix()).add(this.hiddenBias.vec()).relu();
  }

  /** The logits [n,10], as an expression: the larger a number, the more probable its digit. */
  logits(pixels: Pixels): Expression<"float32", 2> {
    return this.hidden(pixels).matMul(this.outputKernel.matrix()).add(this.outputBias.vec());
  }

  /** Computes the probability of each digit: [n,10]. */
  probabilities(pixels: Pixels): Tensor<"float32"> {
    return tensorOf(this.logits(pixels).softmax());
  }

  /** Computes the most probable digit of each picture: [n]. */
  read(pixels: Pixels): Tensor<"int64"> {
    return tensorOf(this.logits(pixels).argmax(1));
  }

  [Symbol.dispose](): void {
    for (const tensor of [this.hiddenKernel, this.hiddenBias, this.outputKernel, this.outputBias]) tensor.dispose();
  }
}
