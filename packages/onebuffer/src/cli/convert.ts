/**
 * `onebuffer convert IN OUT`: writes the tensors of a file in another format.
 *
 *     open IN  ->  filter, rename  ->  read each tensor, cast it  ->  write OUT, which appears when it is complete
 *
 * A checkpoint is written tensor by tensor. The other formats have their sizes at the beginning, or their headers beside the data, so all
 * tensors are in memory before they are written.
 */
import { basename, dirname, resolve } from "node:path";
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { printable, shownValue } from "@onebuffer/base/internal";
import { tensorOf } from "@onebuffer/core";
import type { Tensor } from "@onebuffer/core";
import { mergeBundles, saveTensors } from "@onebuffer/io";
import type { TensorInfo, TensorStore, TransferOptions } from "@onebuffer/io";
import { directoryFiles, directorySinks, fileSink } from "@onebuffer/io/node";
import type { FileSink } from "@onebuffer/io/node";
import { fileStatus } from "../files/file-status.ts";
import type { TensorFile } from "../files/open-tensor-file.ts";
import { paint } from "./console.ts";
import type { Surroundings } from "./console.ts";
import { openFile } from "./open-file.ts";
import { Progress } from "./progress.ts";
import { byteText } from "./table.ts";
import { removeLeftoversBeside, withTemporaryFolder } from "./temporary-folder.ts";

/** The formats that are written. */
export const kOutputFormats = ["npy", "npz", "safetensors", "checkpoint"] as const;
export type OutputFormat = (typeof kOutputFormats)[number];

