// A page whose kernels of linear algebra and of transforms are files of their own. Returns what the evaluator computes at the start, and what the
// kernels compute after `ready`, each with whether a kernel did.
import { evaluate, ready, tensorMap } from "onebuffer";
import { kernelCounts } from "onebuffer/debug";
import { cholesky, eigvalsh, solve } from "onebuffer/linalg";
import { rfft } from "onebuffer/signal";

function results() {
  const a = tensorMap("float64", Float64Array.of(2, 0, 0, 4), [2, 2]);
  const b = tensorMap("float64", Float64Array.of(2, 4), [2, 1]);
  const { runs } = kernelCounts();
  const numbers = [solve(a, b), cholesky(a.mul(a)), eigvalsh(a), rfft(tensorMap("float64", Float64Array.of(1, 2, 4), [3])).real()];
  return [numbers.map((each) => evaluate(each).toArray().flat().map(Math.round)), kernelCounts().runs > runs];
}

export async function report() {
  const first = results();
  await ready();
  return [first, results()];
}
