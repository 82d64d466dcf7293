// Assertions of the browser checks, and a function that waits for the next task.
import { isStatusError } from "onebuffer";

/** Throws unless both values have the same JSON. */
export function equal(got, want) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(want)];
  if (a !== b) throw new Error(`got ${a}, want ${b}`);
}

/** Throws unless `act` throws a StatusError of that code. */
export function throwsStatus(act, code) {
  try {
    act();
  } catch (error) {
    if (isStatusError(error, code)) return;
    throw error;
  }
  throw new Error(`nothing thrown, want ${code}`);
}

/** Throws unless the promise that `act` returns is rejected with a StatusError of that code. */
export async function rejectsStatus(act, code) {
  try {
    await act();
  } catch (error) {
    if (isStatusError(error, code)) return;
    throw error;
  }
  throw new Error(`nothing thrown, want ${code}`);
}

/** Waits for the next task of the event loop. */
export const task = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      port1.close();
      resolve();
    };
    port1.postMessage(null);
  });
