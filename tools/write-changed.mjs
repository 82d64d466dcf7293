// Writes generated files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes the files, texts by path, whose text changed, so that the compiler need not check the others again. Makes missing folders. */
export function writeChanged(texts) {
  for (const [path, text] of texts) {
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
