// Products of matrices in tiles: sizes on both sides of the edges of tiles and steps, what is fused, how operands lie, dtypes.
import { typedArrayConstructor } from "@onebuffer/base";
import { convolve, einsum, tensorMap } from "@onebuffer/eigen";
import { WebGpuDevice } from "@onebuffer/webgpu";
import { difference, product } from "./compared.mjs";

let seed = 1;
const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;

/** Returns a map of numbers between -1 and 1, or of integers. */
function matrix(dims, dtype = "float32") {
  const isWhole = dtype.includes("int");
  const floats = Float32Array.from({ length: product(dims) }, () => (isWhole ? Math.floor(next() * 100) : next() * 2 - 1));
  if (dtype === "float32") return tensorMap(dtype, floats, dims);
  const map = tensorMap(dtype, new (typedArrayConstructor(dtype))(product(dims)), dims);
  map.assign(tensorMap("float32", floats, dims).cast(dtype));
  return map;
}

/** The products, each with the forms of its commands. */
const kProducts = {
  "one tile": () => [matrix([32, 16]).matMul(matrix([16, 32])), "product"],
  "parts of tiles": () => [matrix([33, 45]).matMul(matrix([45, 70])), "product"],
  "large tiles": () => [matrix([257, 17]).matMul(matrix([17, 260])), "product"],
  "bias and activation": () => [
    matrix([20, 30])
      .matMul(matrix([30, 40]))
      .add(matrix([40]))
      .maximum(0),
    "product",
  ],
  "a sum with a transposed map": () => [
    matrix([20, 30])
      .matMul(matrix([30, 20]))
      .add(matrix([20, 20]).transpose()),
    "product",
  ],
  "operands that are computed": () => [
    matrix([20, 30])
      .exp()
      .matMul(matrix([30, 40]).square()),
    "map map product",
  ],
  "transposed operands": () => [
    matrix([30, 20])
      .transpose()
      .matMul(matrix([40, 30]).transpose()),
    "product",
  ],
  "transposed by options": () => [matrix([30, 20]).matMul(matrix([40, 30]), { transposeA: true, transposeB: true }), "product"],
  "a batch that is repeated": () => [
    matrix([3, 2, 20, 9])
      .matMul(matrix([2, 9, 10]))
      .add(matrix([10])),
    "product",
  ],
  "axes that are joined": () => [einsum("abc,cbd->ad", matrix([8, 5, 6]), matrix([6, 5, 7])), "product"],
  "a convolution": () => [convolve(matrix([2, 9, 8, 3]), matrix([3, 3, 3, 5]), { dilations: 2 }), "product"],
  "a padded convolution": () => [convolve(matrix([2, 9, 8, 3]), matrix([3, 3, 3, 5]), { padding: "same" }), null],
  "a convolution with strides and bias": () => [
    convolve(matrix([1, 12, 12, 4]), matrix([3, 3, 4, 8]), { strides: 2 }).add(matrix([8])),
    "product",
  ],
  "two users": () => {
    const both = matrix([20, 30]).matMul(matrix([30, 20]));
    return [both.add(both.transpose()), "product map"];
  },
  float16: () => [matrix([20, 30], "float16").matMul(matrix([30, 21], "float16")), "clear product"],
  bfloat16: () => [
    matrix([20, 30], "bfloat16")
      .matMul(matrix([30, 21], "bfloat16"))
      .add(1),
    "clear product",
  ],
  int32: () => [matrix([20, 30], "int32").matMul(matrix([30, 21], "int32")), "product"],
  uint32: () => [matrix([20, 30], "uint32").matMul(matrix([30, 21], "uint32")), "product"],
  int8: () => [matrix([20, 30], "int8").matMul(matrix([30, 21], "int8")), "clear product"],
  "int8 to int32": () => [
    matrix([20, 30], "int8")
      .cast("int32")
      .matMul(matrix([30, 21], "int8").cast("int32")),
    null,
  ],
  complex64: () => [
    matrix([20, 30])
      .cast("complex64")
      .matMul(matrix([30, 21]).cast("complex64")),
    null,
  ],
};

/** Compares products with the evaluator. */
export async function productChecks(gpu, report) {
  const device = await WebGpuDevice.create({ gpu });
  for (const [name, make] of Object.entries(kProducts)) {
    await report.check(name, async () => {
      const [tree, forms] = make();
      const got = device
        .explain(tree)
        .steps.map(({ form }) => form)
        .join(" ");
      if (forms !== null && got !== forms) throw new Error(`it is ${got}, not ${forms}`);
      const answer = await difference(device, tree);
      if (!answer.agrees) throw new Error(JSON.stringify(answer));
      return got;
    });
  }
  await device.dispose();
}
