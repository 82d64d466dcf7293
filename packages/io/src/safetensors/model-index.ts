/**
 * The index of a model in several safetensors files, `model.safetensors.index.json`, as Hugging Face's libraries write it.
 *
 *     {
 *       "metadata": { "total_size": 13476835328 },
 *       "weight_map": { "embed.weight": "model-00001-of-00003.safetensors", ... }
 *     }
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { checkFileName } from "../source/file-name.ts";
import { JsonScanner } from "./json-scanner.ts";

/** The name of the index of a model. */
export const kIndexName = "model.safetensors.index.json";
/** The longest index that is read, as long as the longest header of one file. */
export const kMaxIndexBytes = 100_000_000;

declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

/**
 * Returns the file of each tensor by its name. Throws INVALID_ARGUMENT if the bytes are no such index, a name is written twice, or a file's name
 * leads out of the folder.
 */
export function readModelIndex(bytes: Uint8Array<ArrayBufferLike>): Map<string, string> {
  const scanner = JsonScanner.ofBytes(bytes, "safetensors index");
  let weightMap: Map<string, string> | undefined;
  scanner.object((key) => {
    if (key !== "weight_map") return scanner.skip();
    if (weightMap !== undefined) throw new InvalidArgumentError("safetensors index: weight_map is written twice");
    const map = new Map<string, string>();
    scanner.object((name) => {
      if (map.has(name)) throw new InvalidArgumentError(`safetensors index: tensor ${shownValue(name)} is written twice`);
      const file = scanner.string();
      checkFileName(file);
      map.set(name, file);
    });
    weightMap = map;
  });
  scanner.end();
  if (weightMap === undefined) throw new InvalidArgumentError("safetensors index: there is no weight_map");
  return weightMap;
}

/** Returns the bytes of an index, with the keys sorted as Hugging Face's libraries sort them. */
export function writeModelIndex(weightMap: ReadonlyMap<string, string>, totalBytes: number): Uint8Array<ArrayBuffer> {
  const names = [...weightMap.keys()].sort();
  // Text by text, because an object would put names that are integers first and lose __proto__.
  const lines = names.map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(weightMap.get(name))}`);
  const map = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
  return new TextEncoder().encode(`{\n  "metadata": {\n    "total_size": ${totalBytes}\n  },\n  "weight_map": ${map}\n}\n`);
}
