// Results that have the bits of Node's kernels, and results that are the same twice.
import { tensorMap } from "@onebuffer/eigen";
import { WebGpuDevice } from "@onebuffer/webgpu";
import { newMap } from "./compared.mjs";

/** Elementwise operations of float32 that have the kernels' bits, with the range of their arguments. */
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

/** Compares bits of functions with those of the kernels, and of sums with themselves. */
export async function bitChecks(gpu, report) {
  const device = await WebGpuDevice.create({ gpu });
  for (const [op, [low, high]] of Object.entries(kFunctions)) {
    const tree = tensorMap("float32", numbers(low, high), [kCount])[op]();
    const [here, there] = [newMap(tree), newMap(tree)];
    here.assign(tree);
    await there.device(device).assign(tree);
    const differ = [...here.data].filter((value, k) => !Object.is(value, there.data[k]) && !(Math.abs(value) < 2 ** -126)).length;
    if (differ === 0) report.pass();
    else report.fail(op, `${differ} of ${kCount} elements have other bits than the kernels'`);
  }
  const a = tensorMap("float32", numbers(-1, 1), [64, 1024]);
  const sums = {
    "sum of rows": a.sum([1]),
    "sum of columns": a.sum([0]),
    "sum of all": a.sum(),
    softmax: a.softmax(),
    product: a.matMul(a.transpose()),
  };
  for (const [name, tree] of Object.entries(sums)) {
    const [first, second] = [newMap(tree), newMap(tree)];
    await first.device(device).assign(tree);
    await second.device(device).assign(tree);
    if (Buffer.compare(bytesOf(first), bytesOf(second)) === 0) report.pass();
    else report.fail(name, "two runs have other bits");
  }
  await device.dispose();
}
