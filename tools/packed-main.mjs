// Where the command's main file is in a clone: in build/package, which `npm run pack` makes and which loads in a fraction of the time, if it
// was made of what the folders `dist` hold now; otherwise in dist.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

/** The file, relative to the root of the clone, that says what the package was made of. */
const kBuiltOf = "build/built-of.json";

/** Returns when the compiler wrote each package of a clone, as text. The compiler writes a package's src.tsbuildinfo with its outputs. */
function builtTimes(root) {
  const times = readdirSync(new URL("packages/", root)).map((name) => {
    const { mtimeMs } = statSync(new URL(`packages/${name}/dist/src.tsbuildinfo`, root), { throwIfNoEntry: false }) ?? {};
    return [name, mtimeMs ?? null];
  });
  return JSON.stringify(times);
}

/**
 * Call it before build/package is made: no command takes the package until the function that it returns is called, which notes that the
 * package was made of what the folders `dist` held before.
 */
export function notingPack(root) {
  rmSync(new URL(kBuiltOf, root), { force: true });
  const times = builtTimes(root);
  return () => writeFileSync(new URL(kBuiltOf, root), times);
}

/** Returns the URL of the command's main file in the clone at `root`, a URL that ends in a slash. */
export function mainFile(root) {
  const [packed, builtOf] = [new URL("build/package/node/main.js", root), new URL(kBuiltOf, root)];
  const isFresh = existsSync(packed) && existsSync(builtOf) && readFileSync(builtOf, "utf8") === builtTimes(root);
  return (isFresh ? packed : new URL("packages/onebuffer/dist/src/main.js", root)).href;
}
