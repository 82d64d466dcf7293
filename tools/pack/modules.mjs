// The modules and declarations of all packages in one tree, `esm/`, beside their sources in `src/`.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { buildSync, transformSync } from "esbuild";
import { copyAssets } from "../assets.mjs";
import { withDenseText } from "./dense-text.mjs";

/** The specifiers that the library takes from outside, and the module that holds a bundled copy. */
const VENDORED = { "@bufbuild/protobuf/wire": "vendor/protobuf-wire.js", progress: "vendor/progress.js" };

/** What these modules export. */
const VENDORED_NAMES = { "@bufbuild/protobuf/wire": "base64Decode, base64Encode, getTextEncoding", progress: "default" };

/** Packages with a `dist`, all of which go into the tree. */
const packagesOf = (root) => readdirSync(join(root, "packages")).sort();

/** A specifier of the workspace as a path in `esm/`, or null for anything else. */
function pathOf(specifier) {
  if (specifier in VENDORED) return VENDORED[specifier];
  const [, name, part] = /^@onebuffer\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  return `${name}/${part === undefined ? "index" : part === "testing" ? "testing/index" : part}.js`;
}

/** A module's text with relative specifiers that end in .js (declarations are written with .ts); `from` is its own path in `esm/`. */
function withRelativeSpecifiers(text, from) {
  const own = text.replace(/(\bfrom\s+|\bimport\s+|\bimport\(|\bdeclare module )"(\.\.?\/[\w./-]+)\.ts"/g, '$1"$2.js"');
  return own.replace(/(\bfrom\s+|\bimport\s+|\bimport\(|\bdeclare module )"(@[\w-]+\/[\w/-]+|progress)"/g, (all, before, specifier) => {
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

/** The text of a declaration file that says which `lib` it needs. */
export function withLib(code) {
  return /\bSymbol\.(?:asyncD|d)ispose\b|\bDisposable\b/.test(code) ? DISPOSABLE + code : code;
}

/** A declaration file that says which `lib` it needs, and its map, whose lines move down by one. */
function withDisposable(text, map) {
  const code = withLib(text);
  if (code === text) return { code, map };
  const moved = JSON.parse(map);
  return { code, map: JSON.stringify({ ...moved, mappings: `;${moved.mappings}` }) };
}

/** The rooms of kernels: multi-line texts of their modules are instructions. */
const KERNEL_ROOMS = /^(?:kernels|compiler|linalg\/(?:dense|kernels)|signal\/(?:fft|kernels))\//;

/** A module without its comments, which stand in `src/` and in the declarations, and the map that leads to `src/`. */
function compactModule(text, map, from) {
  const link = /\n\/\/# sourceMappingURL=.*\s*$/;
  const inline = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}\n`;
  const { code, map: composed } = transformSync(text.replace(link, "") + inline, {
    sourcefile: posix.basename(from),
    sourcemap: "external",
    sourcesContent: false,
    target: "es2022",
    format: "esm",
    logLevel: "error",
  });
  const module = { code: `${code}//# sourceMappingURL=${posix.basename(from)}.map\n`, map: composed };
  return KERNEL_ROOMS.test(from) ? withDenseText(module.code, module.map) : module;
}

function layOutPackage(root, target, name) {
  const built = join(root, "packages", name, "dist/src");
  for (const file of readdirSync(built, { recursive: true, encoding: "utf8" })) {
    const path = file.replaceAll("\\", "/");
    if (!/\.(?:js|d\.ts)$/.test(path)) continue;
    const from = `${name}/${path}`;
    const to = join(target, "esm", from);
    let code = withRelativeSpecifiers(readFileSync(join(built, file), "utf8"), from);
    let map = withSourcesMoved(readFileSync(join(built, `${file}.map`), "utf8"), from, name);
    ({ code, map } = path.endsWith(".js") ? compactModule(code, map, from) : withDisposable(code, map));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, code);
    writeFileSync(`${to}.map`, map);
  }
  cpSync(join(root, "packages", name, "src"), join(target, "src", name), { recursive: true });
  copyAssets(join(root, "packages", name, "src"), join(target, "esm", name));
}

/** Writes `esm/` and `src/`. */
export function layOutModules(root, target) {
  for (const name of packagesOf(root)) layOutPackage(root, target, name);
  for (const [specifier, path] of Object.entries(VENDORED)) {
    buildSync({
      stdin: {
        contents: `export { ${VENDORED_NAMES[specifier]} } from "${specifier}";`,
        resolveDir: join(root, "packages/proto"),
      },
      bundle: true,
      format: "esm",
      target: "es2022",
      outfile: join(target, "esm", path),
      logLevel: "error",
    });
  }
}

/**
 * The rooms whose modules have kernels from `loaded-kernels`. For bundlers `later-kernels` takes its place: pages load them after they have
 * begun.
 */
const LATER_ROOMS = ["eigen/assign", "linalg/batch", "signal/kernels"];

/** Has the modules of `esm/` load the kernels later. The files for Node and for pages without a bundler are made before. */
export function loadKernelsLater(target) {
  for (const room of LATER_ROOMS) {
    const path = (module, ending) => join(target, "esm", room, `${module}${ending}`);
    const text = readFileSync(path("later-kernels", ".js"), "utf8").replace("=later-kernels.js.map", "=loaded-kernels.js.map");
    writeFileSync(path("loaded-kernels", ".js"), text);
    cpSync(path("later-kernels", ".js.map"), path("loaded-kernels", ".js.map"));
  }
}

/** The files of `esm/` with this ending that the entries reach through relative specifiers. */
function reachedFrom(modules, esm, ending) {
  const reached = new Set(modules);
  for (const module of reached) {
    const file = join(esm, `${module}${ending}`);
    if (!existsSync(file)) continue;
    for (const [, specifier] of readFileSync(file, "utf8").matchAll(/"(\.\.?\/[\w./-]+)\.js"/g))
      reached.add(posix.join(posix.dirname(module), specifier));
  }
  return reached;
}

/** Removes what no entry of `esm/` leads to: the command's modules, which `node/` has, and declarations of internals. */
export function dropUnreached(target, modules) {
  const esm = join(target, "esm");
  const reached = { ".js": reachedFrom(modules, esm, ".js"), ".d.ts": reachedFrom(modules, esm, ".d.ts") };
  for (const file of readdirSync(esm, { recursive: true, encoding: "utf8" })) {
    const [, module, ending] = /^(.*?)(\.js|\.d\.ts)(?:\.map)?$/.exec(file.replaceAll("\\", "/")) ?? [];
    if (module !== undefined && !reached[ending].has(module) && !module.startsWith("vendor/")) rmSync(join(esm, file));
  }
}
