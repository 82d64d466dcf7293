// Checks groups of random expressions that are assigned together: each result is that of its expression one operation at a time, from what was
// there before (a step of `npm run long`).
//
//     node tools/random-groups.mjs                             4,000 groups of a new seed
//     node tools/random-groups.mjs --seed 7 --groups 500       the first 500 groups of seed 7
//     node tools/random-groups.mjs --seed 7 --from 123 --groups 1     one group again
import { checkGroup } from "../packages/eigen/dist/test/random-trees/check-group.js";

const option = (name, fallback) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback;
const write = (text) => process.stdout.write(`${text}\n`);

/** The most failures that are printed. */
const kShown = 20;

// A new seed each time finds new failures. In CI the seed is fixed, so that a run's result depends only on the change.
const seed = option("seed", process.env.CI === undefined ? Date.now() % 2 ** 31 : 3);
const groups = option("groups", 4000);
const from = option("from", 0);
const counts = { agrees: 0, refused: 0, differs: 0 };
const started = performance.now();
for (let index = from; index < from + groups; index++) {
  const { kind, detail } = checkGroup(seed, index);
  counts[kind]++;
  if (kind !== "differs" || counts.differs > kShown) continue;
  write(`FAILED: group ${index} (node tools/random-groups.mjs --seed ${seed} --from ${index} --groups 1): ${detail}`);
}
write(
  `seed ${seed}: ${counts.agrees} of ${groups} groups agree, ${counts.differs} do not, ${counts.refused} have an element that is an error; ` +
    `${((performance.now() - started) / 1000).toFixed(0)} s`,
);
process.exitCode = counts.differs > 0 ? 1 : 0;
