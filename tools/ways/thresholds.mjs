// Reads the comparisons of all built packages and joins them with the table.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { moduleName } from "./instrument.mjs";
import { sitesOf } from "./sites.mjs";
import { kOthers, kWays } from "./table.mjs";

const packages = fileURLToPath(new URL("../../packages", import.meta.url));

/** Returns the compiled modules of all packages, except generated ones, whose source is a template. */
function builtModules() {
  return readdirSync(packages)
    .map((name) => join(packages, name, "dist/src"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true })
        .filter((name) => name.endsWith(".js") && !/\bgenerated\b/.test(name))
        .sort()
        .map((name) => join(folder, name)),
    );
}

/** Returns every comparison with a threshold: `{ key, module, threshold, entry, text }`, where `key` is the name in way-counts.mjs. */
export function thresholds() {
  return builtModules().flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const module = moduleName(path);
    return sitesOf(text).map((site, number) => ({
      key: `${module}#${number}`,
      module,
      threshold: site.threshold,
      entry: `${module}: ${site.threshold}`,
      text: text.slice(site.start, site.end).replaceAll(/\s+/g, " "),
    }));
  });
}

/** Returns an entry with the value of a threshold that has no name: printers of JavaScript write 127 for `0x7f`, and 4294967296 for `2 ** 32`. */
function comparable(entry) {
  const [module, threshold] = entry.split(": ");
  return /^[\d(-]/.test(threshold) ? `${module}: ${new Function(`return ${threshold}`)()}` : entry;
}

/** The entries of kWays, as `module: threshold`. */
export const wayEntries = new Set(Object.entries(kWays).flatMap(([module, row]) => Object.keys(row).map((name) => `${module}: ${name}`)));

/** The entries of kOthers. */
export const otherEntries = new Set(Object.values(kOthers).flat());

/** Returns what is wrong with the table: comparisons that are in neither list or in both, and entries without a comparison. */
export function faultsOfTable(sites = thresholds()) {
  const found = new Map(sites.map((site) => [comparable(site.entry), site]));
  const [ways, others] = [wayEntries, otherEntries].map((entries) => new Set([...entries].map(comparable)));
  return [
    ...[...found]
      .filter(([entry]) => !ways.has(entry) && !others.has(entry))
      .map(([, { entry, text }]) => `${entry} is in no list of tools/ways/table.mjs: ${text}`),
    ...[...ways].filter((entry) => others.has(entry)).map((entry) => `${entry} is in both lists`),
    ...[...ways, ...others].filter((entry) => !found.has(entry)).map((entry) => `no comparison is ${entry}`),
  ];
}
