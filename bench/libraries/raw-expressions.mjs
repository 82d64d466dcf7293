// Loops in plain JavaScript for the expression workloads; every array and size is a parameter, so that engines optimize them well.
import { peakCase } from "../peak.mjs";
import { dataOf, kDeviations, expressionCases, imageBytes, kInputs, kMeans, meanOf, warmupOf } from "../expressions-data.mjs";

function add(a, b) {
  const out = new Float32Array(a.length);
  for (let i = 0; i < a.length; i++) out[i] = a[i] + b[i];
  return out;
}

function addInto(out, a, b) {
  for (let i = 0; i < a.length; i++) out[i] = a[i] + b[i];
}

function expChain(a, b, c) {
  const out = new Float32Array(a.length);
  for (let i = 0; i < a.length; i++) out[i] = Math.exp(a[i] * b[i] + c[i]);
  return out;
}

function reluChain(a, b) {
  const out = new Float32Array(a.length);
  for (let i = 0; i < a.length; i++) out[i] = Math.max((a[i] - b[i]) * 1.5 + 0.25, 0);
  return out;
}

/** Converts float32 to bfloat16 by its bits, rounding to nearest even. */
function toBfloat16(a) {
  const bits = new Uint32Array(a.buffer, a.byteOffset, a.length);
  const out = new Uint16Array(a.length);
  for (let i = 0; i < bits.length; i++) {
    const x = bits[i];
    out[i] = (x & 0x7fffffff) > 0x7f800000 ? (x >>> 16) | 0x40 : (x + 0x7fff + ((x >>> 16) & 1)) >>> 16;
  }
  return out;
}

function normalise(image, means, deviations) {
  const out = new Float32Array(image.length);
  for (let i = 0; i < image.length; i += 3) {
    out[i] = (image[i] / 255 - means[0]) / deviations[0];
    out[i + 1] = (image[i + 1] / 255 - means[1]) / deviations[1];
    out[i + 2] = (image[i + 2] / 255 - means[2]) / deviations[2];
  }
  return out;
}

/** Returns the case of a loop over a workload's inputs that writes into existing memory. */
function loopOver(name) {
  const [a, b] = kInputs[name].map(dataOf);
  const out = new Float32Array(a.length);
  return { warmup: warmupOf(name), run: () => addInto(out, a, b), checksum: () => meanOf(out) };
}

export const expressionsOfRaw = {
  ...expressionCases({
    functions: {
      "add 100": add,
      "add 1e4": add,
      "exp(a*b+c) 1e4": expChain,
      "exp(a*b+c) 1e6": expChain,
      "exp(a*b+c) 1e7": expChain,
      "relu chain": reluChain,
      "f32 to bf16": toBfloat16,
    },
    make: (data) => data,
    read: (array) => array,
    dispose: () => undefined,
    // Engines optimize a long loop while it runs, and may need several attempts.
    warmup: (name) => (name.endsWith("1e7") ? 5 : Math.max(100, warmupOf(name))),
  }),
  image() {
    const image = imageBytes();
    const [means, deviations] = [Float32Array.from(kMeans), Float32Array.from(kDeviations)];
    return { warmup: 100, run: () => normalise(image, means, deviations), checksum: () => meanOf(normalise(image, means, deviations)) };
  },
  "matMul 64": () => peakCase(64, 64, 64),
  "matMul 256": () => peakCase(256, 256, 256),
  "matMul 511": () => peakCase(511, 511, 511),
  "matMul 512": () => peakCase(512, 512, 512),
  "matMul by transposed 512": () => peakCase(512, 512, 512),
  "matMul both transposed 512": () => peakCase(512, 512, 512),
  "matMul transposed 512": () => peakCase(512, 512, 512),
  "matMul added 512": () => peakCase(512, 512, 512),
  "matMul int8 512": () => peakCase(512, 512, 512),
  "matMul float16 512": () => peakCase(512, 512, 512),
  "matMul batch": () => peakCase(32 * 128, 64, 128),
  conv2d: () => peakCase(56 * 56, 9 * 64, 64),
  "matMul 1024": () => peakCase(1024, 1024, 1024),
  "assign 100": () => loopOver("add 100"),
  "assign 1000": () => loopOver("add 1000"),
  "assign wrapped 1000": () => loopOver("add 1000"),
};
