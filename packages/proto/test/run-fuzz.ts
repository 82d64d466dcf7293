// A long run of the fuzzer: `node packages/proto/dist/test/run-fuzz.js [MUTANTS] [SEED]`, by default with a million mutants.
import { fuzz, reportText } from "./fuzz.ts";

const mutants = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? 20_260_101);
const report = fuzz(mutants, seed);
process.stdout.write(`${reportText(report)}\n`);
const missed = [...report.branches].filter(([, times]) => times === 0);
if (missed.length > 0 || report.decoded < mutants * 0.05 || report.amplification > 8) {
  process.stdout.write(`FAILED: ${missed.map(([name]) => name).join(", ") || "too few decode, or too much is allocated"} (seed ${seed})\n`);
  process.exitCode = 1;
}
