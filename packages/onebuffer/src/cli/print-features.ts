/** `onebuffer inspect` of a TFRecord file of Examples: a table of features instead of one of records. */
import { isStatusError } from "@onebuffer/base";
import { printable } from "@onebuffer/base/internal";
import { exampleCodec } from "@onebuffer/proto";
import type { ExampleProto, FeatureProto } from "@onebuffer/proto";
import type { TensorFile } from "../files/open-tensor-file.ts";
import { paint } from "./console.ts";
import type { Surroundings } from "./console.ts";
import { printTable } from "./table.ts";

/** The most records that are read for the table. */
const kMostRecords = 10_000;
/** The length of the shown beginning of a value. */
const kShownCharacters = 40;

/** What is known of the features of one name. */
interface Summary {
  readonly kinds: Set<string>;
  records: number;
  fewest: number;
  most: number;
  readonly first: string;
}

/** The list of a feature that is set: its kind, its length and its beginning as text. */
function listOf({ bytesList, floatList, int64List }: FeatureProto): { kind: string; length: number; shown: string } {
  const text = new TextDecoder();
  if (bytesList?.value !== undefined) {
    const { value } = bytesList;
    return {
      kind: "bytes",
      length: value.length,
      shown: value[0] === undefined ? "" : `${value[0].length} bytes ${text.decode(value[0].subarray(0, kShownCharacters))}`,
    };
  }
  const [kind, value] =
    floatList?.value !== undefined ? (["float", floatList.value] as const) : (["int64", int64List?.value ?? []] as const);
  return { kind, length: value.length, shown: Array.from(value.slice(0, 6) as readonly unknown[], String).join(" ") };
}

/** Returns the Example of a record, null for other bytes. */
function exampleOf(record: Uint8Array): ExampleProto | null {
  try {
    const example = exampleCodec.decode(record);
    return (example.features?.feature?.size ?? 0) > 0 ? example : null;
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return null;
  }
}

function add(summaries: Map<string, Summary>, example: ExampleProto): void {
  for (const [name, feature] of example.features?.feature ?? []) {
    const { kind, length, shown } = listOf(feature);
    const summary = summaries.get(name) ?? { kinds: new Set(), records: 0, fewest: length, most: length, first: shown };
    summary.kinds.add(kind);
    summary.records++;
    summary.fewest = Math.min(summary.fewest, length);
    summary.most = Math.max(summary.most, length);
    summaries.set(name, summary);
  }
}

/** Prints the table if every record is an Example. Returns false, and prints nothing, for other records. */
export async function printFeatures({ store, infos }: TensorFile, around: Surroundings): Promise<boolean> {
  const summaries = new Map<string, Summary>();
  const records = infos.slice(0, kMostRecords);
  for (const { name } of records) {
    around.signal.throwIfAborted();
    const example = exampleOf((await store.bytes(name, { signal: around.signal })).bytes);
    if (example === null) return false;
    add(summaries, example);
  }
  if (summaries.size === 0) return false;
  const part = records.length < infos.length ? `the first ${records.length} of ` : "";
  around.print(paint(around, "dim", `  each record is a tensorflow.Example; features of ${part}${infos.length} records:`));
  const rows = [...summaries].map(([name, { kinds, records: count, fewest, most, first }]) => [
    printable(name),
    [...kinds].join(" or "),
    fewest === most ? String(most) : `${fewest} to ${most}`,
    String(count),
    printable(first).slice(0, kShownCharacters),
  ]);
  printTable(around.print, ["feature", "kind", ">values", ">records", "in the first"], rows, (text) => paint(around, "dim", text));
  return true;
}
