// Results that have the bits of Node's kernels, and results that are the same twice and everywhere.
import { tensorMap } from "@onebuffer/eigen";
import { engine } from "@onebuffer/wasm/internal";
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

/** Returns how many elements have other bits than those of the kernels of this process, and the largest difference in ulp. */
function differenceFromHere(tree, map) {
  const here = newMap(tree);
  here.assign(tree);
  const [a, b] = [new Int32Array(here.data.buffer, here.data.byteOffset), new Int32Array(map.data.buffer, map.data.byteOffset)];
  let [count, ulp] = [0, 0];
  for (let k = 0; k < kCount; k++) {
    if (a[k] === b[k]) continue;
    count++;
    ulp = Math.max(ulp, Math.abs(a[k] - b[k]));
  }
  return { count, ulp };
}

/** Compares bits of functions with those of Node's kernels, by hash, and all results with themselves. */
export async function bitChecks(gpu, report, { kernels }) {
  const device = await WebGpuDevice.create({ gpu });
  const here = { functions: 0, share: 0, ulp: 0 };
  for (const [name, tree] of [...functionTrees(), ...sumTrees()]) {
    const [first, second] = [newMap(tree), newMap(tree)];
    await first.device(device).assign(tree);
    await second.device(device).assign(tree);
    const hash = hashOfBytes(bytesOf(first));
    if (hash === hashOfBytes(bytesOf(second))) report.pass();
    else report.fail(name, "two runs have other bits");
    report.hash(name, hash);
    if (!(name in kernels)) continue;
    const { count, ulp } = differenceFromHere(tree, first);
    if (count > 0) here.functions++;
    here.share = Math.max(here.share, count / kCount);
    here.ulp = Math.max(here.ulp, ulp);
    if (hash === kernels[name]) report.pass();
    else report.fail(name, `other bits than Node's kernels; ${count} of ${kCount} elements are not as this process has them`);
  }
  const relaxed = engine().relaxed ? "with relaxed SIMD" : "without relaxed SIMD";
  const { functions, share, ulp } = here;
  const other = `other bits in ${functions} functions, of at most ${(100 * share).toFixed(1)} % of the elements, by at most ${ulp} ulp`;
  report.note(`beside the kernels of this process, ${relaxed}: ${other}`);
  await device.dispose();
}
