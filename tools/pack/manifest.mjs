// The package.json of the package that people install.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ENTRIES, nodeFile, typesFile } from "./entries.mjs";

/** The modules of `esm/` that do something when they are loaded: bundlers keep them although nothing is imported from them. */
function sideEffects(root, target) {
  const paths = readdirSync(join(root, "packages"))
    .sort()
    .flatMap((name) => {
      const list = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")).sideEffects;
      return (Array.isArray(list) ? list : [])
        .filter((path) => path.startsWith("./dist/src/"))
        .map((path) => `./esm/${name}/${path.slice(11)}`);
    });
  return [...paths.filter((path) => existsSync(join(target, path))), "./bin/onebuffer.js", "./node/*.js", "./browser/*.js"];
}

/** What package.json says. */
export function manifest(root, target, version) {
  const entries = Object.entries(ENTRIES).map(([path, module]) => [
    path,
    { types: `./types/${typesFile(path)}.d.ts`, node: `./node/${nodeFile(path)}`, default: `./esm/${module}.js` },
  ]);
  return {
    name: "onebuffer",
    version,
    description:
      "TensorFlow's tensor runtime in TypeScript: one ref-counted buffer, many tensors, expressions compiled to WebAssembly SIMD.",
    keywords: ["tensor", "tensorflow", "ndarray", "numpy", "webassembly", "simd", "typescript"],
    license: "Apache-2.0",
    type: "module",
    engines: { node: ">=20.19" },
    bin: { onebuffer: "bin/onebuffer.js" },
    sideEffects: sideEffects(root, target),
    exports: {
      ...Object.fromEntries(entries),
      "./browser": { types: entries[0][1].types, default: "./browser/onebuffer.js" },
      "./package.json": "./package.json",
    },
    types: "./types/onebuffer.d.ts",
    unpkg: "./browser/onebuffer.js",
    jsdelivr: "./browser/onebuffer.js",
    files: [
      "bin",
      "browser",
      "docs",
      "esm",
      "examples",
      "explorer",
      "node",
      "src",
      "types",
      "!esm/**/*.d.ts",
      "!esm/**/*.d.ts.map",
      "ARCHITECTURE.md",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "NOTICE",
    ],
  };
}
