// Calls on the GPU beside jax-js and tfjs-backend-webgpu, in one process of Node on one adapter, in turn: ratios of medians. run.mjs starts this.
// A software adapter computes on threads of this process, so its processor time counts, which other programs disturb less than the time passed.
import { create, globals } from "webgpu";
import { Tensor } from "onebuffer";
import { WebGpuDevice } from "onebuffer/webgpu";

/** The most samples of a case, and how long they may take in all, in milliseconds: at least one is taken. */
const [kSamples, kLimitMs] = process.argv.includes("--check") ? [1, 0] : [9, 20_000];

const gpu = create([]);
Object.assign(globalThis, globals);
Object.defineProperty(globalThis, "navigator", { value: { gpu, userAgent: "Node", platform: process.platform }, configurable: true });
const jax = await import("@jax-js/jax");
const tf = await import("@tensorflow/tfjs-core");
const { WebGPUBackend } = await import("@tensorflow/tfjs-backend-webgpu");

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Numbers from -1 to 1. */
function numbers(count) {
  let seed = 1;
  return Float32Array.from({ length: count }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 31 - 1;
  });
}

/** The cases: the sizes of the operands, the program of each library over them, and the most that ours may take in times of each peer. */
const kCases = [
  {
    name: "a * a + c, 16 MiB",
    sizes: [[2 ** 22], [2 ** 22]],
    ours: (a, c) => a.mul(a).add(c),
    jax: (a, c) => jax.numpy.add(jax.numpy.multiply(a.ref, a), c),
    tfjs: (a, c) => tf.add(tf.mul(a, a), c),
    most: { jax: 1.1 },
  },
  {
    name: "exp, 16 MiB",
    sizes: [[2 ** 22]],
    ours: (a) => a.exp(),
    jax: (a) => jax.numpy.exp(a),
    tfjs: (a) => tf.exp(a),
    most: { tfjs: 1 },
  },
  {
    name: "softmax 1024 x 1024",
    sizes: [[1024, 1024]],
    ours: (a) => a.softmax(),
    jax: (a) => jax.nn.softmax(a),
    tfjs: (a) => tf.softmax(a),
    most: { jax: 1 },
  },
  {
    name: "matMul 512",
    sizes: [
      [512, 512],
      [512, 512],
    ],
    ours: (a, b) => a.matMul(b),
    jax: (a, b) => jax.numpy.matmul(a, b),
    tfjs: (a, b) => tf.matMul(a, b),
    most: { jax: 1, tfjs: 0.35 },
  },
];

/** Runs of a library: `run` computes a case over its operands and returns when the GPU is ready. */
async function ourRuns() {
  const own = await (await gpu.requestAdapter()).requestDevice();
  const device = await WebGpuDevice.create({ device: own, gpu });
  return async ({ sizes, ours }) => {
    const operands = [];
    for (const dims of sizes) {
      const tensor = Tensor.from(numbers(dims.reduce((p, q) => p * q)), { shape: dims });
      operands.push(await device.put(dims.length === 1 ? tensor.vec() : tensor.matrix()));
      tensor.dispose();
    }
    const tree = ours(...operands);
    return async () => {
      const result = await device.evaluate(tree);
      await own.queue.onSubmittedWorkDone();
      result.dispose();
    };
  };
}

async function jaxRuns() {
  await jax.init("webgpu");
  jax.defaultDevice("webgpu");
  return async ({ sizes, jax: program }) => {
    const operands = sizes.map((dims) => jax.numpy.array(numbers(dims.reduce((p, q) => p * q))).reshape(dims));
    const compiled = jax.jit(program);
    return async () => {
      const result = compiled(...operands.map((each) => each.ref));
      await result.blockUntilReady();
      result.dispose();
    };
  };
}

async function tfjsRuns() {
  const own = await (await gpu.requestAdapter()).requestDevice();
  tf.registerBackend("webgpu-own", () => new WebGPUBackend(own));
  for (const kernel of tf.getKernelsForBackend("webgpu")) tf.registerKernel({ ...kernel, backendName: "webgpu-own" });
  await tf.setBackend("webgpu-own");
  await tf.ready();
  return async ({ sizes, tfjs }) => {
    const operands = sizes.map((dims) => tf.tensor(numbers(dims.reduce((p, q) => p * q)), dims));
    return async () => {
      const result = tf.tidy(() => tfjs(...operands));
      // It collects commands until it is asked for a result.
      const backend = tf.backend();
      if (backend.commandEncoder !== null) {
        backend.endComputePassEncoder();
        backend.submitQueue();
      }
      await own.queue.onSubmittedWorkDone();
      result.dispose();
    };
  };
}

const libraries = { ours: await ourRuns(), jax: await jaxRuns(), tfjs: await tfjsRuns() };
const missed = [];
for (const each of kCases) {
  const runs = {};
  const samples = {};
  for (const [name, make] of Object.entries(libraries)) {
    runs[name] = await make(each);
    await runs[name]();
    samples[name] = [];
  }
  const start = performance.now();
  for (let k = 0; k < kSamples && (k === 0 || performance.now() - start < kLimitMs); k++)
    for (const [name, run] of Object.entries(runs)) {
      const [begun, used] = [performance.now(), process.cpuUsage()];
      await run();
      const { user, system } = process.cpuUsage(used);
      samples[name].push({ passed: performance.now() - begun, processor: (user + system) / 1000 });
    }
  /** Returns the medians of one kind of time, and ours as ratios to those of the others. */
  const medians = (kind) => {
    const times = Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, median(list.map((sample) => sample[kind]))]));
    return { times, ratios: { jax: times.ours / times.jax, tfjs: times.ours / times.tfjs } };
  };
  const { times, ratios } = medians("processor");
  const passed = medians("passed").ratios;
  const shown = (name) => `${times[name].toFixed(0)} ms`;
  const beside = (peer, title) => `${ratios[peer].toFixed(2)} of ${title} (${shown(peer)}; ${passed[peer].toFixed(2)} of the time passed)`;
  process.stdout.write(`${each.name.padEnd(22)} ${shown("ours")}: ${beside("jax", "jax-js")}, ${beside("tfjs", "tfjs")}\n`);
  for (const [peer, most] of Object.entries(each.most))
    if (ratios[peer] > most) missed.push(`${each.name}: ${ratios[peer].toFixed(2)} of ${peer}, the goal is ${most}`);
}
process.stdout.write(missed.map((line) => `above the goal: ${line}\n`).join(""));
process.exit(0);