/** A replacement in the names of tensors. */
export interface Rename {
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** A cast of the tensors of one dtype, or with `from` null of all tensors of numbers. */
export interface Cast {
  readonly from: DType | null;
  readonly to: DType;
}

/** The options of `convert`. */
export interface ConvertOptions {
  readonly to: OutputFormat;
  readonly casts: readonly Cast[];
  readonly renames: readonly Rename[];
  /** Only tensors whose names, before they are renamed, match one of these are written; all if there is none. */
  readonly filters: readonly RegExp[];
  /** Tensors whose names match one of these are left out. */
  readonly excludes: readonly RegExp[];
  /** The most bytes of a file of a model in several files; null for one file. */
  readonly shardBytes: number | null;
  readonly compressed: boolean;
}

/** A tensor that is written: its name in the output and its place in the input. */
interface Selected {
  readonly name: string;
  readonly info: TensorInfo;
}

/** Throws INVALID_ARGUMENT if the output is the input: a conversion that fails later must not have taken the only copy. */
function checkOther(from: string, out: string): void {
  const [a, b] = [fileStatus(from), fileStatus(out)];
  const isSame = a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
  if (from === out || isSame) throw new InvalidArgumentError(`OUT is IN: ${shownValue(out)} would be overwritten; name another file`);
}

/** Converts a file. Throws INVALID_ARGUMENT if it is the output, too, and the errors of readers and writers; the output is then unchanged. */
export async function convert(from: string, out: string, options: ConvertOptions, around: Surroundings): Promise<void> {
  const { folder, signal, print } = around;
  checkOther(resolve(folder, from), resolve(folder, out));
  const file = await openFile(from, around);
  try {
    const selected = select(file, options);
    const graph = file.infos.find((info) => !canWrite(info, options.to));
    if (graph !== undefined && !selected.some(({ info }) => info === graph))
      print(`left out ${graph.name}: the names of TensorFlow's objects, a string, which ${options.to} cannot hold`);
    const bytes = selected.reduce((sum, { info }) => sum + info.bytes, 0);
    // All bytes are read once and written once.
    const progress = Progress.ofTensors(
      around,
      selected.map(({ info }) => info),
      2,
    );
    const target = resolve(folder, out);
    removeLeftoversBeside(target);
    try {
      const read = ({ info }: Selected): Promise<Tensor> => readCast(file, info, options.casts, progress, signal);
      await write(target, selected, read, options, { signal, onProgress: progress.listen });
    } finally {
      progress.end();
    }
    const count = `${selected.length} tensor${selected.length === 1 ? "" : "s"}`;
    print(`${paint(around, "bold", printable(out))}  ${options.to}, ${count}, ${byteText(bytes)} read`);
  } finally {
    file.close();
  }
}

/** The tensor in which a checkpoint keeps the names of TensorFlow's objects. */
const kObjectGraph = "_CHECKPOINTABLE_OBJECT_GRAPH";

/** Returns false for TensorFlow's own string in a checkpoint, where the output has no strings: a model's weights are whole without it. */
function canWrite(info: TensorInfo, to: OutputFormat): boolean {
  return to === "checkpoint" || info.name !== kObjectGraph;
}

/**
 * Returns the tensors that are written, under their new names. One without a name is called arr_0, as NumPy calls it; it stays
 * without in .npy files, and from safetensors to safetensors. Throws INVALID_ARGUMENT if there is none, or two have the same name.
 */
function select({ store, infos }: TensorFile, { filters, excludes, renames, to }: ConvertOptions): Selected[] {
  const keepsEmpty = to === "npy" || (to === "safetensors" && store.format === "safetensors");
  const selected: Selected[] = [];
  const names = new Map<string, string>();
  for (const info of infos) {
    if (!canWrite(info, to)) continue;
    if (filters.length > 0 && !filters.some((filter) => filter.test(info.name))) continue;
    if (excludes.some((exclude) => exclude.test(info.name))) continue;
    const renamed = renames.reduce((name, { pattern, replacement }) => name.replace(pattern, replacement), info.name);
    const name = renamed === "" && !keepsEmpty ? "arr_0" : renamed;
    const other = names.get(name);
    if (other !== undefined)
      throw new InvalidArgumentError(`${shownValue(other)} and ${shownValue(info.name)} would both be called ${shownValue(name)}`);
    names.set(name, info.name);
    selected.push({ name, info });
  }
  if (selected.length === 0) throw new InvalidArgumentError(`no tensor is left of ${infos.length}`);
  if (to === "npy" && selected.length > 1)
    throw new InvalidArgumentError(`an .npy file has one tensor, ${selected.length} are left: use --filter, or write an .npz file`);
  return selected;
}

async function readCast(
  file: TensorFile,
  info: TensorInfo,
  casts: readonly Cast[],
  progress: Progress,
  signal: AbortSignal,
): Promise<Tensor> {
  signal.throwIfAborted();
  const tensor = await file.store.read(info.name, null, { signal, onProgress: progress.listen });
  progress.finish(info.bytes);
  const isNumber = !["string", "variant", "resource"].includes(tensor.dtype);
  const cast = casts.find(({ from }) => from === tensor.dtype) ?? (isNumber ? casts.find(({ from }) => from === null) : undefined);
  if (cast === undefined || cast.to === tensor.dtype) return tensor;
  try {
    const flat = (tensor as Tensor<"float32">).flat().cast(cast.to as "float32");
    using converted = tensorOf(flat);
    return converted.reshape(tensor.shape.dimSizes) as Tensor;
  } finally {
    tensor.dispose();
  }
}

/** Writes the selected tensors, each of which `read` reads when it is its turn. */
async function write(
  target: string,
  selected: readonly Selected[],
  read: (each: Selected) => Promise<Tensor>,
  { to, shardBytes, compressed }: ConvertOptions,
  transfer: TransferOptions,
): Promise<void> {
  const shards = to === "checkpoint" ? divide(selected, shardBytes ?? Number.POSITIVE_INFINITY) : [selected];
  if (shards.length > 1) return await writeShards(target, shards, read, transfer);
  const isAlone = to !== "checkpoint" && shardBytes === null;
  const files = isAlone ? (): FileSink => fileSink(target) : directorySinks(dirname(target));
  const shardOptions = to === "safetensors" && shardBytes !== null ? { maxShardBytes: shardBytes } : {};
  await saveTensors(toWrite(selected, read), files, basename(target), { format: to, compressed, ...shardOptions, ...transfer });
}

/** Writes a checkpoint with several data files, each as a checkpoint of its own, and merges these. */
async function writeShards(
  target: string,
  shards: readonly (readonly Selected[])[],
  read: (each: Selected) => Promise<Tensor>,
  transfer: TransferOptions,
): Promise<void> {
  const folder = dirname(target);
  await withTemporaryFolder(folder, async (temporary) => {
    const parts = shards.map((_, i) => `part-${i}`);
    for (const [i, shard] of shards.entries())
      await saveTensors(toWrite(shard, read), directorySinks(temporary), parts[i] as string, { format: "checkpoint", ...transfer });
    using files = directoryFiles(temporary);
    await mergeBundles(files, parts, directorySinks(folder), basename(target).replace(/\.index$/, ""), transfer);
  });
}

/** Returns the selected tensors by their new names. */
function toWrite(selected: readonly Selected[], read: (each: Selected) => Promise<Tensor>): Pick<TensorStore, "names" | "info" | "read"> {
  const byName = new Map(selected.map((each) => [each.name, each]));
  const find = (name: string): Selected => byName.get(name) as Selected;
  return {
    names: [...byName.keys()],
    info: (name) => ({ ...find(name).info, name }),
    read: async (name) => await read(find(name)),
  };
}

/** Divides tensors, in their order, into parts of at most so many bytes; a larger tensor has a part of its own. */
function divide(selected: readonly Selected[], most: number): Selected[][] {
  const parts: Selected[][] = [[]];
  let bytes = 0;
  for (const each of selected) {
    const part = parts.at(-1) as Selected[];
    if (part.length > 0 && bytes + each.info.bytes > most) {
      parts.push([each]);
      bytes = each.info.bytes;
    } else {
      part.push(each);
      bytes += each.info.bytes;
    }
  }
  return parts;
}
