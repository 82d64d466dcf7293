// Checks random expression trees: kernels compared with the plain evaluator, and with the same operations one at a time (a step of
// `npm run long`).
//
//     node tools/random-trees.mjs                          20,000 trees of a new seed
//     node tools/random-trees.mjs --seed 7 --trees 500     the first 500 trees of seed 7
//     node tools/random-trees.mjs --seed 7 --from 123 --trees 1     one tree again
//     node tools/random-trees.mjs --divided                    with kernels in parts, as by the threads of a pool
//
// A failure is printed with its seed and number, and as a program for the smallest tree that still fails.
import { kernelFallbacks } from "@onebuffer/compiler/internal";
import { opNames, opTable } from "@onebuffer/eigen";
import { divideWork } from "../packages/eigen/dist/test/kernel/divided-work.js";
import { Dice } from "../packages/eigen/dist/test/kernel/kernel-subjects.js";
import { checkTrees } from "../packages/eigen/dist/test/random-trees/check-trees.js";

const option = (name, fallback) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback;
const write = (text) => process.stdout.write(`${text}\n`);

/** The number of trees after which every operation has occurred for every dtype that has kernels. */
const kForAllPairs = 20_000;
/** The most failures that are printed. */
const kShown = 20;

// A new seed each time finds new failures. In CI the seed is fixed, so that a run's result depends only on the change.
const seed = option("seed", process.env.CI === undefined ? Date.now() % 2 ** 31 : 28043640);
const trees = option("trees", 20_000);
const from = option("from", 0);
write(`seed ${seed}, ${trees} trees`);
// As the threads of a pool would: each run of a kernel in parts of any size, in any order.
const divided = process.argv.includes("--divided") ? divideWork(new Dice(seed), 100) : null;
const started = performance.now();
let shown = 0;
const { failures, compared, seen } = checkTrees(
  seed,
  trees,
  ({ index, disagreement: { who, detail }, program }) => {
    if (++shown > kShown) return;
    write(`\nFAILED: tree ${index} (node tools/random-trees.mjs --seed ${seed} --from ${index} --trees 1): ${who}: ${detail}\n${program}`);
  },
  from,
);

const missing = new Map(kernelFallbacks().map((line) => [line.split(": ")[0], line.split(": ")[1].split(" ")]));
const pairs = opNames().flatMap((op) =>
  opTable[op].dtypes.filter((dtype) => !missing.get(op)?.includes(dtype)).map((dtype) => `${op} ${dtype}`),
);
const unseen = pairs.filter((pair) => !seen.has(pair));
write(
  `seed ${seed}: ${trees - failures.length} of ${trees} trees agree; elements: ${compared.exact} bit for bit, ${compared.bounded} within bounds, ` +
    `${compared.unknown} not compared; ${pairs.length - unseen.length} of ${pairs.length} pairs of operation and dtype; ` +
    `${((performance.now() - started) / 1000).toFixed(0)} s`,
);
if (divided !== null) write(`${divided.runs} runs in ${divided.parts} parts, of which ${divided.repeated} ran again`);
// A rare pair may be missing from a run by chance. An operation that is missing for all its dtypes is never generated at all.
const lost = opNames().filter(
  (op) => pairs.some((pair) => pair.startsWith(`${op} `)) && !pairs.some((pair) => pair.startsWith(`${op} `) && seen.has(pair)),
);
if (trees >= kForAllPairs && unseen.length > 0) write(`not seen this time: ${unseen.join(", ")}`);
if (trees >= kForAllPairs && lost.length > 0) write(`FAILED: operations never seen: ${lost.join(", ")}`);
process.exitCode = failures.length > 0 || (trees >= kForAllPairs && lost.length > 0) ? 1 : 0;
