/**
 * Numerics: what arithmetic does on an adapter, found by a shader at the start of a device. The specification of WebGPU leaves it open.
 */
import { Shader } from "../wgsl/shader.ts";
import type { GpuSession } from "../gpu/gpu-session.ts";
import { kElementUsage } from "../gpu/gpu-types.ts";
import { StepWriter } from "../step/step-writer.ts";
import { madeContent } from "./gpu-content.ts";
import type { GpuArray } from "./gpu-content.ts";
import { GpuProgram } from "./gpu-program.ts";

/**
 * What a device's arithmetic does. The functions of expressions are within their bounds where division and square roots are correctly
 * rounded (0 ulp from the nearest float).
 *
 * @example
 * const text = ({ denormals }: WebGpuNumerics): string => `denormals are ${denormals}`;
 */
export interface WebGpuNumerics {
  /** "kept", or "flushed" if results below 2^-126 become 0. */
  readonly denormals: "kept" | "flushed";
  /** True if NaN comes out of arithmetic with NaN. */
  readonly nan: boolean;
  /** The largest distance of quotients from the nearest float, in units in the last place. */
  readonly divisionUlp: number;
  /** The same of square roots. */
  readonly sqrtUlp: number;
  /** True if products and sums are rounded once, as fused operations. */
  readonly contracts: boolean;
}

/** Numbers whose quotients and square roots are compared. */
const kSamples = 128;

/** Computes with the device and returns what it does. */
export async function probeNumerics(session: GpuSession): Promise<WebGpuNumerics> {
  const given = new Float32Array(4 + 2 * kSamples);
  given.set([1e-39, Number.NaN, 1 + 2 ** -12, -1 - 2 ** -11]);
  // A multiplicative sequence gives mantissas of all kinds.
  for (let k = 0, seed = 1; k < 2 * kSamples; k++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    given[4 + k] = 1 + seed / 2 ** 20;
  }
  const results = new Float32Array(await computed(session, new Uint8Array(given.buffer)));
  const distances = (of: (k: number) => number, from: number): number =>
    Array.from({ length: kSamples }, (_, k) => ulps(results[from + k]!, Math.fround(of(k)))).reduce(
      (most, each) => Math.max(most, each),
      0,
    );
  return {
    denormals: results[0] === 0 ? "flushed" : "kept",
    nan: Number.isNaN(results[1]!),
    contracts: results[2] !== 0,
    divisionUlp: distances((k) => given[4 + k]! / given[4 + kSamples + k]!, 4),
    sqrtUlp: distances((k) => Math.sqrt(given[4 + k]!), 4 + kSamples),
  };
}

/** Returns the number of floats from one to another one of the same sign. */
function ulps(a: number, b: number): number {
  const [x, y] = new Int32Array(Float32Array.of(a, b).buffer) as unknown as readonly [number, number];
  return Math.abs(x - y);
}

/** Runs the shader of the probe on the numbers. */
async function computed(session: GpuSession, given: Uint8Array): Promise<ArrayBuffer> {
  const writer = new StepWriter();
  const leaf = writer.slot("leaf", 0, given.length);
  const target = writer.slot("result", 0, given.length);
  const shader = new Shader();
  const [from, to, count] = [shader.buffer(leaf, "read"), shader.buffer(target, "write"), shader.word(kSamples)];
  const { source } = shader;
  const float = (index: string): string => `bitcast<f32>(${from}[${index}])`;
  source.open(`if (thread < ${count}) {`);
  source.line(`${to}[4 + thread] = bitcast<u32>(${float("4 + thread")} / ${float(`4 + ${count} + thread`)});`);
  source.line(`${to}[4 + ${count} + thread] = bitcast<u32>(sqrt(${float("4 + thread")}));`);
  source.close();
  source.open("if (thread == 0) {");
  source.line(`${to}[0] = bitcast<u32>(${float("0")} * 2.0f);`);
  source.line(`${to}[1] = bitcast<u32>(${float("1")} * ${float("2")} + ${float("3")});`);
  source.line(`${to}[2] = bitcast<u32>(${float("2")} * ${float("2")} + ${float("3")});`);
  source.close();
  writer.dispatch(shader.dispatch("probe", 64, Math.ceil(kSamples / 64)));
  const program = await GpuProgram.compile(session, writer.plan(), 1, () => Promise.reject(new Error("no flag")));
  const pooled = session.pool.take(given.length, kElementUsage);
  session.device.queue.writeBuffer(pooled.buffer as never, 0, given as never, 0, given.length);
  const result: GpuArray = { content: null };
  await program.run([{ content: madeContent(pooled.buffer, pooled, null) }], [result]);
  const bytes = new Uint8Array(given.length);
  await session.read(result.content!.buffer, bytes.length, () => bytes);
  session.pool.give(pooled);
  session.pool.give(result.content!.pooled!);
  program.release();
  return bytes.buffer;
}
