// How times grow: six kinds of work, each on five sizes, the same for every library. `npm run bench -- --growth` measures them.
import { expressionCases } from "../expressions-data.mjs";

const input = (dims, seed) => ({ dims, seed, scale: 1, dtype: "float32" });

/** The channels of images and filters. */
const kChannels = 32;

/**
 * By kind: what it is, the sizes, the operands of a size (of which the elements are floats), the elements of the result, the floating-point
 * operations, and the workload of the bench whose function it is. A comparison or an exchange of a sort counts as no such operation.
 */
export const kGrowth = {
  add: {
    text: "the sum of two vectors",
    sizeText: "elements",
    sizes: [256, 4096, 65_536, 1_048_576, 16_777_216],
    inputs: (n) => [input([n], 1), input([n], 2)],
    results: (n) => n,
    operations: (n) => n,
    like: "add 1e4",
  },
  sum: {
    text: "the sum of a vector's elements",
    sizeText: "elements",
    sizes: [256, 4096, 65_536, 1_048_576, 16_777_216],
    inputs: (n) => [input([n], 1)],
    results: () => 1,
    operations: (n) => n,
    like: "sum all",
  },
  matMul: {
    text: "the product of two square matrices",
    sizeText: "rows",
    sizes: [4, 16, 64, 256, 1024],
    inputs: (n) => [input([n, n], 1), input([n, n], 2)],
    results: (n) => n * n,
    operations: (n) => 2 * n ** 3,
    like: "matMul 512",
  },
  sort: {
    text: "a sorted vector",
    sizeText: "elements",
    sizes: [16, 256, 4096, 65_536, 1_048_576],
    inputs: (n) => [input([n], 1)],
    results: (n) => n,
    operations: () => 0,
    like: "sort 1e6",
  },
  fft: {
    text: "the Fourier transform of complex numbers",
    sizeText: "numbers",
    sizes: [16, 256, 4096, 65_536, 1_048_576],
    inputs: (n) => [input([2 * n], 1)],
    results: (n) => 2 * n,
    operations: (n) => 5 * n * Math.log2(n),
    like: null,
  },
  conv: {
    text: `${kChannels} filters of 3 by 3 by ${kChannels}`,
    sizeText: "rows and columns",
    sizes: [7, 14, 28, 56, 112],
    inputs: (n) => [input([1, n, n, kChannels], 1), input([3, 3, kChannels, kChannels], 2)],
    results: (n) => n * n * kChannels,
    operations: (n) => 2 * n * n * kChannels * 9 * kChannels,
    like: "conv2d",
  },
};

/** The name of a kind's workload of a size. */
export const growthName = (kind, size) => `growth of ${kind}: ${size}`;

/** All workloads: `{ name, kind, size }`. */
const kAll = Object.entries(kGrowth).flatMap(([kind, { sizes }]) => sizes.map((size) => ({ name: growthName(kind, size), kind, size })));

/** The Fourier transforms by name: their sizes. */
export const kGrowingTransforms = Object.fromEntries(kAll.filter(({ kind }) => kind === "fft").map(({ name, size }) => [name, [size]]));

/** The inputs of each workload by its name. */
export const kGrowthInputs = Object.fromEntries(kAll.map(({ name, kind, size }) => [name, kGrowth[kind].inputs(size)]));

const numElements = ({ dims }) => dims.reduce((a, b) => a * b, 1);

/** The number of calls before timing, by a workload's name: engines optimize a function that runs for a microsecond after many calls. */
export const growthWarmup = (name) => (kGrowthInputs[name].every((one) => numElements(one) <= 4096) ? 10_000 : 3);

/** The bytes that a workload reads and writes at least, and its floating-point operations. */
export const kLeastWork = Object.fromEntries(
  kAll.map(({ name, kind, size }) => [
    name,
    {
      readBytes: 4 * kGrowthInputs[name].reduce((sum, one) => sum + numElements(one), 0),
      writtenBytes: 4 * kGrowth[kind].results(size),
      operations: kGrowth[kind].operations(size),
    },
  ]),
);

/** Returns the functions of a library by the names of workloads, from those of the bench that do the same. */
export const growthFunctions = (functions) =>
  Object.fromEntries(
    kAll.flatMap(({ name, kind }) => {
      const { [kGrowth[kind].like]: compute } = functions;
      return compute === undefined ? [] : [[name, compute]];
    }),
  );

/** Returns the cases of a library that computes synchronously, as `expressionCases` makes them. */
export const growthCases = ({ functions, ...library }) =>
  expressionCases({ ...library, functions: growthFunctions(functions), inputs: kGrowthInputs, warmup: growthWarmup });

/** The relative tolerance of checksums: libraries add in different orders. */
const kTolerance = 1e-3;

/** The workloads as the bench runs them. */
export const kGrowthWorkloads = kAll.map(({ name, kind, size }) => ({
  name,
  kind,
  size,
  text: `${kGrowth[kind].text}, ${size} ${kGrowth[kind].sizeText}; stream and peak are the machine's limits`,
  tolerance: kTolerance,
}));
