// `npm run long`: what takes too long for `npm test`, within a time budget in seconds (`--budget N`, default 480).
// The steps are listed in the order of their worth; one that no longer fits the budget is skipped, and said so.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = process.argv.indexOf("--budget");
const budget = at >= 0 ? Number(process.argv[at + 1]) : 480;
const started = performance.now();
const left = () => budget - (performance.now() - started) / 1000;

const STEPS = [
  {
    name: "mutants: each named change of the source turns a vector red",
    seconds: 60,
    command: ["node", "conformance/dist/src/mutants.js"],
  },
  {
    name: "threads: the protocol of the arena over all interleavings, random programs too",
    seconds: 40,
    command: [
      "node",
      "--experimental-vm-modules",
      "node_modules/jest/bin/jest.js",
      "--testPathPatterns",
      "interleavings\\.test",
      "--testTimeout",
      "180000",
    ],
    env: { ONEBUFFER_LONG: "1" },
  },
  {
    name: "fuzz: a million mutants of real messages against the decoder of packages/proto",
    seconds: 60,
    command: ["node", "packages/proto/dist/test/run-fuzz.js"],
  },
  {
    name: "the lifetime net: every guard taken away is noticed",
    seconds: 60,
    command: ["node", "--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--testPathPatterns", "lifetime-net\\.test"],
    env: { ONEBUFFER_LONG: "1" },
  },
  {
    name: "soak: threads share tensors and die at random for a minute, and nothing is left",
    seconds: 75,
    command: ["node", "packages/core/dist/test/threads/soak.js", "--seconds", "60"],
  },
  {
    name: "models: the property tests with twenty times the runs",
    seconds: 60,
    command: [
      "node",
      "--experimental-vm-modules",
      "node_modules/jest/bin/jest.js",
      "--testPathPatterns",
      "model\\.test",
      "--testTimeout",
      "180000",
    ],
    env: { ONEBUFFER_LONG: "1" },
  },
];

let failed = 0;
for (const { name, seconds, command, env } of STEPS) {
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
    timeout: Math.round(left() * 1000),
  });
  if (done.status !== 0) {
    failed++;
    process.stdout.write(`FAILED: ${name}\n`);
  }
}
process.stdout.write(
  `\nlong: ${STEPS.length - failed} of ${STEPS.length} steps passed or were skipped in ${((performance.now() - started) / 1000).toFixed(0)} s\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
