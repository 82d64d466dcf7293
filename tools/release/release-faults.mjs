// What speaks against a release: versions that differ, a changelog without the version, a tarball that would publish something else.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** Returns the text below a version's heading in CHANGELOG.md, or null; `## 1.2.0 (2027-01-31)` is such a heading. */
export function notesOf(root, version) {
  const sections = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version} (`));
  return section === undefined ? null : { date: /\(([^)]*)\)/.exec(section)[1], text: section.slice(section.indexOf("\n")).trim() };
}

/** Returns the faults of the packages: each has the version of the one that people install, and asks for the others in that version. */
function versionFaults(root, version) {
  return readdirSync(join(root, "packages")).flatMap((name) => {
    const { version: own, dependencies = {}, scripts = {} } = readJson(join(root, "packages", name, "package.json"));
    const others = Object.entries(dependencies).filter(([key, wanted]) => key.startsWith("@onebuffer/") && wanted !== version);
    const hooks = Object.keys(scripts).filter((script) => /^(?:pre|post)?install$|^prepare$/.test(script));
    return [
      ...(own === version ? [] : [`packages/${name} has version ${own}, not ${version}`]),
      ...others.map(([key, wanted]) => `packages/${name} asks for ${key} ${wanted}, not ${version}`),
      ...hooks.map((script) => `packages/${name} has the install script ${script}`),
    ];
  });
}

/** Returns the faults of a tarball, by npm's own dry run of its publication. */
function tarballFaults(path, version) {
  const done = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", path], {
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (done.status !== 0) return [`npm cannot read ${path}: ${done.stderr.trim()}`];
  const [{ name, version: packed, bundled, files }] = JSON.parse(done.stdout);
  const paths = files.map((file) => file.path);
  const wanted = ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "bin/onebuffer.js"];
  return [
    ...(name === "onebuffer" && packed === version ? [] : [`the tarball is ${name} ${packed}, not onebuffer ${version}`]),
    ...(bundled.length === 0 ? [] : [`the tarball bundles ${bundled.join(", ")}`]),
    ...wanted.filter((file) => !paths.includes(file)).map((file) => `the tarball has no ${file}`),
    ...paths.filter((file) => /(^|\/)(test|node_modules)\/|\.env|\.npmrc/.test(file)).map((file) => `the tarball has ${file}`),
  ];
}

/**
 * Returns what speaks against the release of a tag such as "v0.1.0": a list of sentences. With null for the tag the version is that of the
 * packages, may be marked as unreleased, and needs no tarball: then these are the faults that a release would have besides.
 */
export function releaseFaults(root, tag) {
  const { version } = readJson(join(root, "packages/onebuffer/package.json"));
  const faults = versionFaults(root, version);
  const notes = notesOf(root, version);
  if (notes === null || notes.text === "") faults.push(`CHANGELOG.md has no section for ${version}`);
  if (tag === null) return faults;
  if (tag !== `v${version}`) faults.push(`the tag is ${tag}, the packages have ${version}`);
  if (notes !== null && !/^\d{4}-\d\d-\d\d$/.test(notes.date))
    faults.push(`CHANGELOG.md says "${notes.date}" for ${version}, not its date`);
  const tarball = join(root, "build", `onebuffer-${version}.tgz`);
  if (existsSync(tarball)) faults.push(...tarballFaults(tarball, version));
  else faults.push("there is no tarball: `npm run pack` makes it");
  return faults;
}
