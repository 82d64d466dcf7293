// Leaks, loss, memory, element errors, assignments that overlap.
import { tensorMap } from "@onebuffer/eigen";
import { gradients } from "@onebuffer/gradients";
import { WebGpuDevice } from "@onebuffer/webgpu";
import { equal, rejectsStatus } from "../browser/verdict.mjs";

const vector = (...values) => tensorMap("float32", Float32Array.from(values), [values.length]);
const whole = (...values) => tensorMap("int32", Int32Array.from(values), [values.length]);

const rounded = (value) => Math.round(value * 1e5);

/** Returns the parameters after three steps of the training below, computed with numbers. */
function trained() {
  let [w0, w1, b] = [1, -1, 0.5];
  for (let k = 0; k < 3; k++) {
    const [r0, r1] = [2 * (2 * w0 + b), 2 * (3 * w1 + b)];
    [w0, w1, b] = [w0 - 0.02 * r0, w1 - 0.03 * r1, b - 0.01 * (r0 + r1)];
  }
  return [w0, w1, b];
}

/** Runs the checks, each with a device of its own. */
export async function faultChecks(gpu, report) {
  const withDevice = async (run) => {
    const device = await WebGpuDevice.create({ gpu });
    try {
      return await run(device);
    } finally {
      await device.dispose();
    }
  };
  const checks = {
    "10,000 evaluations make a bounded number of buffers": async (device) => {
      const x = await device.put(vector(1, 2, 3));
      const before = device.usage;
      for (let k = 0; k < 10_000; k++) (await device.evaluate(x.mul(2).add(1))).dispose();
      const { buffersMade, pipelines } = device.usage;
      equal(buffersMade - before.buffersMade < 10, true);
      equal(pipelines - before.pipelines, 1);
      return `${buffersMade - before.buffersMade} buffers`;
    },
    "300 assignments without awaiting": async (device) => {
      const x = await device.put(vector(0, 1));
      await Promise.all(Array.from({ length: 300 }, () => x.device(device).assign(x.add(1))));
      equal((await x.fetch()).vec().toArray(), [300, 301]);
    },
    "20 operands": async (device) => {
      const maps = Array.from({ length: 20 }, (_, k) => vector(0, k, 2 * k).slice([1, 3]));
      const sum = maps.reduce((a, b) => a.add(b));
      equal((await (await device.evaluate(sum)).fetch()).vec().toArray(), [190, 380]);
    },
    "a training step leaves the parameters on the GPU": async (device) => {
      const w = await device.put(vector(1, -1));
      const b = await device.put(vector(0.5));
      const { submits } = device.usage;
      for (let k = 0; k < 3; k++) {
        const loss = w.mul(vector(2, 3)).add(b).square().sum();
        const [dw, db] = gradients(loss, [w, b]);
        await device.update([
          { target: w, tree: w.sub(dw.mul(0.01)) },
          { target: b, tree: b.sub(db.mul(0.01)) },
        ]);
      }
      equal(device.usage.submits - submits, 3);
      equal([...(await w.fetch()).vec().toArray(), ...(await b.fetch()).vec().toArray()].map(rounded), trained().map(rounded));
    },
    "targets that are operands": async (device) => {
      const x = vector(1, 2, 3, 4);
      await x.device(device).assign(x.reverse([0]).add(x));
      equal(x.toArray(), [5, 5, 5, 5]);
    },
    "a division by zero, and the target keeps its elements": async (device) => {
      const x = await device.put(whole(1, 2));
      await rejectsStatus(() => x.device(device).assign(x.div(whole(1, 0))), "INVALID_ARGUMENT");
      equal((await x.fetch()).vec().toArray(), [1, 2]);
      await x.device(device).assign(x.div(whole(1, 2)));
      equal((await x.fetch()).vec().toArray(), [1, 1]);
    },
    "results beyond the largest buffer are RESOURCE_EXHAUSTED": async (device) => {
      await rejectsStatus(() => device.evaluate(vector(1).broadcast([2 ** 30])), "RESOURCE_EXHAUSTED");
      equal((await (await device.evaluate(vector(1).add(1))).fetch()).vec().toArray(), [2]);
    },
    "a lost device: UNAVAILABLE, then a new one": async (device) => {
      const own = await (await gpu.requestAdapter()).requestDevice();
      const mine = await WebGpuDevice.create({ device: own, gpu });
      const x = await mine.put(vector(1));
      own.destroy();
      await rejectsStatus(() => x.fetch(), "UNAVAILABLE");
      await rejectsStatus(() => mine.evaluate(x.add(1)), "UNAVAILABLE");
      equal((await (await device.evaluate(vector(1).add(1))).fetch()).vec().toArray(), [2]);
    },
    "ten chained evaluations and one read-back": async (device) => {
      let x = await device.put(vector(1024, 2048));
      const { submits } = device.usage;
      for (let k = 0; k < 10; k++) {
        const next = await device.evaluate(x.mul(0.5));
        x.dispose();
        x = next;
      }
      equal((await x.fetch()).vec().toArray(), [1, 2]);
      equal(device.usage.submits - submits, 11);
    },
    "a second shape compiles nothing": async (device) => {
      const of = (rows, columns) => tensorMap("float32", new Float32Array(rows * columns), [rows, columns]).softmax();
      (await device.evaluate(of(100, 200))).dispose();
      const { pipelines } = device.usage;
      (await device.evaluate(of(50, 333))).dispose();
      equal(device.usage.pipelines, pipelines);
    },
  };
  for (const [name, check] of Object.entries(checks)) await report.check(name, () => withDevice(check));
}
