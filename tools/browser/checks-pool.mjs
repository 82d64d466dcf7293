// The checks of ThreadPoolDevice in a page. Its policy forbids workers from blobs, so the pool gets workers of the page's own.
import { Tensor, ThreadPoolDevice } from "onebuffer";
import { equal, throwsStatus } from "./verdict.mjs";

const isolated = () => globalThis.crossOriginIsolated === true;
const worker = () => new Worker("/resolved/tools/browser/pool-worker.mjs", { type: "module" });

function numbers(dims) {
  const tensor = Tensor.zeros(dims);
  const map = tensor.flat();
  for (let i = 0; i < map.size; i++) map.set(i, Math.sin(i * 12.9898));
  return tensor;
}

/** Returns true if two tensors have the same bytes. */
const areSame = (a, b) => a.flat().data.every((value, i) => Object.is(value, b.flat().data[i]));

/** Returns the least of some times in milliseconds. */
async function leastOf(rounds, work) {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < rounds; k++) {
    const begin = performance.now();
    await work();
    least = Math.min(least, performance.now() - begin);
  }
  return least;
}

export const kPoolChecks = {
  async "a pool computes the same bits as one thread, and says how many threads it has"() {
    const pool = new ThreadPoolDevice(3, { worker });
    equal(await pool.ready(), isolated() ? 3 : 1);
    equal(pool.reason === null, isolated());
    const [a, b] = [numbers([300, 515]), numbers([515, 200])];
    const expressions = [() => a.matrix().matMul(b.matrix()), () => a.matrix().mul(2).exp().softmax(), () => a.matrix().transpose()];
    for (const make of expressions) {
      const [one, several] = [Tensor.zeros(make().dimensions), Tensor.zeros(make().dimensions)];
      one.assign(make());
      for (let round = 0; round < 10; round++) {
        several.flat().fill(7);
        await several.device(pool).assign(make());
        equal(areSame(one, several), true);
      }
      one.dispose();
      several.dispose();
    }
    if (isolated()) throwsStatus(() => a.device(pool).assignSync(0), "FAILED_PRECONDITION");
    a.dispose();
    b.dispose();
    await pool.dispose();
  },
  async "a pool whose workers cannot start has one thread and a reason"() {
    const pool = new ThreadPoolDevice(2, { worker: () => new Worker("/resolved/tools/browser/missing.mjs", { type: "module" }) });
    equal(await pool.ready(), 1);
    equal(typeof pool.reason, "string");
    const out = Tensor.zeros([2]);
    await out.device(pool).assign(3);
    equal(out.toArray(), [3, 3]);
    out.dispose();
    await pool.dispose();
  },
  async "a pool takes less time than one thread"() {
    if (!isolated() || navigator.hardwareConcurrency < 2) return;
    const pool = new ThreadPoolDevice(2, { worker });
    await pool.ready();
    const [a, b, out] = [numbers([512, 512]), numbers([512, 512]), Tensor.zeros([512, 512])];
    const product = a.matrix().matMul(b.matrix());
    const [one, two] = [() => out.assign(product), () => out.device(pool).assign(product)];
    // Other programs may use the processors: the page tries for a while until it has seen a clear difference.
    let ratio = 0;
    const end = performance.now() + 20_000;
    while (ratio < 1.25 && performance.now() < end) ratio = Math.max(ratio, (await leastOf(3, one)) / (await leastOf(3, two)));
    equal(ratio >= 1.25 ? "faster" : `only ${ratio} times as fast`, "faster");
    for (const tensor of [a, b, out]) tensor.dispose();
    await pool.dispose();
  },
};
