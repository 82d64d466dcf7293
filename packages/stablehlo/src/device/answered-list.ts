/** Reads the lists of the runner's answers, which are not trusted. */
import { DataLossError } from "@onebuffer/base";

/** Returns the list `name` of an answer in JSON. Throws DATA_LOSS if there is none. */
export function answeredList<T>(answer: Uint8Array, name: string): readonly T[] {
  let list: unknown;
  try {
    list = (JSON.parse(Buffer.from(answer).toString()) as Readonly<Record<string, unknown>>)[name];
  } catch (cause) {
    throw new DataLossError("XlaDevice: an answer of the runner is not readable", { cause });
  }
  if (!Array.isArray(list)) throw new DataLossError(`XlaDevice: an answer of the runner has no list of ${name}`);
  return list as readonly T[];
}
