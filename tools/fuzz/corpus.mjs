// The corpus: for each target the inputs that were kept because they executed blocks which no other had, in corpus/NAME.json as base64.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./corpus", import.meta.url));
/** The most inputs of a target, and the most bytes of one, that are kept. */
const kMostInputs = 60;
const kMostBytes = 2000;

const pathOf = (name) =>
  join(
    folder,
    `${name
      .replace(/[^a-z0-9]+/gi, "-")
      .replace(/^-|-$/g, "")
      .toLowerCase()}.json`,
  );

export function readCorpus(name) {
  const path = pathOf(name);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).map((each) => new Uint8Array(Buffer.from(each, "base64"))) : [];
}

export function writeCorpus(name, inputs) {
  const kept = inputs.filter((input) => input.length <= kMostBytes).slice(0, kMostInputs);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    pathOf(name),
    `${JSON.stringify(
      kept.map((each) => Buffer.from(each).toString("base64")),
      null,
      1,
    )}\n`,
  );
}
