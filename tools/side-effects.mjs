// Derives the `sideEffects` list of each package's package.json from its source: bundlers drop every other module from which
// nothing is imported. `node tools/side-effects.mjs --write` updates the lists; house/packages.suite.js compares them.
//
// A module has a side effect if it calls something when it is loaded. Filling a constant array of the same module does not count:
//
//     connectAtLoad();                    yes
//     process?.on("worker", watch);       yes
//     VALUES.fill(NaN, 0x7d, 0x80);       no, if VALUES is a constant of the same module
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Matches a call at the beginning of a line at the top level of a module. */
const kCall = /^(?!(?:function|async|import|export|if|for|while|switch|return|throw|new|super)\b)([\w$]+)((?:\??\.[\w$]+)*)\(/gm;

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

function hasSideEffects(source) {
  const text = withoutComments(source);
  return [...text.matchAll(kCall)].some(
    ([, object, members]) => members !== ".fill" || !new RegExp(`^(?:export )?const ${object.replace("$", "\\$")}\\b`, "m").test(text),
  );
}

/** Returns the correct `sideEffects` for `packages/NAME`: the modules with side effects, as source and as built, or false. */
export function sideEffectsOf(name) {
  const src = join(root, "packages", name, "src");
  const paths = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && hasSideEffects(readFileSync(join(src, path), "utf8")))
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
  const bin = existsSync(join(root, "packages", name, "bin"))
    ? readdirSync(join(root, "packages", name, "bin")).map((file) => `./bin/${file}`)
    : [];
  const list = [...bin, ...paths.map((path) => `./src/${path}`), ...paths.map((path) => `./dist/src/${path.replace(/\.ts$/, ".js")}`)];
  return list.length === 0 ? false : list;
}

if (process.argv.includes("--write")) {
  for (const name of readdirSync(join(root, "packages"))) {
    const path = join(root, "packages", name, "package.json");
    const list = sideEffectsOf(name);
    const shown = list === false ? "false" : `[${list.map((each) => JSON.stringify(each)).join(", ")}]`;
    writeFileSync(path, readFileSync(path, "utf8").replace(/"sideEffects": (?:false|\[[^\]]*\])/, `"sideEffects": ${shown}`));
  }
}
