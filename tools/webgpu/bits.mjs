// Results that have the bits of Node's kernels, and results that are the same twice and everywhere.
import { tensorMap } from "@onebuffer/eigen";
import { WebGpuDevice } from "@onebuffer/webgpu";
import { newMap } from "./compared.mjs";
import { hashOfBytes } from "./hash.mjs";

/** Elementwise operations of float32 that have the kernels' bits, with the range of their arguments. No argument or result is denormal. */
const kFunctions = {
  ...Object.fromEntries(
    "exp exp2 expm1 sinh cosh tanh sigmoid erf floor ceil round sign abs neg square reciprocal atan"
      .split(" ")
      .map((op) => [op, [-80, 80]]),
  ),
  ...Object.fromEntries("log log2 log10 log1p sqrt".split(" ").map((op) => [op, [2 ** -20, 2 ** 20]])),
  ...Object.fromEntries("asin acos".split(" ").map((op) => [op, [-1, 1]])),
};
const kCount = 65536;

/** Numbers of a range, of all kinds of mantissas. */
function numbers(low, high, count = kCount) {
  let seed = 1;
  return Float32Array.from({ length: count }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return low + ((high - low) * seed) / 2 ** 32;
  });
}

const bytesOf = (map) => new Uint8Array(map.data.buffer, map.data.byteOffset, map.data.byteLength);

/** Returns the functions over their numbers, by name. */
function functionTrees() {
  return Object.entries(kFunctions).map(([op, [low, high]]) => [op, tensorMap("float32", numbers(low, high), [kCount])[op]()]);
}

/** Sums, whose bits are not those of the kernels. */
function sumTrees() {
  const a = tensorMap("float32", numbers(-1, 1), [64, 1024]);
  return Object.entries({
    "sum of rows": a.sum([1]),
    "sum of columns": a.sum([0]),
    "sum of all": a.sum(),
    "softmax of a long row": a.reshape([1, 65536]).softmax(),
    "mean of rows": a.mean([1]),
    softmax: a.softmax(),
    product: a.matMul(a.transpose()),
  });
}

/** Returns the hashes of the functions as the kernels of this process compute them. */
export function kernelHashes() {
  const hashes = {};
  for (const [op, tree] of functionTrees()) {
    const map = newMap(tree);
    map.assign(tree);
    hashes[op] = hashOfBytes(bytesOf(map));
  }
  return hashes;
}

/** Returns how many elements have other bits than those of the kernels of this process. */
function countOther(tree, map) {
  const here = newMap(tree);
  here.assign(tree);
  return [...here.data].filter((value, k) => !Object.is(value, map.data[k])).length;
}

/** Compares bits of functions with those of Node's kernels, by hash, and all results with themselves. */
export async function bitChecks(gpu, report, { kernels }) {
  const device = await WebGpuDevice.create({ gpu });
  for (const [name, tree] of [...functionTrees(), ...sumTrees()]) {
    const [first, second] = [newMap(tree), newMap(tree)];
    await first.device(device).assign(tree);
    await second.device(device).assign(tree);
    const hash = hashOfBytes(bytesOf(first));
    if (hash === hashOfBytes(bytesOf(second))) report.pass();
    else report.fail(name, "two runs have other bits");
    report.hash(name, hash);
    if (!(name in kernels)) continue;
    if (hash === kernels[name]) report.pass();
    else
      report.fail(
        name,
        `other bits than Node's kernels; ${countOther(tree, first)} of ${kCount} elements are not as this process has them`,
      );
  }
  await device.dispose();
}
