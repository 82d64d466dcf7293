// 4,096 kernels in turn stay compiled within 160 MiB, and with 20,000 kernels memory stops growing. The test measures resident
// memory, so it runs in a process of its own: `npm run long` runs it. It throws if a limit is exceeded.
import { MemoryToken } from "@onebuffer/storage/internal";
import { tensorMapKind } from "@onebuffer/eigen/internal";
import { linearMemory } from "@onebuffer/wasm";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { chainNumber } from "./kernel-chains.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

declare const process: { memoryUsage(): { readonly rss: number }; readonly stdout: { write(text: string): void } };

const kKept = 4096;
const kMany = 20_000;
const resident = (): number => process.memoryUsage().rss / 2 ** 20;

/** Returns a map over memory of its own. Its token remembers the address. */
function arena(dims: readonly number[]): Any {
  const size = dims.reduce((a, b) => a * b, 1);
  const { buffer } = linearMemory();
  const array = new Float32Array(buffer, linearMemory().reserve(Math.ceil(size / 64 + 1) * 256) as number, size);
  return (tensorMapKind("float32") as Any).general(array, 0, new MemoryToken({}), dims);
}

const maps = [arena([10, 10]), arena([10, 10]), arena([10, 10])];

/**
 * Assigns `count` expressions in turn. Returns the number of compiled kernels, the microseconds per call, and the MiB that
 * resident memory has grown since `from`.
 */
function round(count: number, build: (chain: Any) => Any, out: Any, from: number): { compiled: number; call: number; grown: number } {
  const { compiled } = kernelCounts();
  const start = performance.now();
  for (let n = 0; n < count; n++) out.assign(build(chainNumber(n, maps)));
  const call = ((performance.now() - start) * 1000) / count;
  return { compiled: kernelCounts().compiled - compiled, call, grown: resident() - from };
}

/** Prints a condition and throws if it does not hold. */
function demand(holds: boolean, text: string): void {
  process.stdout.write(`${holds ? "ok" : "FAILED"}: ${text}\n`);
  if (!holds) throw new Error(text);
}

const same = (chain: Any): Any => chain;
const out = arena([10, 10]);
for (let n = kKept; n < kKept + 16; n++) out.assign(chainNumber(n, maps));
const before = resident();
round(kKept, same, out, before);
for (let again = 0; again < 3; again++) {
  const { compiled, call, grown } = round(kKept, same, out, before);
  demand(compiled === 0, `${kKept} kernels again: ${compiled} compiled`);
  demand(call < 100, `${call.toFixed(1)} us a call`);
  demand(grown <= 160, `${grown.toFixed(0)} MiB more than without them`);
}

const sums = arena([10]);
const reduced = (chain: Any): Any => chain.sum([1]);
for (let again = 0; again < 4; again++) round(kKept, reduced, sums, before);
const { compiled, call } = round(kKept, reduced, sums, before);
demand(compiled === 0, `${kKept} kernels of reductions again: ${compiled} compiled, ${call.toFixed(1)} us a call`);

const grown = Array.from({ length: 6 }, () => round(kMany, same, out, before).grown);
const shown = grown.map((mib) => mib.toFixed(0)).join(", ");
demand(Math.max(...grown) < 640 && grown[5]! - grown[2]! < 128, `${kMany} kernels in turn, six times: ${shown} MiB more than without them`);
