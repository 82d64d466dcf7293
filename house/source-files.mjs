// The source files of the packages for the house tests: path, package, text and imports of each.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const packageNames = readdirSync(join(root, "packages")).sort();

/** Returns the package.json of a package folder. */
export const manifestOf = (name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));

/** Returns `[specifier, path]` of each entry of a package: its index and its sub-paths. */
export function entriesOf(name) {
  const manifest = manifestOf(name);
  return Object.entries(manifest.exports)
    .filter(([, { source }]) => source !== undefined)
    .map(([path, { source }]) => [manifest.name + path.slice(1), posix.join("packages", name, source)]);
}

/** Matches every statement that loads another module, including type imports and re-exports. */
const kImport = /(?:^|[\s;}])(?:import|export)\s+(?:type\s+)?(?:[\w$*\s{},]+?\s+from\s+)?["']([^"']+)["']|import\(\s*["']([^"']+)["']/g;

/** Returns source text without comments, so that an import in an example does not count. */
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/** Returns every .ts file below packages/NAME/src as `{ path, name, text, imports, generated }`; paths are relative to the root. */
export function sourceFiles() {
  const files = [];
  for (const name of packageNames) {
    const src = join(root, "packages", name, "src");
    if (!existsSync(src)) continue;
    for (const file of readdirSync(src, { recursive: true })) {
      if (!file.endsWith(".ts")) continue;
      const text = readFileSync(join(src, file), "utf8");
      const path = `packages/${name}/src/${file}`;
      const imports = [...withoutComments(text).matchAll(kImport)].map((m) => m[1] ?? m[2]);
      files.push({ path, name, text, imports, generated: path.includes("/generated/") });
    }
  }
  return files;
}

/** Returns the paths of the programs in Python below packages/NAME/src, relative to the root. */
export const pythonFiles = () =>
  packageNames.flatMap((name) =>
    readdirSync(join(root, "packages", name, "src"), { recursive: true })
      .filter((file) => file.endsWith(".py"))
      .map((file) => `packages/${name}/src/${file}`),
  );

/** Returns the path of the file that a relative import in `path` refers to. */
export const resolveRelative = (path, specifier) => posix.normalize(posix.join(dirname(path), specifier));
