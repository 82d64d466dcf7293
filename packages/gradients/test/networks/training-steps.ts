// Many steps of training: what they hold, and whether they plan. Run as a program, it does 10,000 steps of the digits network and checks that
// memory stays: node --expose-gc --max-semi-space-size=1 packages/gradients/dist/test/networks/training-steps.js [--steps 10000]. Without the
// second option the engine's young generation grows to 16 MiB of garbage, whatever the program keeps.
import { pathToFileURL } from "node:url";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { ready, updateTogether } from "@onebuffer/eigen";
import { adam, adamState, gradients } from "@onebuffer/gradients";
import { kernelCounts } from "@onebuffer/kernels/internal";
import type { Built } from "../differences/subject.ts";
import { layers } from "./networks.ts";

/** What was counted: after a number of steps, and at the end. */
export interface StepsReport {
  /** Live buffers after 10 steps and at the end. */
  readonly buffers: readonly [number, number];
  /** Plans made after the second step. */
  readonly planned: number;
  /** Kernels compiled after the second step. */
  readonly compiled: number;
  /** The growth of the process's memory after 100 steps, in bytes. */
  readonly growth: number;
  readonly losses: readonly [first: number, last: number];
}

/** The memory of the process, after a collection where the engine offers one. */
function residentBytes(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().rss;
}

/** Trains the network of the digits for a number of steps, with its parameters and adam's state in tensors. */
export function trainingSteps(steps: number, rows: number): StepsReport {
  const { loss, parameters } = layers(rows, 32);
  const state = adamState(parameters);
  using lossNow = Tensor.zeros([]);
  const step: Built = [[lossNow, loss], ...adam(parameters, gradients(loss, parameters as never) as never, state)];
  let [buffers, memory, planned, compiled, first] = [0, 0, 0, 0, 0];
  for (let k = 1; k <= steps; k++) {
    updateTogether(step);
    if (k === 1) first = lossNow.item();
    if (k === 2) ({ planned, compiled } = kernelCounts());
    if (k === 10) buffers = liveBuffers();
    if (k === 100) memory = residentBytes();
  }
  const after = kernelCounts();
  const report: StepsReport = {
    buffers: [buffers, liveBuffers()],
    planned: after.planned - planned,
    compiled: after.compiled - compiled,
    growth: residentBytes() - memory,
    losses: [first, lossNow.item()],
  };
  for (const each of [state.steps, ...state.means, ...state.squares]) each.dispose();
  return report;
}

/** The most that the memory of the process may grow after 100 steps. */
const kGrowth = 5 * 2 ** 20;

async function main(): Promise<void> {
  await ready();
  const at = process.argv.indexOf("--steps");
  const steps = at < 0 ? 10_000 : Number(process.argv[at + 1]);
  const { buffers, planned, compiled, growth, losses } = trainingSteps(steps, 359);
  process.stdout.write(
    `${steps} steps: ${buffers[0]} buffers after 10, ${buffers[1]} at the end; ${planned} plans and ${compiled} kernels after the second; ` +
      `memory grew by ${(growth / 2 ** 20).toFixed(1)} MiB after 100; loss ${losses[0].toFixed(4)}, then ${losses[1].toFixed(4)}\n`,
  );
  process.exitCode = buffers[1] <= buffers[0] && planned === 0 && compiled === 0 && growth <= kGrowth ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
