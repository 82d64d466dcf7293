/**
 * `onebuffer inspect`: the tensors of files as a table, as JSON, or one tensor's values.
 *
 * The sha256 covers the elements' bytes in row-major order, little-endian, the bytes of NumPy's
 * `a.astype(a.dtype.newbyteorder('<')).tobytes()`; of strings and variants their stored form.
 */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { InvalidArgumentError, isStatusError } from "@onebuffer/base";
import { printable } from "@onebuffer/base/internal";
import type { StatusError } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import { tensorOf } from "@onebuffer/core";
import type { ChecksumVerdict, TensorInfo, TensorStore, TransferOptions } from "@onebuffer/io";
import { readRegularFile } from "@onebuffer/io/node";
import type { TensorSlice } from "@onebuffer/slice";
import type { TensorFile } from "../files/open-tensor-file.ts";
import { pictureRows } from "../tour/pictures.ts";
import { paint } from "./console.ts";
import type { Surroundings } from "./console.ts";
import type { ExitCode } from "./exit-code.ts";
import { inspectNpy } from "./inspect-npy.ts";
import { openFile } from "./open-file.ts";
import { printFeatures } from "./print-features.ts";
import { Progress } from "./progress.ts";
import { shortNumber, statisticsOf } from "./statistics.ts";
import { byteText, printTable } from "./table.ts";

/** The options of `inspect`. */
export interface InspectOptions {
  readonly json: boolean;
  readonly stats: boolean;
  /** The tensor whose values are printed. */
  readonly tensor: string | undefined;
  /** The part of it that is printed. */
  readonly slice: TensorSlice | undefined;
}

/** Larger .npy files are shown as a table, for which only the header is read: they would not fit beside their copies. */
const kMostDescribed = 2 ** 31 - 1;

/** The most bytes that a hash takes at once. */
const kHashPiece = 2 ** 30;

/** The largest sides of a matrix that is drawn. */
const kPictureSides = { rows: 40, columns: 60 };

/** Inspects one file, which is called `shown` in what is printed. Throws the errors of its reader. */
export async function inspectFile(
  { path, shown }: { readonly path: string; readonly shown: string },
  options: InspectOptions,
  around: Surroundings,
): Promise<ExitCode> {
  const { folder, print } = around;
  const file = await openFile(path, around);
  try {
    if (options.json) return await printJson(shown, file, around);
    if (options.tensor !== undefined || options.slice !== undefined) return await printTensor(file, options, around);
    const [only] = file.infos;
    const isPlainNpy = file.store.format === "npy" && !options.stats && only?.dtype !== "string";
    if (isPlainNpy && (only?.bytes ?? 0) <= kMostDescribed) {
      inspectNpy(shown, readRegularFile(resolve(folder, path), 1), print);
      return 0;
    }
    return await printTensors(shown, file, options, around);
  } finally {
    file.close();
  }
}

/** The verdict on a tensor's bytes and their hash; null where the bytes cannot be read. */
interface Checked {
  readonly sha256: string | null;
  readonly crc: ChecksumVerdict;
  readonly bytes: number;
  /** Why the bytes cannot be read. */
  readonly reason?: string;
}

async function check({ store }: TensorFile, { name, bytes }: TensorInfo, transfer: TransferOptions): Promise<Checked> {
  try {
    const stored = await store.bytes(name, transfer);
    return { sha256: sha256Of(stored.bytes), crc: stored.checksum, bytes: stored.bytes.length };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { sha256: null, crc: error.code === "DATA_LOSS" ? "bad" : null, bytes, reason: `${error.code}: ${error.message}` };
  }
}

function sha256Of(bytes: Uint8Array): string {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += kHashPiece) hash.update(bytes.subarray(at, at + kHashPiece));
  return hash.digest("hex");
}

/** Returns true if an error is about one tensor of a file: a type without a dtype here, an incomplete one, damaged bytes. */
function isUnreadable(error: unknown): error is StatusError {
  return isStatusError(error, "UNIMPLEMENTED") || isStatusError(error, "INVALID_ARGUMENT") || isStatusError(error, "DATA_LOSS");
}

/** Checks all tensors one after the other, with a progress bar. */
async function* checkedTensors(file: TensorFile, around: Surroundings): AsyncGenerator<readonly [TensorInfo, Checked], void, undefined> {
  const progress = Progress.ofTensors(around, file.infos);
  try {
    for (const info of file.infos) {
      around.signal.throwIfAborted();
      yield [info, await check(file, info, { signal: around.signal, onProgress: progress.listen })];
      progress.finish(info.bytes);
    }
  } finally {
    progress.end();
  }
}

