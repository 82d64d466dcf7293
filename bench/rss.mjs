// Measures resident memory, in MiB, for three allocation patterns: its peak, or the growth of the peak since the library was loaded
// and used once. Each is measured in a fresh process without --expose-gc.
const MiB = 2 ** 20;
const kUnit = 16384; // float32 elements in 64 KiB
const kSteps = 200; // 12.5 MiB
const kRounds = process.env["ONEBUFFER_BENCH_CHECK"] === "1" ? 300 : 3000;

/** The growth at which a library is stopped, so that a leak of gigabytes does not exhaust the machine. */
const kEnough = 1536;

const pause = () => new Promise((resolve) => setImmediate(resolve));
const resident = () => process.memoryUsage.rss() / MiB;

/** Runs the rounds and returns `{ start, peak }`; `act` may return a promise if the library is asynchronous. */
async function watch(result, act, pauseEvery) {
  let first = act(0);
  if (first?.then) await first;
  await pause();
  first = undefined;
  const start = resident();
  let peak = start;
  for (let round = 1; round <= kRounds; round++) {
    const waiting = act(round);
    if (waiting?.then) await waiting;
    if (round % 8 === 0) peak = Math.max(peak, resident());
    if (peak - start > kEnough) {
      result.note = `stopped after ${round} of ${kRounds} rounds`;
      break;
    }
    if (pauseEvery > 0 && round % pauseEvery === 0) await pause();
  }
  return { start, peak: Math.max(peak, resident()) };
}

/** Returns the elements of a round's tensors: 64 KiB more each round up to 12.5 MiB, then 64 KiB less each round, and again. */
function elementsOf(round) {
  const at = round % (2 * kSteps);
  return kUnit * (at < kSteps ? at + 1 : 2 * kSteps - at);
}

/** Returns the growth: `act(data)` makes a tensor of the float32 elements, copies it to another, and disposes of both. */
export function upDownUp(act, note = "") {
  const data = new Float32Array(kSteps * kUnit).fill(1);
  const result = {
    note,
    async value() {
      const { start, peak } = await watch(result, (round) => act(data.subarray(0, elementsOf(round))), 0);
      return Math.max(0.1, peak - start);
    },
  };
  return result;
}

/**
 * Returns the peak: `make(data)` makes a tensor of 1 MiB with these elements, which is then forgotten. Pauses after every
 * `pauseEvery` rounds, or never if that is 0.
 */
export function dropped(make, pauseEvery, note = "") {
  const data = new Float32Array(16 * kUnit).fill(1);
  const result = {
    note,
    async value() {
      const act = (round) => {
        data[0] = round;
        make(data);
      };
      return (await watch(result, act, pauseEvery)).peak;
    },
  };
  return result;
}

/** Returns the three cases of a library that supports all of them. */
export function memoryCases(step, make, notes = {}) {
  return {
    "up/down/up RSS": () => upDownUp(step, notes.step),
    "dropped RSS": () => dropped(make, 16, notes.make),
    "dropped RSS, synchronous": () => dropped(make, 0, notes.make),
  };
}
