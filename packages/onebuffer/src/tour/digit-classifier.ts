/**
 * DigitClassifier: a small network that reads handwritten digits, its weights as TensorFlow wrote them.
 *
 *     pixels uint8 [n,64] / 16 -> x kernel [64,64] + bias -> relu -> x kernel [64,10] + bias -> softmax -> argmax
 *
 * examples/data/train-digits.py trains it and writes each tensor as a serialized TensorProto. The weights are used where the files'
 * bytes lie. No Node: the browser check under a strict Content-Security-Policy runs this file, too.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { Tensor, tensorOf } from "@onebuffer/core";
import type { Expression, Operand, Operations } from "@onebuffer/eigen";
import { tensorProtoCodec } from "@onebuffer/proto";

/** The files of examples/data/digits-model, without their `.pb`: the weights, and what TensorFlow made of the held-out digits. */
export const kModelFiles = ["hidden-kernel", "hidden-bias", "output-kernel", "output-bias", "probabilities", "predictions"] as const;

/** The bytes of each. */
export type ModelFiles = Readonly<Record<(typeof kModelFiles)[number], Uint8Array>>;

/** The pixels' largest value. */
const kInk = 16;
/** Every fifth digit was kept from training. */
export const kHeldOutStep = 5;

/** A map of pixels, one picture a row. */
type Pixels = Operand<"uint8", 2> & Operations;

/**
 * The tensor a file holds: a view of the file's bytes where its elements are aligned in memory. They come last in the message, so
 * they are when the file's end is. Throws INVALID_ARGUMENT or DATA_LOSS for bytes that are no such message, and for another dtype.
 */
export function tensorOfFile<D extends DType>(bytes: Uint8Array, dtype: D): Tensor<D> {
  const tensor = Tensor.fromProto(tensorProtoCodec.decode(bytes));
  if (tensor.dtype === dtype) return tensor as Tensor<D>;
  const found = tensor.dtype;
  tensor.dispose();
  throw new InvalidArgumentError(`a tensor of ${dtype} expected, the file holds ${found}`);
}

/** The network. Whoever makes it disposes it. */
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

  /** What the hidden units make of pictures [n,64]. Nothing is computed yet. */
  hidden(pixels: Pixels): Expression<"float32", 2> {
    return pixels.cast("float32").div(kInk).matMul(this.hiddenKernel.matrix()).add(this.hiddenBias.vec()).relu();
  }

  /** One number for each picture and class: the larger, the likelier. Nothing is computed yet. */
  logits(pixels: Pixels): Expression<"float32", 2> {
    return this.hidden(pixels).matMul(this.outputKernel.matrix()).add(this.outputBias.vec());
  }

  /** How likely each digit is: [n,10], computed. */
  probabilities(pixels: Pixels): Tensor<"float32"> {
    return tensorOf(this.logits(pixels).softmax());
  }

  /** The likeliest digit of each picture: [n], computed. */
  read(pixels: Pixels): Tensor<"int64"> {
    return tensorOf(this.logits(pixels).argmax(1));
  }

  [Symbol.dispose](): void {
    for (const tensor of [this.hiddenKernel, this.hiddenBias, this.outputKernel, this.outputBias]) tensor.dispose();
  }
}
