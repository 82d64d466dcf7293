// The modules and declarations of all packages in one tree, `esm/`, beside their sources in `src/`.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { buildSync } from "esbuild";

/** The specifiers that the library takes from outside, and the module that holds a bundled copy. */
const VENDORED = { "@bufbuild/protobuf/wire": "vendor/protobuf-wire.js" };

/** Packages with a `dist`, all of which go into the tree. */
const packagesOf = (root) => readdirSync(join(root, "packages")).sort();

/** A specifier of the workspace as a path in `esm/`, or null for anything else. */
function pathOf(specifier) {
  if (specifier in VENDORED) return VENDORED[specifier];
  const [, name, part] = /^@onebuffer\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  return `${name}/${part === undefined ? "index" : part === "testing" ? "testing/index" : part}.js`;
}

/** A module's text with relative specifiers; `from` is its own path in `esm/`. */
function withRelativeSpecifiers(text, from) {
  return text.replace(/(\bfrom\s+|\bimport\s+|\bimport\(|\bdeclare module )"(@[\w-]+\/[\w/-]+)"/g, (all, before, specifier) => {
    const path = pathOf(specifier);
    if (path === null) return all;
    const relative = posix.relative(posix.dirname(from), path);
    return `${before}"${relative.startsWith(".") ? relative : `./${relative}`}"`;
  });
}

/** A source map that leads from `esm/NAME/…` to `src/NAME/…`. */
function withSourcesMoved(text, from, name) {
  const map = JSON.parse(text);
  const folder = posix.dirname(from);
  map.sources = map.sources.map((source) => {
    const inPackage = posix.normalize(posix.join("packages", name, "dist/src", posix.dirname(from.slice(name.length + 1)), source));
    const inTarget = inPackage.replace(/^packages\/([\w-]+)\/src\//, "src/$1/");
    return posix.relative(posix.join("esm", folder), inTarget);
  });
  delete map.sourcesContent;
  return JSON.stringify(map);
}

/** TypeScript's `using` needs these declarations, which no default `lib` has yet. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

function layOutPackage(root, target, name) {
  const built = join(root, "packages", name, "dist/src");
  for (const file of readdirSync(built, { recursive: true, encoding: "utf8" })) {
    const path = file.replaceAll("\\", "/");
    if (!/\.(?:js|d\.ts)(?:\.map)?$/.test(path)) continue;
    const from = `${name}/${path}`;
    let text = readFileSync(join(built, file), "utf8");
    if (path.endsWith(".map")) text = withSourcesMoved(text, from, name);
    else text = withRelativeSpecifiers(text, from);
    if (path.endsWith(".d.ts") && /\bSymbol\.(?:asyncD|d)ispose\b|\bDisposable\b/.test(text)) text = DISPOSABLE + text;
    mkdirSync(dirname(join(target, "esm", from)), { recursive: true });
    writeFileSync(join(target, "esm", from), text);
  }
  cpSync(join(root, "packages", name, "src"), join(target, "src", name), { recursive: true });
}

/** Writes `esm/` and `src/`. */
export function layOutModules(root, target) {
  for (const name of packagesOf(root)) layOutPackage(root, target, name);
  for (const [specifier, path] of Object.entries(VENDORED)) {
    buildSync({
      stdin: { contents: `export { base64Decode, base64Encode, getTextEncoding } from "${specifier}";`, resolveDir: join(root, "packages/proto") },
      bundle: true,
      format: "esm",
      target: "es2022",
      outfile: join(target, "esm", path),
      logLevel: "error",
    });
  }
}
