/** Opens files of any format by the readers of the package, and judges them as `onebuffer inspect` does. */
import { formatOf, openTensorFiles } from "onebuffer/io";
import type { ByteSource, FormatName, TensorStore, TransferOptions } from "onebuffer/io";
import { isStatusError } from "onebuffer";
import { errorText } from "../../panel.ts";
import { fileRegions } from "./anatomy/file-regions.ts";
import { firstWrong } from "./anatomy/region.ts";
import { countedSource } from "./counted-source.ts";
import type { ByteCount, CountedSource } from "./counted-source.ts";
import type { GivenFile, OpenedFile, TensorEntry } from "./messages.ts";
import { verdictOf } from "./verdict.ts";

const kDataFile = /^(.*)\.data-\d{5}-of-\d{5}$/;
/** The two files that make a folder a SavedModel. */
const kSavedModel = "saved_model.pb";
const kSavedVariables = "variables/variables.index";
/** The tensors of files that are larger, with their data files, are read only when a visitor asks for it. */
const kMostCheckedBytes = 64 * 2 ** 20;

/** Formats that are shown by another name than their own, and what the one tensor of a format without names is called. */
const kTitles: Readonly<Partial<Record<FormatName, string>>> = { npy: ".npy", npz: ".npz, a zip of .npy files" };
const kOnlyNames: Readonly<Partial<Record<FormatName, string>>> = { npy: "array", TensorProto: "tensor" };

/** An open file, and the store of its tensors; null if it could not be opened. */
export interface FileInHand {
  readonly store: TensorStore | null;
  readonly opened: OpenedFile;
}

type Sources = ReadonlyMap<string, CountedSource>;

/** Opens files; those of a checkpoint together. `counts` counts the bytes that are read. */
export async function openFiles(given: readonly GivenFile[], counts: ByteCount, options: TransferOptions): Promise<FileInHand[]> {
  const sources: Sources = new Map(given.map(({ name, blob }) => [name, countedSource(blob, name, counts)]));
  const files: FileInHand[] = [];
  const index = sources.get(kSavedVariables);
  // The folder as a whole, whose tensors have the names of the model's objects.
  if (index !== undefined && sources.has(kSavedModel))
    files.push(await checkFile(await openFile("", index, sources, counts, options), options));
  for (const [name, source] of sources) {
    const prefix = kDataFile.exec(name)?.[1];
    // The index of this data file is given, too; under another name than its own it is the prefix.
    if (prefix !== undefined && (sources.has(`${prefix}.index`) || sources.has(prefix))) continue;
    const file = await openFile(name, source, sources, counts, options);
    // What a missing data file would hold is not read.
    const { size, dataSize } = file.opened;
    if (size + dataSize > kMostCheckedBytes) {
      files.push(file);
      continue;
    }
    // Tensors are read one by one, and a read of a blob takes long, however short it is.
    const read = [...sources].filter(([each]) => each === name || isDataOf(each, name)).map(([, each]) => each);
    for (const each of read) await each.load();
    files.push(await checkFile(file, options));
    for (const each of read) each.unload();
  }
  return files;
}

