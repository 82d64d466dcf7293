// The tarball, with its files in an order in which gzip finds what they have in common: it looks back 32 kB only, and a module's comments are in
// its source and in its declarations.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { create } from "tar";

/** The groups of files in their order: the manifest first, which registries read. */
const kGroups = [/^package\.json$/, /^(?:src|esm)\/.*\.(?:ts|js)$/, /\.map$/, /\.md$/, /./];

/** Returns the place of a file: its group, and in it the module's path without the folder and the ending. */
function orderOf(path) {
  const group = kGroups.findIndex((pattern) => pattern.test(path));
  const module = path.replace(/^(?:src|esm)\//, "").replace(/\.(?:d\.ts|ts|js)$/, "");
  return [group, group === 1 ? module : path, path];
}

/** Compares two places. */
function compare(a, b) {
  const i = a.findIndex((part, at) => part !== b[at]);
  return i < 0 ? 0 : a[i] < b[i] ? -1 : 1;
}

/**
 * Writes the tarball of the package in `folder` to the folder `to` and returns its path. It has the files that `npm pack` would put into it,
 * below the same folder `package/`.
 */
export async function writeTarball(folder, to) {
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
  await create(
    // A fixed time makes the same files the same tarball.
    { file: tarball, cwd: join(folder, ".."), gzip: { level: 9 }, portable: true, mtime: new Date("1985-10-26T08:15:00Z") },
    paths.map((path) => `${basename(folder)}/${path}`),
  );
  return tarball;
}