function* uncheckedTensors({ infos }: TensorFile): Generator<readonly [TensorInfo, Checked], void, undefined> {
  for (const info of infos) yield [info, { sha256: null, crc: null, bytes: info.bytes }];
}

async function printJson(path: string, file: TensorFile, around: Surroundings): Promise<ExitCode> {
  const tensors: object[] = [];
  let exit: ExitCode = 0;
  for await (const [{ name, dtype, shape }, { sha256, crc, bytes }] of checkedTensors(file, around)) {
    tensors.push({ name, dtype, shape, bytes, sha256, crc });
    if (crc === "bad") exit = 3;
  }
  around.print(JSON.stringify({ file: path, format: file.store.format, tensors }));
  return exit;
}

async function printTensors(path: string, file: TensorFile, { stats }: InspectOptions, around: Surroundings): Promise<ExitCode> {
  const { print, signal } = around;
  const { store } = file;
  const rows: string[][] = [];
  let exit: ExitCode = 0;
  let total = 0;
  const notes = store.notes.map(([name, value]) => (value === "" ? name : `${name}: ${value}`));
  // Without checksums there is nothing to check, so nothing is read.
  const tensors = store.hasChecksums ? checkedTensors(file, around) : uncheckedTensors(file);
  for await (const [info, { crc, bytes, reason }] of tensors) {
    const { name, dtype, shape } = info;
    total += bytes;
    const row = [printable(name), dtype, `[${shape.join(",")}]`, String(bytes), crc ?? "-"];
    rows.push(stats ? [...row, ...(await statisticsCells(store, info, { signal }))] : row);
    if (reason !== undefined) notes.push(`${info.name}: ${reason}`);
    if (crc === "bad") exit = 3;
  }
  print(
    `${paint(around, "bold", printable(path))}  ${store.format}, ${rows.length} tensor${rows.length === 1 ? "" : "s"}, ${byteText(total)}`,
  );
  for (const note of notes) print(paint(around, "dim", `  ${printable(note)}`));
  if (store.format === "TFRecord" && (await printFeatures(file, around))) return exit;
  const columns = [
    "name",
    "dtype",
    "shape",
    ">bytes",
    "crc",
    ...(stats ? [">min", ">max", ">mean", ">std", ">zeros", ">nan", ">inf"] : []),
  ];
  printTable(print, columns, rows, (text) => paint(around, "dim", text));
  if (exit === 3) print(paint(around, "red", `${rows.filter((row) => row[4] === "bad").length} wrong checksums`));
  return exit;
}

async function statisticsCells(store: TensorStore, { name }: TensorInfo, transfer: TransferOptions): Promise<string[]> {
  const none = new Array<string>(7).fill("-");
  try {
    using tensor = await store.read(name, null, transfer);
    const statistics = statisticsOf(tensor);
    if (statistics === null) return none;
    const { min, max, mean, std, zeros, nans, infinities } = statistics;
    return [min, max, mean, std, zeros, nans, infinities].map(shortNumber);
  } catch (error) {
    if (isUnreadable(error)) return none;
    throw error;
  }
}

async function printTensor(file: TensorFile, { tensor: wanted, slice }: InspectOptions, around: Surroundings): Promise<ExitCode> {
  const only = file.infos.length === 1 ? file.infos[0]?.name : undefined;
  const name = wanted ?? only;
  if (name === undefined) throw new InvalidArgumentError(`--slice needs --tensor NAME: the file has ${file.infos.length} tensors`);
  using tensor = await file.store.read(name, slice ?? null, { signal: around.signal });
  around.print(`${printable(name)}  ${tensor.dtype} ${tensor.shape.debugString()}`);
  for (const line of tensor.toString().split("\n")) around.print(printable(line));
  const picture = pictureOf(tensor);
  if (picture.length > 0) around.print("");
  picture.forEach(around.print);
  return 0;
}

/** Returns the lines of a small picture of a matrix of real numbers, from its smallest value (white) to its largest (black). */
function pictureOf(tensor: Tensor): string[] {
  if (tensor.dims !== 2 || tensor.numElements === 0) return [];
  const [rows = 0, columns = 0] = tensor.shape.dimSizes;
  const statistics = statisticsOf(tensor);
  if (rows > kPictureSides.rows || columns > kPictureSides.columns || statistics === null) return [];
  const { min, max } = statistics;
  if (!(max > min)) return [];
  const shifted = (tensor as Tensor<"float32">).matrix().cast("float64").sub(min);
  using pixels = tensorOf(shifted);
  return pictureRows(pixels.matrix(), max - min);
}
