/** The network that reads digits: weights that TensorFlow has trained, and the expression over them. */
import { Tensor } from "onebuffer";
import type { Expression } from "onebuffer";
import { tensorProtoCodec } from "onebuffer/proto";
import hiddenBias from "../../../../../examples/data/digits-model/hidden-bias.pb?url";
import hiddenKernel from "../../../../../examples/data/digits-model/hidden-kernel.pb?url";
import outputBias from "../../../../../examples/data/digits-model/output-bias.pb?url";
import outputKernel from "../../../../../examples/data/digits-model/output-kernel.pb?url";

/** The names of the weights in the order of the layers. */
export const kWeights = ["hidden kernel", "hidden bias", "output kernel", "output bias"] as const;
export type WeightName = (typeof kWeights)[number];

const kUrls: Readonly<Record<WeightName, string>> = {
  "hidden kernel": hiddenKernel,
  "hidden bias": hiddenBias,
  "output kernel": outputKernel,
  "output bias": outputBias,
};

/** The largest value of a pixel. */
export const kInk = 16;

/** The weights. Whoever loads them disposes them. */
export type Weights = Readonly<Record<WeightName, Tensor<"float32">>>;

/** Fetches the weights: serialized TensorProtos, as TensorFlow has written them. */
export async function loadWeights(): Promise<Weights> {
  const made = await Promise.all(
    kWeights.map(async (name) => {
      const bytes = new Uint8Array(await (await fetch(kUrls[name])).arrayBuffer());
      return [name, Tensor.fromProto(tensorProtoCodec.decode(bytes)) as Tensor<"float32">] as const;
    }),
  );
  return Object.fromEntries(made) as unknown as Weights;
}

/** Returns the probabilities of the ten digits for one picture, as an expression. */
export function probabilitiesOf(pixels: Tensor<"float32">, weights: Weights): Expression<"float32", 2> {
  const hidden = pixels.matrix().div(kInk).matMul(weights["hidden kernel"].matrix()).add(weights["hidden bias"].vec()).relu();
  return hidden.matMul(weights["output kernel"].matrix()).add(weights["output bias"].vec()).softmax();
}
