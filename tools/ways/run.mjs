// `npm run ways`: runs the tests of the packages over a library whose comparisons with thresholds are noted (instrument.mjs), and prints which
// of the two ways of each comparison were taken, how near to its threshold the drawn sizes came, and which classes of operations were computed
// in which form (forms.mjs). It fails if a way or a form was not taken. With
// `--list` it prints every way; `--from DIR` reads what an earlier run wrote into DIR.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formCounts, formTable } from "./forms.mjs";
import { kUntaken, kWays } from "./table.mjs";
import { faultsOfTable, thresholds, wayEntries } from "./thresholds.mjs";
import { WayCounts } from "./way-counts.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const print = (line) => process.stdout.write(`${line}\n`);

/** Runs the tests. Returns true if they passed. */
function runTests(folder) {
  const options = ["--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--config", "tools/ways/jest.config.mjs"];
  const env = { ...process.env, ONEBUFFER_WAYS: folder };
  return spawnSync(process.execPath, options, { cwd: root, env, stdio: "inherit" }).status === 0;
}

/** Returns what all test files noted: the counts of ways, and the forms. */
function notedIn(folder) {
  const counts = new WayCounts();
  const files = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  for (const { ways } of files) counts.add(ways);
  return { counts, forms: formCounts(files.flatMap(({ forms }) => forms)) };
}

/** Returns the text of a distance from the threshold. */
const shown = (distance) => (distance === Infinity ? "-" : Number.isInteger(distance) ? String(distance) : distance.toPrecision(2));

function main() {
  const sites = thresholds();
  const faults = faultsOfTable(sites);
  faults.forEach(print);
  const at = process.argv.indexOf("--from");
  const folder = at >= 0 ? process.argv[at + 1] : mkdtempSync(join(tmpdir(), "onebuffer-ways-"));
  const passed = at >= 0 || runTests(folder);
  const { counts, forms } = notedIn(folder);
  if (at < 0) rmSync(folder, { recursive: true });

  const byPackage = new Map();
  const missing = [];
  const untaken = new Set();
  let [taken, all] = [0, 0];
  for (const { key, module, threshold, entry, text } of sites.filter((site) => wayEntries.has(site.entry))) {
    const [held, not, nearHeld, nearNot] = counts.get(key);
    const name = module.slice(0, module.indexOf("/"));
    const row = byPackage.get(name) ?? { taken: 0, all: 0, edges: 0 };
    byPackage.set(name, row);
    for (const [side, times, near] of [
      ["holds", held, nearHeld],
      ["does not hold", not, nearNot],
    ]) {
      if (times === 0 && Object.hasOwn(kUntaken, `${entry}, ${side}`)) {
        untaken.add(`${entry}, ${side}`);
        continue;
      }
      all++;
      row.all++;
      if (near <= 1) row.edges++;
      if (times > 0) {
        taken++;
        row.taken++;
      } else missing.push(`not taken: ${entry}: \`${text}\` ${side} (${kWays[module][threshold]})`);
      if (process.argv.includes("--list")) print(`${entry}: \`${text}\` ${side}: ${times} times, at a distance of ${shown(near)} or more`);
    }
  }
  print("");
  for (const [name, row] of byPackage)
    print(
      `${name.padEnd(12)} ${String(row.taken).padStart(4)} of ${String(row.all).padStart(4)} ways, ${row.edges} with a size next to the threshold`,
    );
  for (const name of untaken) print(`no test takes ${name}: it needs ${kUntaken[name]}`);
  missing.forEach(print);
  const { lines, differences, summary } = formTable(forms);
  print("\nHow often operations of a class were computed in a form:");
  [...lines, ...differences, summary].forEach(print);
  print(`${taken} of ${all} ways`);
  if (!passed || faults.length > 0 || taken < all || differences.length > 0) process.exitCode = 1;
}

main();
