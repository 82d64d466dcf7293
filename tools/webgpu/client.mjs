// What runs in each environment: fetches the options from the server of run.mjs, runs the parts and posts what they say, and their totals.
import { runParts } from "./parts.mjs";

/** Runs the parts on an entry to WebGPU, for the server at an address. */
export async function checkFor(url, gpu) {
  const post = (path, value) => fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(value) });
  let said = Promise.resolve();
  const say = (text) => {
    said = said.then(() => post("said", text));
  };
  let totals;
  try {
    const options = await (await fetch(`${url}options`)).json();
    totals = await runParts(gpu, options, say);
  } catch (error) {
    say(`FAILED  ${error?.stack ?? error}`);
    totals = { passed: 0, failed: 1, skipped: [], hashes: {} };
  }
  await said;
  await post("totals", totals);
}
