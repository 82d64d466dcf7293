// Three threads compute a product and an exponential. Prints whether their bits are those of one thread. The process then ends by itself.
import { Tensor, ThreadPoolDevice } from "onebuffer";

/** Returns [the number of threads, whether all results are those of one thread]. */
export async function poolReport() {
  const pool = new ThreadPoolDevice(3);
  const threads = await pool.ready();
  const a = Tensor.from(Float32Array.from({ length: 300 * 300 }, (_, i) => Math.sin(i))).reshape([300, 300]);
  const isSame = [];
  for (const make of [() => a.matrix().matMul(a.matrix()), () => a.matrix().exp().sum([0])]) {
    const [one, several] = [Tensor.zeros(make().dimensions), Tensor.zeros(make().dimensions)];
    one.assign(make());
    for (let round = 0; round < 5; round++) {
      await several.device(pool).assign(make());
      isSame.push(several.flat().data.every((value, i) => Object.is(value, one.flat().data[i])));
    }
  }
  if (pool.numThreads !== threads) isSame.push(false);
  return [threads, isSame.every(Boolean)];
}
