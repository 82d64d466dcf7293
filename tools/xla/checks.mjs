// What the checks of XlaDevice share.
import { readdirSync } from "node:fs";
import { XlaDevice } from "@onebuffer/stablehlo/node";

/** Throws unless a condition holds. */
export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** Throws unless two values have the same JSON. */
export function equal(found, expected, what) {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${what}: ${a.slice(0, 500)}, expected ${b.slice(0, 500)}`);
}

/** Returns the error with which a promise is rejected; throws if it is not one with this code and, in its message, this text. */
export async function rejection(promise, code, text = "") {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  );
  if (error === null) throw new Error(`nothing was thrown, expected ${code}`);
  if (error.code !== code || !error.message.includes(text))
    throw new Error(`expected ${code} ${text}, got ${error.stack}`, { cause: error });
  return error;
}

/** Runs `use` with a device, and disposes the device. */
export async function withDevice(options, use) {
  const xla = await XlaDevice.start(options);
  try {
    return await use(xla);
  } finally {
    await xla.dispose();
  }
}

/** Returns the largest difference of two lists of numbers, relative to the largest number of the second, which must be finite. */
export function difference(found, expected) {
  const [a, b] = [found, expected].map((list) => list.flat(Infinity));
  equal(a.length, b.length, "the number of elements");
  const scale = Math.max(...b.map(Math.abs), 1e-30);
  const worst = Math.max(...a.map((value, k) => Math.abs(value - b[k]))) / scale;
  if (!Number.isFinite(worst)) throw new Error("a result is not finite");
  return worst;
}

/** Throws if two lists differ by more than `bound`; returns the difference. */
export function near(found, expected, bound, what) {
  const worst = difference(found, expected);
  if (!(worst <= bound)) throw new Error(`${what}: off by ${worst} of the largest element, ${bound} is allowed`);
  return worst;
}

/** A generator of numbers from -1 to 1 (Lehmer's). */
export function numbers(seed) {
  let state = seed;
  return (count) =>
    Float32Array.from({ length: count }, () => {
      state = (state * 48271) % 2147483647;
      return (2 * state) / 2147483647 - 1;
    });
}

/** Files of shared memory of all processes, and open files of this one. */
export function leftovers() {
  const shared = readdirSync("/dev/shm").filter((name) => name.startsWith("onebuffer-"));
  return { shared, open: readdirSync("/proc/self/fd").length };
}

/** Waits until a condition holds; throws after some seconds. Returns the seconds that it took. */
export async function until(condition, seconds, what) {
  const started = performance.now();
  while (!condition()) {
    if (performance.now() - started > seconds * 1000) throw new Error(`${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return (performance.now() - started) / 1000;
}

/** True if a process with this number runs. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
