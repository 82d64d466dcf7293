/** One expression computed on one thread, on a pool of two threads, and on other devices. */
import { Tensor, ThreadPoolDevice } from "onebuffer";
import { treeOf } from "onebuffer/eigen";
import type { Device } from "onebuffer/eigen";
import { isIsolated } from "../../isolation.ts";
import { startWorker } from "../../parts/start-worker.ts";
import type { AnyOperand } from "../expressions/build-expression.ts";

/** A device with its name. */
export interface Place {
  readonly name: string;
  readonly device: Device;
}

/** The result of a place. */
export interface PlaceRun {
  readonly name: string;
  /** Milliseconds of the fastest run, without the first one, which compiles. */
  readonly time: number;
  /** The elements. The tensor is disposed once it has been judged. */
  readonly out: Tensor<"float32">;
}

const kRuns = 5;

/** Computes an expression on one thread, on a pool of two, and on `others`. Returns what `judge` makes of each run beside the elements of one thread. */
export async function computeInPlaces<R>(
  operand: AnyOperand,
  others: readonly Place[],
  judge: (run: PlaceRun, alone: Tensor<"float32">) => R,
): Promise<R[]> {
  const alone = new ThreadPoolDevice(1);
  const pool = new ThreadPoolDevice(isIsolated() ? 2 : 1, { worker: () => startWorker("pool-worker"), learns: false });
  const outs: Tensor<"float32">[] = [];
  const judged: R[] = [];
  try {
    await pool.ready();
    const threads: readonly Place[] = [
      { name: "one thread", device: alone },
      { name: pool.numThreads === 1 ? "a pool: one thread here" : "a pool of two threads", device: pool },
    ];
    for (const { name, device } of [...threads, ...others]) {
      const out = newTensor(operand);
      outs.push(out);
      const time = await fastestRun(out, device, operand);
      judged.push(judge({ name, time, out }, outs[0]!));
    }
  } finally {
    for (const out of outs) out.dispose();
    await alone.dispose();
    await pool.dispose();
  }
  return judged;
}

/** Returns a tensor of zeros with the dtype and the sizes of an expression, which the types here call float32 whatever it is. */
export function newTensor(operand: AnyOperand): Tensor<"float32"> {
  const { dtype, dimensions } = treeOf(operand);
  return Tensor.zeros([...dimensions], { dtype: dtype as "float32" });
}

async function fastestRun(out: Tensor<"float32">, device: Device, operand: AnyOperand): Promise<number> {
  let time = Infinity;
  for (let run = 0; run <= kRuns; run++) {
    const begin = performance.now();
    await out.device(device).assign(operand as never);
    if (run > 0) time = Math.min(time, performance.now() - begin);
  }
  return time;
}
