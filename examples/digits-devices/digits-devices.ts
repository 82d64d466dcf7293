// Trains the digits network on one thread, on a pool of threads, and on eight devices of XLA, by the same lines. With --xla it needs a Python
// with JAX: `pip install jax`, and `python3` in PATH or ONEBUFFER_XLA_PYTHON.
import { readFileSync } from "node:fs";
import { assignTogether, DefaultDevice, tensorMap } from "onebuffer/eigen";
import type { Assignments, ConstTensorMap, Device, Movements, Operand, Operations } from "onebuffer/eigen";
import { evaluate, liveBuffers, oneHot, readNpy, select, Tensor, tensorOf, ThreadPoolDevice } from "onebuffer";
import { XlaDevice } from "onebuffer/xla-device";
import type { XlaMap } from "onebuffer/xla-device";

const kHidden = 32;
const kParts = 5; // four to train with, one to test with
const kPart = 352; // digits in each: eight devices get 44 each
const kEpochs = 60;
const kRate = 0.5;
const kInk = 16; // the largest value of a pixel

/** A map in this process or on other devices: operands, and targets of a device. */
type AnyMap<R extends number> = Operand<"float32", R> & Operations & Movements & Assignments<"float32">;

/** A device, and how operands get to it. On `rows` each device gets some of the rows. */
interface Place {
  readonly device: Device;
  put<R extends number>(map: ConstTensorMap<"float32", R>, sharding: "rows" | "whole"): Promise<AnyMap<R>>;
  dispose(): Promise<void>;
}

/** The memory of this process: a copy, because each device trains weights of its own. */
const here = (device: Device, dispose: () => Promise<void>): Place => ({
  device,
  put: async (map) => tensorMap("float32", map.data.slice(), map.dimensions) as never,
  dispose,
});

/** Eight devices of XLA, here virtual ones of one processor. A cluster has other options, and the same program. */
async function eightDevices(): Promise<Place> {
  const python = process.env["ONEBUFFER_XLA_PYTHON"];
  const xla = await XlaDevice.start({ platform: "cpu", devices: 8, mesh: { data: 8 }, ...(python === undefined ? {} : { python }) });
  return {
    device: xla,
    put: async <R extends number>(map: ConstTensorMap<"float32", R>, sharding: string): Promise<XlaMap<"float32", R>> =>
      xla.put(map, sharding === "rows" ? ["data"] : []),
    dispose: () => xla.dispose(),
  };
}

const readData = (name: string) => readNpy(readFileSync(new URL(`../data/${name}`, import.meta.url)), { dtype: "uint8" });

/** The digits in five parts, and which they are. */
function readDigits() {
  using images = readData("digits.npy"); // uint8 [1797, 8, 8]
  using labels = readData("digits-labels.npy"); // uint8 [1797]
  using firstImages = images.slice(0, kPart * kParts);
  using imageRows = firstImages.reshape([kPart, kParts, 64]);
  using firstLabels = labels.slice(0, kPart * kParts);
  using labelRows = firstLabels.reshape([kPart, kParts]);
  return Array.from({ length: kParts }, (_, part) => {
    const label = labelRows.matrix().chip(part, 1);
    return {
      pixels: evaluate(imageRows.tensor(3).chip(part, 1).cast("float32").div(kInk)), // [352, 64]
      wanted: evaluate(oneHot(label, 10, "float32")), // [352, 10]
      labels: evaluate(label.cast("int32")),
    };
  });
}

/** Small random weights. The generator is Lehmer's, so that the NumPy twin can start from the same ones. */
function randomWeights(inputs: number, outputs: number, seed: number) {
  const limit = Math.sqrt(6 / (inputs + outputs));
  let state = seed;
  const next = () => {
    state = (state * 48271) % 2147483647;
    return ((2 * state) / 2147483647 - 1) * limit;
  };
  return tensorMap("float32", Float32Array.from({ length: inputs * outputs }, next), [inputs, outputs]);
}