async function openFile(
  name: string,
  source: ByteSource,
  sources: Sources,
  counts: ByteCount,
  options: TransferOptions,
): Promise<FileInHand> {
  const before = counts.bytes;
  const { size } = source;
  const base = {
    name: name === "" ? "the SavedModel" : name,
    size,
    dataSize: dataSizeOf(name === "" ? kSavedVariables : name, sources),
    isChecked: false,
  };
  try {
    const store = await openTensorFiles(sources, name, options);
    const indexBytes = counts.bytes - before;
    const { format } = store;
    const regions = await fileRegions(source, format);
    const notes = store.notes.map(([title, value]) => (value === "" ? (["note", title] as const) : ([title, value] as const)));
    const opened = {
      ...base,
      indexBytes,
      format: kTitles[format] ?? format,
      tensors: entriesOf(store),
      notes,
      regions,
      error: "",
      errorAt: -1,
    };
    return { store, opened: { ...opened, verdict: "sound" } };
  } catch (error) {
    const indexBytes = counts.bytes - before;
    const format = await formatOf(source, { name }).catch(() => null);
    // Under a name that tells nothing, the bytes alone decide.
    const showsFormat = (await formatOf(source, { name: "-" }).catch(() => null)) !== null;
    const text = errorText(error);
    const verdict = verdictOf({ error: text, showsFormat, isGuess: format === "TensorProto" && !showsFormat, badChecksums: 0 });
    const regions = verdict === "not a file of tensors" ? [] : await fileRegions(source, format).catch(() => []);
    const wrong = firstWrong(regions);
    const errorAt = verdict === "not a file of tensors" ? -1 : wrong >= 0 ? wrong : placeIn(text, size);
    const title = verdict === "not a file of tensors" || format === null ? "unknown" : (kTitles[format] ?? format);
    return { store: null, opened: { ...base, indexBytes, format: title, tensors: [], notes: [], regions, error: text, errorAt, verdict } };
  }
}

function entriesOf(store: TensorStore): TensorEntry[] {
  return store.names.map((each) => {
    const { dtype, shape, bytes } = store.info(each);
    return { key: each === "" ? (kOnlyNames[store.format] ?? each) : each, dtype, shape, bytes, checksum: null, reason: "" };
  });
}

/** Reads all tensors of a file and verifies their checksums. A missing data file, or slices that overlap, are errors of the file. */
export async function checkFile({ store, opened }: FileInHand, options: TransferOptions): Promise<FileInHand> {
  if (store === null) return { store, opened };
  const tensors: TensorEntry[] = [];
  try {
    for (const [i, entry] of opened.tensors.entries())
      tensors.push({ ...entry, ...(await checkTensor(store, store.names[i]!, entry, options)) });
  } catch (caught) {
    if (!isStatusError(caught) || caught.code === "CANCELLED") throw caught;
    const error = errorText(caught);
    return { store, opened: { ...opened, error, verdict: verdictOf({ error, showsFormat: true, badChecksums: 0 }) } };
  }
  const badChecksums = tensors.filter(({ checksum }) => checksum === "bad").length;
  const verdict = verdictOf({ error: "", showsFormat: true, badChecksums });
  return { store, opened: { ...opened, tensors, isChecked: true, verdict } };
}

type Checked = Pick<TensorEntry, "checksum" | "reason" | "bytes">;

async function checkTensor(store: TensorStore, name: string, { bytes }: TensorEntry, options: TransferOptions): Promise<Checked> {
  try {
    const stored = await store.bytes(name, options);
    return { checksum: stored.checksum, reason: "", bytes: stored.bytes.length };
  } catch (error) {
    // A type without a dtype here, an incomplete tensor, damaged bytes: errors of one tensor of the file.
    const isOfTensor = ["UNIMPLEMENTED", "INVALID_ARGUMENT", "DATA_LOSS"].some((code) => isStatusError(error, code as "DATA_LOSS"));
    if (!isOfTensor) throw error;
    return { checksum: isStatusError(error, "DATA_LOSS") ? "bad" : null, reason: errorText(error), bytes };
  }
}

/** Returns the bytes of the data files of an index among the given files. */
function dataSizeOf(name: string, sources: Sources): number {
  let bytes = 0;
  for (const [each, { size }] of sources) if (isDataOf(each, name)) bytes += size;
  return bytes;
}

/** True if a file is a data file of this index. */
const isDataOf = (name: string, index: string): boolean => kDataFile.exec(name)?.[1] === index.replace(/\.index$/, "");

/** Returns the byte that an error message names; the end of the file if the message says that bytes are missing; -1 if it names none. */
function placeIn(text: string, size: number): number {
  const named = /(?:at byte|at offset|at|byte|offset) (\d+)/.exec(text)?.[1];
  if (named !== undefined && Number(named) <= size) return Number(named);
  return text.startsWith("DATA_LOSS") ? size : -1;
}
