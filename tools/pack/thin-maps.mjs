// Source maps with one position for each stretch of a line that comes from one line of a source:
//
//     x = add(a, b);      before: x, add, a and b each have a position      after: x has one
//
// Consoles and editors then find the line of the source, and its first column. All positions would be a third of the package.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decode, encode } from "@jridgewell/sourcemap-codec";

/** Returns the positions of a generated line at which another line of a source begins. */
function thinned(line) {
  let last = null;
  return line.filter(([, source, sourceLine]) => {
    const from = `${source}:${sourceLine}`;
    const isOther = from !== last;
    last = from;
    return isOther;
  });
}

/** Thins all maps below a folder. */
export function thinMaps(folder) {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".map")) continue;
    const path = join(folder, file);
    const map = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(
      path,
      JSON.stringify({
        ...map,
        names: [],
        mappings: encode(decode(map.mappings).map((line) => thinned(line.map((each) => each.slice(0, 4))))),
      }),
    );
  }
}
