// Compares the gradients of random expression trees with differences along a random direction (a step of `npm run long`).
//
//     node tools/random-gradients.mjs                          20,000 trees of a new seed
//     node tools/random-gradients.mjs --seed 7 --trees 500     the first 500 trees of seed 7
//     node tools/random-gradients.mjs --seed 7 --from 123 --trees 1     one tree again
//
// A failure is printed with its seed and number, and as a program for the smallest tree that still fails.
import { opNames } from "@onebuffer/eigen";
import { hasGradient } from "@onebuffer/expression/internal";
import { checkGradientTrees } from "../packages/gradients/dist/test/random-gradients/check-gradient-trees.js";

const option = (name, fallback) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback;
const write = (text) => process.stdout.write(`${text}\n`);

/** The number of trees in which every operation occurs. */
const kForAll = 20_000;
/** The largest part of the trees that may be at a kink, or not finite. */
const kMostSkipped = 0.35;
/** The most failures that are printed. */
const kShown = 20;

// A new seed each time finds new failures. In CI the seed is fixed, so that a run's result depends only on the change.
const seed = option("seed", process.env.CI === undefined ? Date.now() % 2 ** 31 : 26260027);
const trees = option("trees", 20_000);
const from = option("from", 0);
write(`seed ${seed}, ${trees} trees`);
const started = performance.now();
let shown = 0;
const { failures, counts, seen } = checkGradientTrees(
  seed,
  trees,
  ({ index, detail, program }) => {
    if (++shown > kShown) return;
    write(`\nFAILED: tree ${index} (node tools/random-gradients.mjs --seed ${seed} --from ${index} --trees 1): ${detail}\n${program}`);
  },
  from,
);
const skipped = counts.kink + counts["not finite"];
write(
  `seed ${seed}: ${counts.agrees} of ${trees} trees agree, ${counts.differs} do not; skipped: ${counts.kink} at a kink, ` +
    `${counts["not finite"]} not finite or too large, ${counts.refused} with an element that is an error, ${counts["no variable"]} without a variable; ` +
    `${((performance.now() - started) / 1000).toFixed(0)} s`,
);
const lost = opNames().filter((op) => hasGradient({ op }) && !seen.has(op));
const isWhole = trees >= kForAll;
if (isWhole && lost.length > 0) write(`FAILED: operations never seen: ${lost.join(", ")}`);
if (skipped > kMostSkipped * trees) write(`FAILED: ${skipped} trees were skipped`);
process.exitCode = failures.length > 0 || (isWhole && lost.length > 0) || skipped > kMostSkipped * trees ? 1 : 0;
