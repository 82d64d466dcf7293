// `npm run webgpu`: WebGpuDevice on real implementations of WebGPU, in Node, Chromium, Deno and Firefox: operations and dtypes against the
// evaluator's bounds, bits against Node's kernels, random trees, the same bits twice and on every adapter, leaks, loss, memory.
//
//   npm run webgpu                            samples of operations and trees, everywhere
//   npm run webgpu -- --all                   every operation and 2,000 random trees
//   npm run webgpu -- node deno bits faults   some environments, some parts
//   npm run webgpu -- --trees 500             so many random trees
//   npm run webgpu -- --op exp,add            every case of these operations
//
// environments.mjs says what each environment needs. Where it is missing, it prints "skipped: why" and exits with 0; with 1 under
// ONEBUFFER_REQUIRE_WEBGPU=1 if Node or Chromium is skipped. The last line is "N passed, N failed, N skipped".
import { verdictsOf } from "../browser/launch.mjs";
import { kernelHashes } from "./bits.mjs";
import { kEnvironments } from "./environments.mjs";
import { kPartNames } from "./parts.mjs";
import { serveChecks } from "./server.mjs";

/** How long an environment may take: samples, and everything. */
const [kSampleMs, kAllMs] = [300_000, 3_600_000];

const words = process.argv.slice(2);

/** Takes an option with a value from the arguments. */
function taken(name) {
  const at = words.indexOf(name);
  return at < 0 ? null : words.splice(at, 2)[1];
}

/** Takes the arguments that are keys of an object. Returns all keys if there are none. */
function chosen(names) {
  const some = names.filter((name) => words.includes(name));
  for (const name of some) words.splice(words.indexOf(name), 1);
  return some.length === 0 ? names : some;
}

const print = (text) => void process.stdout.write(`${text}\n`);

const [trees, ops] = [taken("--trees"), taken("--op")];
const all = words.includes("--all");
if (all) words.splice(words.indexOf("--all"), 1);
const names = chosen(Object.keys(kEnvironments));
const parts = chosen(kPartNames);
if (words.length > 0) {
  const known = [...Object.keys(kEnvironments), ...kPartNames].join(", ");
  throw new Error(`there is no ${words.join(", ")}; environments and parts are ${known}`);
}

const sums = { passed: 0, failed: 0, skipped: new Map() };
/** For each result its hash and the environment that had it first. */
const hashes = new Map();
const kernels = parts.includes("bits") ? kernelHashes() : {};

/** Adds cases that were skipped, by their reason. */
function skip({ reason, count, whats }) {
  const known = sums.skipped.get(reason) ?? { count: 0, whats: new Set() };
  for (const what of whats) known.whats.add(what);
  sums.skipped.set(reason, { ...known, count: known.count + count });
}

/** Compares the hashes of an environment with those of the ones before. Returns how many were the same and how many not. */
function compareHashes(name, found) {
  const counts = { same: 0, other: 0 };
  for (const [what, hash] of Object.entries(found)) {
    const first = hashes.get(what);
    if (first === undefined) hashes.set(what, { name, hash });
    else if (first.hash === hash) counts.same++;
    else {
      counts.other++;
      print(`FAILED  ${what}: other elements than in ${first.name}`);
    }
  }
  return counts;
}

async function checkIn(name) {
  const { find, isRequired, ...sizes } = kEnvironments[name];
  const { skipped, ...program } = find();
  print(`\n== ${name}${skipped === undefined ? "" : `: skipped: ${skipped}`}`);
  if (skipped !== undefined) {
    if (isRequired && process.env.ONEBUFFER_REQUIRE_WEBGPU === "1") sums.failed++;
    else skip({ reason: skipped, count: 1, whats: [name] });
    return;
  }
  const begun = performance.now();
  const only = ops === null ? null : ops.split(",");
  const options = {
    parts,
    only,
    kernels,
    trees: Number(trees ?? (all ? 2000 : sizes.trees)),
    every: all || only !== null ? 1 : sizes.every,
  };
  const server = await serveChecks(options, print);
  const silent = (why) => ({ passed: 0, failed: 1, skipped: [], hashes: {}, why });
  const totals = await verdictsOf({ ...program, limit: all ? kAllMs : kSampleMs, silent }, server);
  if (totals.why !== undefined) print(`FAILED  ${name} answers: ${totals.why}`);
  const { same, other } = compareHashes(name, totals.hashes);
  sums.passed += totals.passed + same;
  sums.failed += totals.failed + other;
  totals.skipped.forEach(skip);
  const seconds = Math.round((performance.now() - begun) / 1000);
  print(`${name}: ${totals.passed} passed, ${totals.failed} failed, ${same} results with the hash of another environment (${seconds} s)`);
}

for (const name of names) await checkIn(name);

if (sums.skipped.size > 0) print("\nskipped");
const skipped = [...sums.skipped].sort(([, a], [, b]) => b.count - a.count);
for (const [reason, { count, whats }] of skipped) print(`${String(count).padStart(6)}  ${reason}: ${[...whats].join(", ")}`);
const skips = skipped.reduce((sum, [, { count }]) => sum + count, 0);
print(`\n${sums.passed} passed, ${sums.failed} failed, ${skips} skipped`);
process.exitCode = sums.failed === 0 ? 0 : 1;
