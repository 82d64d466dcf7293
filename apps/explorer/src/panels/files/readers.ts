/** The readers of the formats, as one: the tensors of a file by name, and rows of them without the others. */
import { Tensor, TensorSlice } from "onebuffer";
import { dtypeSize } from "onebuffer/base";
import type { ByteSource, NpyHeader, NpzFile, TransferOptions } from "onebuffer/io";
import { BundleReader, openNpy, openNpz, openSafetensors, parseNpyHeader } from "onebuffer/io";
import { tensorProtoCodec } from "onebuffer/proto";
import { npyRegions, safetensorsRegions, zipRegions } from "./anatomy/array-anatomy.ts";
import { kTensorProto, protoRegions } from "./anatomy/proto-anatomy.ts";
import { isTable, tableRegions } from "./anatomy/table-anatomy.ts";
import type { Region, TensorEntry } from "./messages.ts";

/** The most bytes of a file that are drawn as regions or parsed as one message. */
const kMostBytes = 64 * 2 ** 20;
const kStartBytes = 2 ** 16;

/** An open file. */
export interface OpenReader {
  readonly format: string;
  readonly tensors: readonly TensorEntry[];
  readonly notes: readonly (readonly [string, string])[];
  readonly regions: readonly Region[];
  /** Reads a slice of a tensor; the whole tensor for null. */
  read(key: string, slice: TensorSlice | null, options: TransferOptions): Promise<Tensor>;
}

const entry = (key: string, dtype: string, shape: readonly number[]): TensorEntry => ({
  key,
  dtype,
  shape,
  bytes: shape.reduce((product, size) => product * size, sizeOf(dtype)),
});

/** The bytes of an element; 0 for strings and other elements without a size. */
function sizeOf(dtype: string): number {
  try {
    return dtypeSize(dtype as "float32");
  } catch {
    return 0;
  }
}

/** Reads rows of dimension 0, then cuts the other dimensions. */
async function sliceOfRows(
  shape: readonly number[],
  slice: TensorSlice | null,
  rows: (begin: number, end: number) => Promise<Tensor>,
  whole: () => Promise<Tensor>,
): Promise<Tensor> {
  if (slice === null || shape.length === 0) return await whole();
  const [begin, end] = slice.isFullAt(0) ? [0, shape[0]!] : [slice.start(0), slice.end(0)];
  using read = begin === 0 && end === shape[0] ? await whole() : await rows(begin, end);
  const rest = slice.clone();
  rest.setStart(0, 0);
  rest.setLength(0, TensorSlice.kFullExtent);
  return read.copySlice(rest);
}

/** The beginning of a file, at most kStartBytes. */
export const startOf = (source: ByteSource): Promise<Uint8Array<ArrayBufferLike>> => source.read(0, Math.min(source.size, kStartBytes));

/** Opens an .npy file. */
export async function npyReader(source: ByteSource, options: TransferOptions): Promise<OpenReader> {
  const file = await openNpy(source, options);
  return {
    format: ".npy",
    tensors: [entry("array", String(file.dtype), file.shape)],
    notes: [["order", file.fortranOrder ? "column-major (Fortran)" : "row-major (C)"]],
    regions: npyRegions(await startOf(source), source.size),
    read: (_, slice, more) =>
      sliceOfRows(
        file.shape,
        slice,
        (begin, end) => file.rows(begin, end, more),
        () => file.tensor(more),
      ),
  };
}

/** Returns the header of a member, which is read whole; null if the member is no array that can be read. */
async function headerOf(file: NpzFile, member: string): Promise<NpyHeader | null> {
  try {
    return parseNpyHeader(await file.bytes(member));
  } catch {
    return null;
  }
}

/** Opens an .npz file. The dtypes and shapes are those in the headers of the first kMostBytes of members, which are read for them. */
export async function npzReader(source: ByteSource, options: TransferOptions): Promise<OpenReader> {
  const file = await openNpz(source, options);
  const tensors: TensorEntry[] = [];
  let left = kMostBytes;
  for (const name of file.names) {
    const size = file.members.get(`${name}.npy`)?.size ?? 0;
    left -= size;
    const header = left < 0 ? null : await headerOf(file, `${name}.npy`);
    tensors.push({ key: name, dtype: header === null ? "" : header.dtype, shape: header?.shape ?? [], bytes: header?.dataBytes ?? size });
  }
  return {
    format: ".npz, a zip of .npy files",
    tensors,
    notes: [["members", String(file.members.size)]],
    regions: zipRegions(source.size, file.members.values()),
    read: (key, slice, more) => wholeThenSlice(file.tensor(key, more), slice),
  };
}

