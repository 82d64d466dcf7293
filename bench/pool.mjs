// Two threads of a ThreadPoolDevice, beside the same work on one thread, and the time in which a worker takes over a job.
import { DefaultDevice, maxPool, ThreadPoolDevice } from "onebuffer/eigen";
import { Tensor } from "onebuffer";
import { PoolCrew } from "../packages/eigen/dist/src/device/pool-crew.js";
import { kCallPlaces, kDone, kJob, kParked, kParts, kPartStates, kThreads } from "../packages/eigen/dist/src/device/pool-words.js";
import { floats } from "./data.mjs";
import { median } from "./report.mjs";

const square = (n, seed = 0) => Tensor.from(floats(n * n, seed + 1), { shape: [n, n] });

/** The expressions by the names of their workloads, over tensors that stay. */
const kExpressions = {
  "matMul 512, two threads": () => [square(512), square(512, 1)],
  "matMul 1024, two threads": () => [square(1024), square(1024, 1)],
  "exp(a*b+c) 1e6, two threads": () => [square(1000), square(1000, 1), square(1000, 2)],
  "transpose 2048, two threads": () => [square(2048)],
  "sum rows 1024, two threads": () => [square(1024)],
};

function expressionOf(name, [a, b, c]) {
  if (name.startsWith("matMul")) return a.matrix().matMul(b.matrix());
  if (name.startsWith("exp")) return a.matrix().mul(b.matrix()).add(c.matrix()).exp();
  return name.startsWith("sum") ? a.matrix().sum([1]) : a.matrix().transpose();
}

const casesOn = (deviceOf) =>
  Object.fromEntries(
    Object.entries(kExpressions).map(([name, make]) => [
      name,
      async () => {
        const device = await deviceOf();
        const operands = make();
        const expression = expressionOf(name, operands);
        const out = Tensor.zeros(expression.dimensions);
        return {
          run: () => out.device(device).assignSync(expression),
          checksum: () => out.flat().data.reduce((sum, x) => sum + x, 0) / out.numElements,
          free() {
            for (const tensor of [...operands, out]) tensor.dispose();
            void device.dispose?.();
          },
        };
      },
    ]),
  );

/** The expressions that are short for two threads, written anew each time, over tensors that stay. */
const kShort = {
  "add 1e4": () => {
    const [a, b] = [floats(10_000), floats(10_000, 2)].map((x) => Tensor.from(x));
    return () => a.flat().add(b.flat());
  },
  "matMul 64": () => {
    const [a, b] = [square(64), square(64, 1)];
    return () => a.matrix().matMul(b.matrix());
  },
  "sum 1e6": () => {
    const a = square(1000);
    return () => a.flat().sum();
  },
  "sum axis 0": () => {
    const a = square(1024);
    return () => a.matrix().sum([0]);
  },
  "max pool": () => {
    const a = Tensor.from(floats(32 * 32 * 64), { shape: [1, 32, 32, 64] });
    return () => maxPool(a.tensor(4), [2, 2]);
  },
};

/** Runs for about two milliseconds, of which the mean is taken, so that a run whole and a run divided meet the same machine. */
const kTurnMs = 2;
const kTurns = 40;

/** Returns how many times as fast two threads are as one: the median over turns. */
async function speedUp(make) {
  const pool = new ThreadPoolDevice(2);
  await pool.ready();
  const expression = make();
  const out = Tensor.zeros(expression().dimensions);
  const timed = (count, run) => {
    const begin = performance.now();
    for (let k = 0; k < count; k++) run();
    return performance.now() - begin;
  };
  const onOne = () => out.assign(expression());
  const onTwo = () => out.device(pool).assignSync(expression());
  timed(200, onTwo);
  let count = 16;
  while (timed(count, onOne) < kTurnMs) count *= 2;
  const ratios = Array.from({ length: kTurns }, () => timed(count, onOne) / timed(count, onTwo));
  await pool.dispose();
  out.dispose();
  return median(ratios);
}

const shortCases = Object.fromEntries(
  Object.entries(kShort).map(([name, make]) => [`${name}, two threads`, () => ({ value: () => speedUp(make) })]),
);

/** A worker, and a function that has it run an empty part and returns the time until the part is done, in nanoseconds. */
async function worker(spinMs) {
  const crew = new PoolCrew(1, { worker: null, spinMs });
  await crew.ready();
  const { words } = crew;
  let job = 0;
  const handOff = () => {
    job++;
    words[kCallPlaces] = words[kCallPlaces + 1] = 0;
    Atomics.store(words, kPartStates, job * 256);
    words[kParts] = 1;
    words[kThreads] = 2;
    const begin = performance.now();
    Atomics.store(words, kJob, job);
    if (Atomics.load(words, kParked) > 0) Atomics.notify(words, kJob);
    while (Atomics.load(words, kPartStates) !== job * 256 + kDone);
    return (performance.now() - begin) * 1e6;
  };
  return { handOff, stop: () => crew.stop() };
}

/** The cases of one thread, which stand in the column of plain loops. */
export const oneThreadCases = casesOn(async () => new DefaultDevice());

export const poolCases = {
  ...casesOn(async () => {
    const pool = new ThreadPoolDevice(2);
    await pool.ready();
    return pool;
  }),
  ...shortCases,
  async "hand-off to a spinning worker"() {
    const { handOff, stop } = await worker(1000);
    return { run: handOff, free: () => void stop() };
  },
  async "hand-off to a parked worker"() {
    const { handOff, stop } = await worker(0);
    const value = async () => {
      const times = [];
      for (let k = 0; k < 60; k++) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        times.push(handOff());
      }
      return median(times);
    };
    return { value, free: () => void stop() };
  },
};
