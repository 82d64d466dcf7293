// What a page does with the installed package: the program, and a tensor shared with a web worker where the page is isolated.
import { arenaInvitation, shareTensor, Tensor } from "onebuffer";
import { poolReport } from "./pool.mjs";
import { expected, report } from "./program.mjs";

async function sharedWithWorker() {
  const worker = new Worker(new URL("./page-worker.mjs", import.meta.url), { type: "module" });
  const answer = () =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => reject(new Error(`the worker: ${event.message}`));
    });
  await answer(); // it has loaded
  const tensor = Tensor.from([1, 2, 3]);
  worker.postMessage({ invitation: arenaInvitation(), handle: shareTensor(tensor) });
  const theirs = await answer();
  worker.terminate();
  return [theirs, tensor.toArray()];
}

/** A second copy of the library in the page, as modules: a tensor of the first one is shared with it. */
async function sharedWithCopy() {
  const copy = await import(/* @vite-ignore */ new URL("/node_modules/onebuffer/esm/onebuffer/index.js", import.meta.url).href);
  const tensor = Tensor.from([1, 2, 3]);
  const there = copy.receiveTensor(shareTensor(tensor));
  there.vec().set(0, 9);
  return [copy.Tensor === Tensor, copy.tensorOf(tensor.vec().add(there.vec())).toArray()];
}

/** What `ready` is rejected with, and sums that a kernel computed then. The sums before it may be either's: the kernels may have loaded. */
async function kernelsAfterReady() {
  const { report: later } = await import("./later.mjs");
  return (await later()).slice(1, 3);
}

/** Runs one check; a verdict as tools/browser/verdict.mjs has them. */
async function verdict(name, run, want) {
  try {
    const got = JSON.stringify(await run());
    return { name, ok: got === want, detail: `got ${got}, want ${want}` };
  } catch (error) {
    return { name, ok: false, detail: String(error?.stack ?? error) };
  }
}

const verdicts = [await verdict("the program", report, JSON.stringify(expected))];
if (globalThis.crossOriginIsolated) verdicts.push(await verdict("a tensor shared with a worker", sharedWithWorker, "[[1,2,3],[10,2,3]]"));
// The plain page's policy forbids the pool's workers.
const hasCopies = new URLSearchParams(globalThis.location.search).has("copies");
verdicts.push(await verdict("a pool of threads", poolReport, JSON.stringify([globalThis.crossOriginIsolated && !hasCopies ? 3 : 1, true])));
// The plain page has no sub-paths.
if (!hasCopies) verdicts.push(await verdict("kernels after ready()", kernelsAfterReady, "[null,[2,3,4,true]]"));
if (hasCopies) verdicts.push(await verdict("two copies in one thread", sharedWithCopy, "[false,[18,4,6]]"));
await fetch("/verdicts", { method: "POST", body: JSON.stringify(verdicts) });
