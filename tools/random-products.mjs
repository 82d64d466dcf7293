// Checks random products of matrices: kernels compared with the plain evaluator, and with the same operations one at a time (a step of
// `npm run long`).
//
//     node tools/random-products.mjs                            20,000 products of a new seed
//     node tools/random-products.mjs --seed 7 --products 500     the first 500 products of seed 7
//     node tools/random-products.mjs --seed 7 --from 123 --products 1     one product again
//
// A failure is printed with its seed and number, and as a program for the smallest product that still fails.
import { divideWork } from "../packages/eigen/dist/test/kernel/divided-work.js";
import { Dice } from "../packages/eigen/dist/test/kernel/kernel-subjects.js";
import { checkTrees } from "../packages/eigen/dist/test/random-trees/check-trees.js";
import { growProduct } from "../packages/eigen/dist/test/random-products/grow-product.js";

const option = (name, fallback) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback;
const write = (text) => process.stdout.write(`${text}\n`);

/** The most failures that are printed. */
const kShown = 20;

// A new seed each time finds new failures. In CI the seed is fixed, so that a run's result depends only on the change.
const seed = option("seed", process.env.CI === undefined ? Date.now() % 2 ** 31 : 20240024);
const products = option("products", 20_000);
const from = option("from", 0);
write(`seed ${seed}, ${products} products`);
// As the threads of a pool would: each run of a kernel in parts of any size, in any order.
const divided = process.argv.includes("--divided") ? divideWork(new Dice(seed), 100) : null;
const started = performance.now();
let shown = 0;
const { failures, compared } = checkTrees(
  seed,
  products,
  ({ index, disagreement: { who, detail }, program }) => {
    if (++shown > kShown) return;
    const again = `node tools/random-products.mjs --seed ${seed} --from ${index} --products 1`;
    write(`\nFAILED: product ${index} (${again}): ${who}: ${detail}\n${program}`);
  },
  from,
  growProduct,
);
write(
  `seed ${seed}: ${products - failures.length} of ${products} products agree; elements: ${compared.exact} bit for bit, ${compared.bounded} ` +
    `within bounds, ${compared.unknown} not compared; ${((performance.now() - started) / 1000).toFixed(0)} s`,
);
if (divided !== null) write(`${divided.runs} runs in ${divided.parts} parts, of which ${divided.repeated} ran again`);
process.exitCode = failures.length > 0 ? 1 : 0;
