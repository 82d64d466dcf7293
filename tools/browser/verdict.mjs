// How a check says that something does not hold, and how it lets the page go on for a moment.
import { isStatusError } from "onebuffer";

/** Throws unless both are written alike in JSON. */
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

/** Ends the present task. */
export const task = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      port1.close();
      resolve();
    };
    port1.postMessage(null);
  });
