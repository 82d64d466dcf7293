/** Reads the files of examples/data for tests, as the command does. */
import { readFileSync } from "node:fs";
import { kModelFiles } from "../src/tour/digit-classifier.ts";
import type { ModelFiles } from "../src/tour/digit-classifier.ts";

/** A file's bytes as the last bytes of a new ArrayBuffer, whose length is a multiple of `alignment`. */
export function dataFile(name: string, alignment: number = 1): Uint8Array {
  const file = readFileSync(new URL(`../../../../examples/data/${name}`, import.meta.url));
  const end = Math.ceil(file.length / alignment) * alignment;
  const bytes = new Uint8Array(new ArrayBuffer(end), end - file.length);
  bytes.set(file);
  return bytes;
}

/** All files of the model. By default their elements are aligned. */
export function modelFiles(alignment: number = 64): ModelFiles {
  return Object.fromEntries(kModelFiles.map((name) => [name, dataFile(`digits-model/${name}.pb`, alignment)])) as ModelFiles;
}
