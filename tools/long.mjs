// `npm run long`: the tests that take too long for `npm test`, within a time budget in seconds (`--budget N`, default 720). The
// steps are in order of importance; a step that does not fit the remaining budget is skipped, with a message.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { builtFile, longTestFiles } from "./test-files.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = process.argv.indexOf("--budget");
const budget = at >= 0 ? Number(process.argv[at + 1]) : 720;
const isCI = process.env.CI !== undefined;
const started = performance.now();
const left = () => budget - (performance.now() - started) / 1000;

const kNet = "packages/core/test/lifetime/lifetime-net.test.ts";
const kInterleavings = "packages/allocator/test/interleavings/interleavings.test.ts";
const kThreads = "packages/core/test/threads/share-threads.test.ts";
/** Files with slow model tests, which take as long as all other long tests together. */
const kLarge = ["proto/test/messages", "shape/test/shapes", "eigen/test/expressions"].map((name) => `packages/${name}.test.ts`);
/** Decompositions of all kinds of matrices and transforms of all lengths, most of whose time is in the references they are compared with. */
const kNumeric = ["linalg/test/linalg", "signal/test/signal"].map((name) => `packages/${name}.test.ts`);
const kNamed = [kNet, kInterleavings, kThreads, ...kLarge, ...kNumeric];
const kLong = longTestFiles();
for (const path of kNamed) if (!kLong.includes(path)) throw new Error(`${path} is no test file with a long form`);
const kRest = kLong.filter((path) => !kNamed.includes(path));

/** Returns a step that runs test files with ONEBUFFER_LONG=1. */
const inLong = (name, seconds, files) => ({
  name,
  seconds,
  command: [
    ...["node", "--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--testTimeout", "180000"],
    ...["--runTestsByPath", ...files.map(builtFile)],
  ],
  env: { ONEBUFFER_LONG: "1" },
});

/** The options with which a program runs with the address check of kernels. */
const kChecked = ["--import", "./tools/checked-kernels/register.mjs"];

/** The options with which a program runs with lower thresholds. */
const kLowered = ["--import", "./tools/ways/register-lowered.mjs"];

const kSteps = [
  {
    name: "mutants: each named change of the source makes a vector fail",
    seconds: 20,
    command: ["node", "conformance/dist/src/mutants.js"],
  },
  {
    name: "random expression trees over a library with lower thresholds, whose small maps take the ways of large ones, 20,000 trees of a new seed (in CI 4,000)",
    seconds: isCI ? 20 : 90,
    command: ["node", ...kLowered, "tools/random-trees.mjs", ...(isCI ? ["--trees", "4000"] : [])],
  },
  {
    name: "random expression trees with kernels in parts, as by threads, over a library with lower thresholds, 8,000 trees of a new seed (in CI 800)",
    seconds: isCI ? 15 : 100,
    command: ["node", ...kLowered, "tools/random-trees.mjs", "--divided", "--trees", isCI ? "800" : "8000"],
  },
  {
    name: "random products of matrices in parts, over a library with lower thresholds, 4,000 products of a new seed (in CI 500)",
    seconds: isCI ? 15 : 80,
    command: ["node", ...kLowered, "tools/random-products.mjs", "--divided", "--products", isCI ? "500" : "4000"],
  },
  {
    name: "groups of random expressions that are assigned together, in place and elsewhere, 4,000 groups of a new seed (in CI 1,500)",
    seconds: isCI ? 15 : 40,
    command: ["node", "tools/random-groups.mjs", ...(isCI ? ["--groups", "1500"] : [])],
  },
  inLong("threads: the arena's protocol in all interleavings, also of random programs", 40, [kInterleavings]),
  {
    name: "random products of matrices: every form of operand, with checked addresses, 20,000 products of a new seed (in CI 2,000)",
    seconds: isCI ? 30 : 240,
    command: ["node", ...kChecked, "tools/random-products.mjs", ...(isCI ? ["--seed", "20240024", "--products", "2000"] : [])],
  },
  {
    name: "random expression trees: kernels, with their addresses checked, compared with the plain evaluator, 20,000 trees of a new seed",
    seconds: 90,
    // CI has always the same trees, so that it fails because of a change and not because of a seed.
    command: ["node", ...kChecked, "tools/random-trees.mjs", ...(isCI ? ["--seed", "28043640"] : [])],
  },
  {
    name: "gradients of random trees: compared with differences along a direction, 20,000 trees of a new seed (in CI 5,000)",
    seconds: isCI ? 50 : 150,
    command: ["node", "tools/random-gradients.mjs", ...(isCI ? ["--trees", "5000"] : [])],
  },
  {
    name: "training: 10,000 steps of the digits network, no buffer, plan or kernel more, at most 5 MiB",
    seconds: 30,
    // The engine's young generation grows to 16 MiB of garbage whatever a program keeps, so it is kept small here.
    command: ["node", "--expose-gc", "--max-semi-space-size=1", "packages/gradients/dist/test/networks/training-steps.js"],
  },
  {
    name: "fuzz: the decoder of packages/proto reads a million mutants of real messages",
    seconds: 30,
    command: ["node", "packages/proto/dist/test/run-fuzz.js"],
  },
  {
    name: "fuzz: the readers of packages/io read a million mutants of files",
    seconds: 90,
    command: ["node", "packages/io/dist/test/fuzz/run-fuzz.js"],
  },
  inLong("lifetime net: every property alone; removing any guard makes a test fail", 70, [kNet]),
  {
    name: "soak: threads share tensors and end at random for a minute, and no memory is leaked",
    seconds: 75,
    command: ["node", "packages/core/dist/test/threads/soak.js", "--seconds", "60"],
  },
  {
    name: "kernels: 4,096 in turn stay compiled within 160 MiB, 20,000 stay bounded",
    seconds: 60,
    command: ["node", "packages/eigen/dist/test/kernel/many-kernels.js"],
  },
  {
    name: "kernels: all tests of packages/eigen with the address check",
    seconds: 90,
    command: ["node", "--experimental-vm-modules", "node_modules/jest/bin/jest.js", "packages/eigen"],
    env: { ONEBUFFER_CHECKED_KERNELS: "1" },
  },
  inLong("threads that end in the middle of an operation, repeatedly", 90, [kThreads]),
  inLong("models: all other tests with a long form, with many times the runs", 150, kRest),
  inLong("models of messages, shapes, expressions and maps, with many times the runs", 100, kLarge),
  inLong("matrices of every kind against LAPACK's ratios, transforms of every length against a reference", 600, kNumeric),
];

let failed = 0;
for (const { name, seconds, command, env } of kSteps) {
  if (left() < seconds) {
    process.stdout.write(`skipped (${left().toFixed(0)} s of the budget left): ${name}\n`);
    continue;
  }
  process.stdout.write(`\n${name}\n`);
  const [program, ...args] = command;
  const done = spawnSync(program, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
    // The budget decides whether a step starts. A step on a busy machine may exceed it; one that hangs is ended.
    timeout: Math.round(Math.max(left(), 3 * seconds) * 1000),
  });
  if (done.status !== 0) {
    failed++;
    process.stdout.write(`FAILED: ${name}\n`);
  }
}
process.stdout.write(
  `\nlong: ${kSteps.length - failed} of ${kSteps.length} steps passed or were skipped in ${((performance.now() - started) / 1000).toFixed(0)} s\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
