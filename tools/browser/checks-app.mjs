// Runs the tour's classifier as an app on a page whose Content-Security-Policy forbids eval: checks its results, that kernels
// compute them, and that the policy is in force and is never violated.
import { tensorOf, Tensor } from "onebuffer";
import { kernelCounts, setKernelHooks } from "onebuffer/debug";
import { classifier } from "/packages/onebuffer/dist/src/tour/classifier.js";
import { kModelFiles } from "/packages/onebuffer/dist/src/tour/digit-classifier.js";
import { equal, task } from "./verdict.mjs";

/** The violations that the browser has reported so far: `directive blocked`. */
const violations = [];
document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
  violations.push(`${effectiveDirective} ${blockedURI}`),
);

/** Waits until the browser has reported a violation; half a second at most. */
async function violation() {
  const start = performance.now();
  while (violations.length === 0 && performance.now() - start < 500) await task();
}

const refused = (act) => {
  try {
    act();
    return false;
  } catch (error) {
    return error.name === "EvalError";
  }
};

/**
 * Fetches a file, placed so that its last byte is just before a multiple of 64: the elements at the end of the message are then
 * aligned.
 */
async function file(name) {
  const body = new Uint8Array(await (await fetch(`/examples/data/${name}`)).arrayBuffer());
  const end = Math.ceil(body.length / 64) * 64;
  const bytes = new Uint8Array(new ArrayBuffer(end), end - body.length);
  bytes.set(body);
  return bytes;
}

async function appFiles() {
  const model = await Promise.all(kModelFiles.map(async (name) => [name, await file(`digits-model/${name}.pb`)]));
  const npy = async (name) => new Uint8Array(await (await fetch(`/examples/data/${name}`)).arrayBuffer());
  return { digits: await npy("digits.npy"), labels: await npy("digits-labels.npy"), model: Object.fromEntries(model) };
}

/** Runs the chapter and checks the lines it writes. */
async function readDigits() {
  const lines = [];
  classifier((line) => lines.push(line.trim()), await appFiles());
  const after = (words) =>
    lines
      .find((line) => line.startsWith(words))
      ?.slice(words.length)
      .trim();
  const [, good] = /^(\d+) of 360, /.exec(after("digits read correctly"));
  equal([Number(good) >= 0.97 * 360, after("digits read as TensorFlow read them")], [true, "360 of 360"]);
  equal([Number(after("largest difference from TensorFlow's probabilities")) < 1e-6, after("bytes copied in this chapter")], [true, "0"]);
  equal(lines.filter((line) => /\d read as \d/.test(line)).length > 0, true);
}

/** Checks for a page whose policy lets WebAssembly compile: `script-src … 'wasm-unsafe-eval'`. */
export const kAppChecks = {
  async "the page's policy is in force: it blocks eval and new Function"() {
    const indirect = Reflect.get(globalThis, "eval");
    equal([refused(() => indirect("1")), refused(() => Function("return 1"))], [true, true]);
    await violation();
    equal(
      violations.every((each) => each.endsWith(" eval")),
      true,
    );
    violations.length = 0;
  },
  async "the classifier reads the digits as TensorFlow does, with kernels"() {
    const before = kernelCounts();
    await readDigits();
    const after = kernelCounts();
    equal([after.compiled > before.compiled, after.runs > before.runs], [true, true]);
    await violation();
    equal(violations, []);
  },
};

/** Checks for a page that may not compile WebAssembly at all. */
export const kNoWasmChecks = {
  "the page's policy is in force: it blocks eval and new Function":
    kAppChecks["the page's policy is in force: it blocks eval and new Function"],
  async "without WebAssembly the results are the same, and each reason is reported once"() {
    const reasons = [];
    const hooks = setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
    try {
      await readDigits();
      const tensor = Tensor.arange(5000);
      const sum = tensorOf(tensor.vec().mul(2).sum());
      equal(sum.scalar().at(), 24995000);
      sum.dispose();
      tensor.dispose();
    } finally {
      setKernelHooks(hooks);
    }
    equal([kernelCounts().runs, reasons.length > 0, new Set(reasons).size], [0, true, reasons.length]);
  },
};
