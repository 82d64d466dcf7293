// A page whose kernels are a file of their own. Prints whether the kernels were there at the start, then what `ready` brings, and why the
// evaluator has computed: in pages it does until the kernels have loaded.
import { ready, Tensor } from "onebuffer";
import { kernelCounts, setKernelHooks } from "onebuffer/debug";

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

export async function report() {
  const reasons = [];
  setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
  return [sums(), await refusal(), sums(), ...reasons];
}
