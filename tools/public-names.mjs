// Where a user finds each public name: the specifier and, for each name, whether it is a value or a type. Derived from the `exports` of
// packages/onebuffer/package.json and the export lists that they lead to, so there is no second list to keep.
//
//   node tools/public-names.mjs           prints one line per name: the path to import it from, the name, `type` or `value`
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const manifestOf = (name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));

/** The source file of a specifier of the workspace, or null for one that is not of the workspace. */
function sourceOf(specifier) {
  const [, name, part] = /^@onebuffer\/([\w-]+)(\/[\w-]+)?$/.exec(specifier) ?? /^(onebuffer)(\/[\w-]+)?$/.exec(specifier) ?? [];
  if (name === undefined || !existsSync(join(root, "packages", name))) return null;
  const source = manifestOf(name).exports[`.${part ?? ""}`]?.source;
  return source === undefined ? null : join(root, "packages", name, source);
}

/** Adds the names that a source file exports to `names`, a map from name to "value" or "type". Follows `export *`. */
function addExports(path, names) {
  const text = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  for (const [, specifier] of text.matchAll(/^export \* from "([^"]+)";/gm))
    addExports(specifier.startsWith(".") ? join(dirname(path), specifier) : sourceOf(specifier), names);
  for (const [, type, list] of text.matchAll(/^export (type )?\{([^}]*)\}/gm))
    for (const name of list.split(",").flatMap((part) => part.trim().split(/\s+/).at(-1) || [])) names.set(name, type ? "type" : "value");
  return names;
}

/** The specifiers that packages/onebuffer exports, the face first. */
export const publicPaths = Object.entries(manifestOf("onebuffer").exports).flatMap(([path, { source }]) =>
  source === undefined ? [] : [`onebuffer${path.slice(1)}`],
);

/** Returns a map from each name that a specifier of the workspace exports to "value" or "type", sorted by name; empty if there is none. */
export function exportsOf(specifier) {
  const source = sourceOf(specifier);
  return source === null ? new Map() : new Map([...addExports(source, new Map())].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns a map from each public name to the path where a user finds it: the face if it is there, otherwise the sub-path. */
export function publicNames() {
  const found = new Map();
  for (const path of publicPaths) for (const [name, kind] of exportsOf(path)) if (!found.has(name)) found.set(name, { path, kind });
  return found;
}

if (pathToFileURL(process.argv[1] ?? "").href === import.meta.url)
  for (const [name, { path, kind }] of publicNames()) process.stdout.write(`${path} ${name} ${kind}\n`);
