// Resident memory of three patterns of allocation, in MiB: its peak, or how far that lies above what it was when the library had
// been loaded and used once. Each is measured in a fresh process, without --expose-gc.
const MiB = 2 ** 20;
const UNIT = 16384; // float32 elements in 64 KiB
const STEPS = 200; // 12.5 MiB
const ROUNDS = 3000;

/** Where a library is stopped, so that a leak of gigabytes does not take the machine along. */
const ENOUGH = 1536;

const pause = () => new Promise((resolve) => setImmediate(resolve));
const resident = () => process.memoryUsage.rss() / MiB;

/** Runs the rounds and watches; `act` may answer a promise where the library has no other way. `{ start, peak }`. */
async function watch(result, act, pauseEvery) {
  let first = act(0);
  if (first?.then) await first;
  await pause();
  first = undefined;
  const start = resident();
  let peak = start;
  for (let round = 1; round <= ROUNDS; round++) {
    const waiting = act(round);
    if (waiting?.then) await waiting;
    if (round % 8 === 0) peak = Math.max(peak, resident());
    if (peak - start > ENOUGH) {
      result.note = `stopped after ${round} of ${ROUNDS} rounds`;
      break;
    }
    if (pauseEvery > 0 && round % pauseEvery === 0) await pause();
  }
  return { start, peak: Math.max(peak, resident()) };
}

/** Elements of a round's tensors: 64 KiB more each round up to 12.5 MiB, then as many less, and so on. */
function elementsOf(round) {
  const at = round % (2 * STEPS);
  return UNIT * (at < STEPS ? at + 1 : 2 * STEPS - at);
}

/** How far it grows: `act(data)` makes a tensor of the float32 elements and another of that size out of it, and disposes both. */
export function upDownUp(act, note = "") {
  const data = new Float32Array(STEPS * UNIT).fill(1);
  const result = {
    note,
    async value() {
      const { start, peak } = await watch(result, (round) => act(data.subarray(0, elementsOf(round))), 0);
      return Math.max(0.1, peak - start);
    },
  };
  return result;
}

/** The whole of it: `make(data)` makes a tensor of 1 MiB with these elements, which is then forgotten; a pause every so many, or none. */
export function dropped(make, pauseEvery, note = "") {
  const data = new Float32Array(16 * UNIT).fill(1);
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

/** The three cases of a library that can do all of it. */
export function memoryCases(step, make, notes = {}) {
  return {
    "up/down/up RSS": () => upDownUp(step, notes.step),
    "dropped RSS": () => dropped(make, 16, notes.make),
    "dropped RSS, synchronous": () => dropped(make, 0, notes.make),
  };
}