async function wholeThenSlice(reading: Promise<Tensor>, slice: TensorSlice | null): Promise<Tensor> {
  const tensor = await reading;
  if (slice === null) return tensor;
  try {
    return tensor.copySlice(slice);
  } finally {
    tensor.dispose();
  }
}

/** Opens a safetensors file. Rows are read from their place in the file. */
export async function safetensorsReader(source: ByteSource, options: TransferOptions): Promise<OpenReader> {
  const file = await openSafetensors(source, options);
  const rows = async (key: string, begin: number, end: number): Promise<Tensor> => {
    const { dtype, shape, byteOffset, byteLength } = file.entry(key);
    if (dtype === undefined || begin < 0 || end > shape[0]! || byteLength % shape[0]! !== 0) return await file.tensor(key);
    const rowBytes = byteLength / shape[0]!;
    const tensor = Tensor.zeros([end - begin, ...shape.slice(1)], { dtype });
    tensor.tensorData.set(await source.read(byteOffset + begin * rowBytes, (end - begin) * rowBytes));
    return tensor;
  };
  return {
    format: "safetensors",
    tensors: [...file.entries.values()].map(({ name, type, dtype, shape, byteLength }) => ({
      key: name,
      dtype: dtype ?? type,
      shape,
      bytes: byteLength,
    })),
    notes: [...file.metadata],
    regions: safetensorsRegions(await startOf(source), source.size, file.entries.values()),
    read: (key, slice, more) =>
      sliceOfRows(
        file.entry(key).shape,
        slice,
        (begin, end) => rows(key, begin, end),
        () => file.tensor(key, more),
      ),
  };
}

/** Opens a checkpoint: its index, and the data files of the same prefix. */
export async function checkpointReader(
  files: ReadonlyMap<string, ByteSource>,
  prefix: string,
  options: TransferOptions,
): Promise<OpenReader> {
  const reader = await BundleReader.open(files, prefix, options);
  const tensors = reader.keys.map((key) => {
    try {
      const { dtype, shape } = reader.lookupDtypeAndShape(key);
      return entry(key, dtype, shape.dimSizes);
    } catch {
      return { key, dtype: "unreadable", shape: [], bytes: 0 };
    }
  });
  const missing = Array.from({ length: reader.numShards }, (_, i) => `${prefix}.data-${digits(i)}-of-${digits(reader.numShards)}`).filter(
    (name) => !files.has(name),
  );
  return {
    format: "checkpoint",
    tensors,
    notes: [
      ["data files", String(reader.numShards)],
      ["byte order", reader.isBigEndian ? "big-endian" : "little-endian"],
      ...missing.map((name) => ["missing", name] as const),
    ],
    regions: await indexRegions(files.get(`${prefix}.index`)!),
    read: (key, slice, more) => (slice === null ? reader.lookup(key, more) : reader.lookupSlice(key, slice, more)),
  };
}

const digits = (number: number): string => String(number).padStart(5, "0");

/** Returns the regions of an index, damaged or not. */
export async function indexRegions(source: ByteSource): Promise<Region[]> {
  if (source.size > kMostBytes) return [];
  return tableRegions(await source.read(0, source.size));
}

/** Opens a TensorProto. */
export async function tensorProtoReader(source: ByteSource): Promise<OpenReader> {
  if (source.size > kMostBytes) throw new RangeError(`${source.size} bytes are too many for a TensorProto`);
  const bytes = (await source.read(0, source.size)) as Uint8Array<ArrayBuffer>;
  const make = (): Tensor => Tensor.fromProto(tensorProtoCodec.decode(bytes));
  using tensor = make();
  return {
    format: "TensorProto",
    tensors: [entry("tensor", tensor.dtype, tensor.shape.dimSizes)],
    notes: [],
    regions: protoRegions(bytes, 0, kTensorProto),
    read: (_, slice) => wholeThenSlice(Promise.resolve(make()), slice),
  };
}

/** Returns the regions of a file whose reader has failed: as far as they can be told. */
export async function brokenRegions(source: ByteSource, format: string): Promise<Region[]> {
  const start = await startOf(source);
  if (format === "checkpoint") return await indexRegions(source);
  if (format === ".npy") return npyRegions(start, source.size);
  if (format === "safetensors") return safetensorsRegions(start, source.size, []);
  return format === "TensorProto" ? protoRegions(start, 0, kTensorProto) : [];
}

/** Returns the format of a file by its name and its first bytes. */
export function formatOf(name: string, start: Uint8Array): string {
  if (name.endsWith(".index") || isTable(start)) return "checkpoint";
  if (name.endsWith(".npy") || (start[0] === 0x93 && start[1] === 0x4e)) return ".npy";
  if (name.endsWith(".npz") || (start[0] === 0x50 && start[1] === 0x4b)) return ".npz";
  if (name.endsWith(".safetensors")) return "safetensors";
  return "TensorProto";
}
