// The sub-paths of the package and the modules behind them, relative to `esm/`: those of packages/onebuffer.
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../packages/onebuffer/package.json", import.meta.url), "utf8"));

/** `{ "./base": "onebuffer/entries/base", … }`. */
export const ENTRIES = Object.fromEntries(
  Object.entries(manifest.exports).flatMap(([path, { source }]) =>
    source === undefined ? [] : [[path, source.replace(/^\.\/src\/(.*)\.ts$/, "onebuffer/$1")]],
  ),
);

/** The name of an entry's file in `node/`. */
export const nodeFile = (path) => `${path === "." ? "onebuffer" : path.slice(2)}.js`;

/** The name of an entry's declarations in `types/`, without the ending: `onebuffer`, `io`, `xla-device`. */
export const typesFile = (path) => (path === "." ? "onebuffer" : path.slice(2).replaceAll("/", "-"));
