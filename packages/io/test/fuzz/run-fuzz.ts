// A long run of the fuzzer: `node packages/io/dist/test/fuzz/run-fuzz.js [MUTANTS] [SEED]`, by default with a million mutants.
import { fuzz, reportText } from "./fuzz.ts";
import { targets } from "./targets.ts";

const mutants = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? 20_260_101);
const started = performance.now();
const reports = await fuzz(targets, mutants, seed);
process.stdout.write(`${reportText(reports)}\n`);
const total = reports.reduce((sum, report) => sum + report.mutants, 0);
const rss = Math.round(process.memoryUsage().rss / 2 ** 20);
process.stdout.write(`${total} mutants in ${((performance.now() - started) / 1000).toFixed(0)} s, ${rss} MiB of memory\n`);
if (reports.some(({ failures, read, mutants: all }) => failures.length > 0 || read < all * 0.01)) {
  process.stdout.write("FAILED: see above\n");
  process.exitCode = 1;
}
