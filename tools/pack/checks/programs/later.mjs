// A page whose kernels are a file of their own. Prints whether the kernels were there at the start, then what `ready` brings: in pages the
// evaluator computes until they have loaded.
import { ready, Tensor } from "onebuffer";
import { kernelCounts } from "onebuffer/debug";

/** Returns [the sums, whether a kernel computed them]. */
function sums() {
  const { runs } = kernelCounts();
  const tensor = Tensor.from([1, 2, 3]);
  tensor.assign(tensor.vec().add(1));
  return [...tensor.toArray(), kernelCounts().runs > runs];
}

/** Returns what `ready` is rejected with, or null. */
const refusal = () =>
  ready().then(
    () => null,
    ({ code }) => code,
  );

export const report = async () => [sums(), await refusal(), sums()];
