// A process that keeps one test file open over instrumented modules and runs tests of it. The parts of Jest are loaded once, the library
// and the file anew for each opening.
//
// A message `{ path, mutant, tests, loading }` is answered with the `results` of the tests (environment.mjs). `loading` tells what must be
// open: "any" is the file as it is, "new" is a new opening, "mutated" is a new one with the mutant active while the file is loaded. An
// answer after an opening has what it took and `reached`; one to a file that cannot be loaded has only an `error`. Before, a message `{
// next }` for each test tells how many milliseconds it took in the dry run.
import { exchange } from "./exchange.mjs";
import { TestRunner } from "./jest-parts.mjs";

const runner = await TestRunner.create();

/** The file that is open: `{ path, isMutated, ended }`, or null. */
let open = null;

/** Opens a file. Returns what loading it told, or an error. */
async function opened(path, mutant) {
  if (open !== null) {
    exchange.end();
    await open.ended;
  }
  const loaded = exchange.begin(mutant);
  const ended = runner.run(path);
  const first = await Promise.race([loaded, ended]);
  open = "reached" in first ? { path, isMutated: mutant !== null, ended } : null;
  return first;
}

// What a run has left behind must not end the runs after it.
process.on("unhandledRejection", () => {});
process.on("uncaughtException", () => {});

exchange.onTest = (milliseconds) => process.send({ next: milliseconds });

process.on("message", async ({ path, mutant, tests, loading }) => {
  const isOpen = loading === "any" && open !== null && open.path === path && !open.isMutated;
  const first = isOpen ? { isKilled: false } : await opened(path, loading === "mutated" ? mutant : null);
  const fails = first.isKilled || open === null;
  const answer = fails ? { results: [], error: first.error ?? "it cannot be loaded" } : await exchange.send({ mutant, tests });
  process.send({ error: null, ...first, ...answer, size: process.memoryUsage().rss });
});
process.on("disconnect", () => process.exit());
process.send("ready");
