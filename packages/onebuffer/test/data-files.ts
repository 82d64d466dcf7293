/** The files of examples/data as the command reads them. */
import { readFileSync } from "node:fs";
import { kModelFiles } from "../src/tour/digit-classifier.ts";
import type { ModelFiles } from "../src/tour/digit-classifier.ts";

/** A file's bytes in an ArrayBuffer of their own; they end where it ends, so many bytes after its start that `alignment` divides them. */
export function dataFile(name: string, alignment: number = 1): Uint8Array {
  const file = readFileSync(new URL(`../../../../examples/data/${name}`, import.meta.url));
  const end = Math.ceil(file.length / alignment) * alignment;
  const bytes = new Uint8Array(new ArrayBuffer(end), end - file.length);
  bytes.set(file);
  return bytes;
}

/** All files of the model, their elements aligned. */
export function modelFiles(alignment: number = 64): ModelFiles {
  return Object.fromEntries(kModelFiles.map((name) => [name, dataFile(`digits-model/${name}.pb`, alignment)])) as ModelFiles;
}