const zeros = <const S extends readonly number[]>(...dims: S) =>
  tensorMap("float32", new Float32Array(dims.reduce((product, size) => product * size, 1)), dims);

async function train({ device, put }: Place, parts: ReturnType<typeof readDigits>) {
  const [w1, b1] = [await put(randomWeights(64, kHidden, 1), "whole"), await put(zeros(kHidden), "whole")];
  const [w2, b2] = [await put(randomWeights(kHidden, 10, 2), "whole"), await put(zeros(10), "whole")];
  const [h, e1] = [await put(zeros(kPart, kHidden), "rows"), await put(zeros(kPart, kHidden), "rows")];
  const [p, e2] = [await put(zeros(kPart, 10), "rows"), await put(zeros(kPart, 10), "rows")];
  const batches = await Promise.all(
    parts.map(async ({ pixels, wanted }) => [await put(pixels, "rows"), await put(wanted, "rows")] as const),
  );
  using lossTensor = Tensor.zeros([]);
  using choices = tensorOf(zeros(kPart).cast("int32"));

  const losses: number[] = [];
  const started = performance.now();
  for (let epoch = 0; epoch < kEpochs; epoch++) {
    let loss = 0;
    for (const [x, y] of batches.slice(0, -1)) {
      // Forward.
      await h.device(device).assign(x.matMul(w1).add(b1).relu());
      await p.device(device).assign(h.matMul(w2).add(b2).softmax());
      await lossTensor.device(device).assign(p.log().mul(y).sum());
      loss -= lossTensor.scalar().at() / (kPart * (kParts - 1));
      // Backward: how the loss changes with what each layer gave out before its activation.
      await e2.device(device).assign(p.sub(y).div(kPart));
      await e1.device(device).assign(select(h.greater(0), e2.matMul(w2.transpose()), 0));
      // Downhill.
      await assignTogether(
        [
          [w2, w2.sub(h.transpose().matMul(e2).mul(kRate))],
          [b2, b2.sub(e2.sum([0]).mul(kRate))],
          [w1, w1.sub(x.transpose().matMul(e1).mul(kRate))],
          [b1, b1.sub(e1.sum([0]).mul(kRate))],
        ],
        device,
      );
    }
    losses.push(loss);
  }
  const ms = performance.now() - started;

  const [x] = batches[kParts - 1] as (typeof batches)[0];
  const scores = x.matMul(w1).add(b1).relu().matMul(w2).add(b2);
  await choices.device(device).assign(scores.argmax(1, { outputType: "int32" }));
  const labels = (parts[kParts - 1] as (typeof parts)[0]).labels;
  const right = evaluate(choices.vec().equal(labels).cast("int32").sum()).at();
  return { device: device.name, losses, predicted: choices.vec().toArray(), right, tested: kPart, ms };
}

export async function run(args: readonly string[]) {
  const parts = readDigits();
  const pool = args.includes("--pool") || args.includes("--all") ? new ThreadPoolDevice(2) : null;
  await pool?.ready();
  const places = [here(new DefaultDevice(), async () => {})];
  if (pool !== null) places.push(here(pool, () => pool.dispose()));
  if (args.includes("--xla") || args.includes("--all")) places.push(await eightDevices());
  const results = [];
  for (const place of places) {
    results.push(await train(place, parts));
    await place.dispose();
  }
  return results;
}

export const results = await run(process.argv.slice(2));
export const result = results[0];

for (const { device, losses, right, tested, ms } of results) {
  const [first, last] = [losses[0] as number, losses[kEpochs - 1] as number];
  console.log(`${device}: loss ${first.toFixed(4)} to ${last.toFixed(4)}, ${right} of ${tested} digits read right, ${ms.toFixed(0)} ms`);
}
if (results.length === 1) console.log("with --all: also on two threads, and on eight devices of XLA");
console.log(`${liveBuffers()} buffers left`);
if (process.argv.includes("--json")) console.log(JSON.stringify(results));
