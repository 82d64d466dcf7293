// The tarball, with its files in an order in which gzip finds what they have in common: it looks back 32 kB only, and a module's comments are in
// its source and in its declarations.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import zopfli from "@gfx/zopfli";
import { create } from "tar";

/** The groups of files in their order: the manifest first, which registries read. */
const kGroups = [/^package\.json$/, /^(?:src|esm)\/.*\.(?:ts|js)$/, /\.map$/, /\.md$/, /\.py$/, /./];
const [kModules, kPrograms] = [1, 4];

/**
 * Returns the place of a file: its group, and in it the module's path without the folder and the ending. Generated modules of a folder differ
 * in a few lines, but all that there is of one is longer than what gzip remembers: their sources stand together, so do their texts. A
 * program in Python has copies in several folders.
 */
function orderOf(path) {
  const group = kGroups.findIndex((pattern) => pattern.test(path));
  if (group === kPrograms) return [group, basename(path), path];
  if (group !== kModules) return [group, path, path];
  const module = path.replace(/^(?:src|esm)\//, "").replace(/\.(?:d\.ts|ts|js)$/, "");
  const generated = /^(.*\/generated\/)(.*)$/.exec(module);
  const kind = path.startsWith("src/") ? "source" : path.endsWith(".js") ? "text" : "types";
  return [group, generated === null ? module : `${generated[1]}${kind}/${generated[2]}`, path];
}

/** Compares two places. */
function compare(a, b) {
  const i = a.findIndex((part, at) => part !== b[at]);
  return i < 0 ? 0 : a[i] < b[i] ? -1 : 1;
}

/** Returns bytes in the gzip format. Zopfli's file is 4 % smaller than that of gzip -9; it takes 20 s, and all who install are spared the bytes. */
const gzipped = (bytes, isQuick) => (isQuick ? gzipSync(bytes, { level: 9 }) : zopfli.gzipAsync(bytes, { numiterations: 1 }));

/**
 * Writes the tarball of the package in `folder` to the folder `to` and returns its path. It has the files that `npm pack` would put into it,
 * below the same folder `package/`. With `isQuick` it is compressed by gzip.
 */
export async function writeTarball(folder, to, isQuick) {
  const listed = spawnSync("npm", ["pack", "--dry-run", "--json", "--silent"], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
    maxBuffer: 2 ** 28,
  });
  if (listed.status !== 0) throw new Error(`npm pack failed:\n${listed.stdout}${listed.stderr}`);
  const [packed] = [JSON.parse(listed.stdout)].flatMap((list) => (Array.isArray(list) ? list : Object.values(list)));
  const { filename, files } = packed;
  const paths = files.map(({ path }) => path).sort((a, b) => compare(orderOf(a), orderOf(b)));
  const tarball = join(to, filename);
  rmSync(tarball, { force: true });
  const archive = create(
    // A fixed time makes the same files the same tarball.
    { cwd: join(folder, ".."), portable: true, mtime: new Date("1985-10-26T08:15:00Z") },
    paths.map((path) => `${basename(folder)}/${path}`),
  );
  writeFileSync(tarball, await gzipped(await archive.concat(), isQuick));
  return tarball;
}
