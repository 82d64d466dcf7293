// The source files of the packages as the house tests see them: path, package, text, and what each one imports.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const packageNames = readdirSync(join(root, "packages")).sort();

/** `@onebuffer/base` for `base`, `onebuffer` for the umbrella. */
export const manifestOf = (name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));

/** `[specifier, path]` of each entry of a package: its index, and its sub-paths. */
export function entriesOf(name) {
  const manifest = manifestOf(name);
  return Object.entries(manifest.exports)
    .filter(([, { source }]) => source !== undefined)
    .map(([path, { source }]) => [manifest.name + path.slice(1), posix.join("packages", name, source)]);
}

/** Everything that can pull another module in, type imports and re-exports included. */
const IMPORT = /(?:^|[\s;}])(?:import|export)\s+(?:type\s+)?(?:[\w$*\s{},]+?\s+from\s+)?["']([^"']+)["']|import\(\s*["']([^"']+)["']/g;

/** Source text without comments, so that an import in an example does not count. */
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/** Every .ts file below packages/NAME/src: `{ path, name, text, imports }`, paths relative to the root. */
export function sourceFiles() {
  const files = [];
  for (const name of packageNames) {
    const src = join(root, "packages", name, "src");
    if (!existsSync(src)) continue;
    for (const file of readdirSync(src, { recursive: true })) {
      if (!file.endsWith(".ts")) continue;
      const text = readFileSync(join(src, file), "utf8");
      const path = `packages/${name}/src/${file}`;
      const imports = [...withoutComments(text).matchAll(IMPORT)].map((m) => m[1] ?? m[2]);
      files.push({ path, name, text, imports, generated: path.includes("/generated/") });
    }
  }
  return files;
}

/** The file that a relative import of `path` means. */
export const resolveRelative = (path, specifier) => posix.normalize(posix.join(dirname(path), specifier));
