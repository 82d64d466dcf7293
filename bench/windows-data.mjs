// The inputs of the workloads of windows (convolutions, pooling, resizing) and of products with few rows, the same for every library.

const matrices = (...dims) => dims.map((each, k) => ({ dims: each, seed: k + 1, scale: 1, dtype: "float32" }));

/**
 * Maps each workload to its inputs: images [batch, height, width, channels], filters [height, width, channels, filters]; a depthwise one
 * has one filter.
 */
export const kWindowInputs = {
  "conv2d 8x8x4": matrices([1, 8, 8, 4], [3, 3, 4, 8]),
  "conv2d 28x28x128": matrices([1, 28, 28, 128], [3, 3, 128, 128]),
  "conv2d 32x32x3": matrices([1, 32, 32, 3], [3, 3, 3, 32]),
  "depthwise 56x56x64": matrices([1, 56, 56, 64], [3, 3, 64, 1]),
  "depthwise 28x28x128 by 2": matrices([1, 28, 28, 128], [3, 3, 128, 1]),
  "max pool 3x3": matrices([1, 56, 56, 64]),
  "max pool 3x3 by 2": matrices([1, 112, 112, 64]),
  "mean pool 3x3": matrices([1, 56, 56, 64]),
  "mean pool 3x3 by 2": matrices([1, 112, 112, 64]),
  "resize 64 to 128, RGB": matrices([1, 64, 64, 3]),
  "resize 64 to 128, 32 channels": matrices([1, 64, 64, 32]),
  "resize 128 to 64, 32 channels": matrices([1, 128, 128, 32]),
  "resize 256 to 100, RGB": matrices([1, 256, 256, 3]),
  "resize 224 to 448, RGB": matrices([1, 224, 224, 3]),
  "matMul 1x1024x1024": matrices([1, 1024], [1024, 1024]),
  "matMul 4x1024x1024": matrices([4, 1024], [1024, 1024]),
  "matMul 8x1024x1024": matrices([8, 1024], [1024, 1024]),
  "matMul 1024x1024x8": matrices([1024, 1024], [1024, 8]),
  "matMul 1024x8x1024": matrices([1024, 8], [8, 1024]),
};

/** The distance of windows in a workload: "by 2" or 1. */
export const strideOf = (name) => (name.endsWith(" by 2") ? 2 : 1);

/** The side of a resized image: "64 to 128" or null. */
export const sideOf = (name) => {
  const match = / to (\d+)/.exec(name);
  return match === null ? null : Number(match[1]);
};

/** Returns the calls before timing begins. */
export const windowWarmup = (name) => (name === "conv2d 8x8x4" ? 30_000 : 5);

/**
 * Returns the functions of a library by workload. `library` has `conv2d(x, filters, stride)`, `depthwise(x, filters, stride)`,
 * `maxPool(x, stride)` and `meanPool(x, stride)`, all padded "same", the pools 3 by 3; `resize(x, side)`, and `matMul(a, b)`.
 */
export const windowFunctions = (library) =>
  Object.fromEntries(
    Object.keys(kWindowInputs).map((name) => {
      const [stride, side] = [strideOf(name), sideOf(name)];
      if (name.startsWith("conv2d")) return [name, (x, filters) => library.conv2d(x, filters, stride)];
      if (name.startsWith("depthwise")) return [name, (x, filters) => library.depthwise(x, filters, stride)];
      if (name.startsWith("max")) return [name, (x) => library.maxPool(x, stride)];
      if (name.startsWith("mean")) return [name, (x) => library.meanPool(x, stride)];
      if (side !== null) return [name, (x) => library.resize(x, side)];
      return [name, (a, b) => library.matMul(a, b)];
    }),
  );
