// Losses of small networks over random tensors, with their parameters: of layers, of convolutions, of an embedding with normalized rows.
import { avgPool, convolve, maxPool, tensorMap } from "@onebuffer/eigen";
import { arenaArray, Dice } from "@onebuffer/eigen/test/kernel/kernel-subjects";
import { product } from "@onebuffer/eigen/test/row-major";
import type { Built } from "../differences/subject.ts";

/** A loss and its parameters. */
export interface Network {
  readonly loss: Built;
  readonly parameters: readonly Built[];
}

/** Returns a new float32 map in the memory that kernels read and write. */
export const mapInArena = (dims: readonly number[]): Built =>
  tensorMap("float32", arenaArray("float32", product(dims)) as Float32Array, dims);

/** Returns float32 maps of random numbers. */
export function randomMaps(seed: number): (dims: readonly number[]) => Built {
  const dice = new Dice(seed);
  return (dims) => {
    const map = mapInArena(dims);
    for (let i = 0; i < map.size; i++) map.data[i] = dice.unit() - 0.5;
    return map;
  };
}

/** Two layers and the cross entropy of classes: that of examples/digits-network, for rows of 64 pixels. */
export function layers(rows: number, hidden: number): Network {
  const random = randomMaps(1);
  const [x, t] = [random([rows, 64]), random([rows, 10]).softmax()];
  const parameters = [random([64, hidden]), random([hidden]), random([hidden, 10]), random([10])] as const;
  const [w1, b1, w2, b2] = parameters;
  const scores = x.matMul(w1).add(b1).relu().matMul(w2).add(b2);
  return { loss: scores.logSoftmax().mul(t).sum().div(-rows), parameters };
}

function convolutions(images: number): Network {
  const random = randomMaps(2);
  const parameters = [random([3, 3, 2, 6]), random([6]), random([3, 3, 6, 4]), random([4 * 9, 5])] as const;
  const [f1, b1, f2, w] = parameters;
  const h = maxPool((convolve(random([images, 14, 14, 2]), f1, { padding: "same" }) as Built).add(b1).relu(), 2);
  const flat = avgPool(convolve(h as Built, f2, { padding: "same" }) as Built, 2, { padding: "same" });
  const scores = (flat as Built).slice(null, [0, 3], [0, 3]).reshape([images, 36]).matMul(w);
  return {
    loss: scores
      .logSumExp([1])
      .sub(scores.max([1]))
      .mean(),
    parameters,
  };
}

function embedding(places: number): Network {
  const random = randomMaps(3);
  const parameters = [random([50, 24]), random([24]), random([24]), random([24, 24])] as const;
  const [table, scale, offset, w] = parameters;
  const rows = tensorMap(
    "int32",
    Int32Array.from({ length: places }, (_, k) => (k * 7) % 50),
    [places],
  );
  const x = table.gather(rows, 0).layerNorm({ scale, offset });
  const weights = x.matMul(w).matMul(x, { transposeB: true }).div(5).softmax();
  return {
    loss: weights
      .matMul(x)
      .tanh()
      .square()
      .sum()
      .add(
        table
          .sort()
          .mul(random([24]))
          .cumsum(1)
          .square()
          .mean(),
      ),
    parameters,
  };
}

/** The networks by name. */
export const networks: readonly (readonly [name: string, make: () => Network])[] = [
  ["layers", () => layers(150, 40)],
  ["convolutions", () => convolutions(8)],
  ["an embedding", () => embedding(120)],
];

/** The same networks over fewer rows, for the plain evaluator. */
export const smallNetworks: typeof networks = [
  ["layers", () => layers(8, 12)],
  ["convolutions", () => convolutions(1)],
  ["an embedding", () => embedding(20)],
];
