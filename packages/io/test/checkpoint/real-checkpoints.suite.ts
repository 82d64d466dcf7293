/**
 * Tests real checkpoints: what is in them is in MANIFEST.json, which TensorFlow 2.21 agreed with, and what TensorFlow does with
 * malformed ones is in the verdicts.
 */
import { describe, expect, test } from "@jest/globals";
import { dataTypeOf, isStatusError } from "@onebuffer/base";
import { BundleReader, BundleWriter, CheckpointReader, mergeBundles } from "@onebuffer/io";
import { bundleEntryProtoCodec, bundleHeaderProtoCodec } from "@onebuffer/proto";
import { decodeTensorNameSlice } from "@onebuffer/slice";
import { TableReader } from "../../src/table/table-reader.ts";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  filesOf,
  folder,
  isUsual,
  load,
  present,
  required,
  sha256,
  testEach,
  testUsual,
  verdictsOf,
} from "@onebuffer/test-support/real-files";
import { MemoryFolder, tableOf } from "./bundle-files.ts";
import type { Files } from "./bundle-files.ts";

interface Tensor {
  readonly key_hex: string;
  readonly dtype: string;
  readonly dtype_enum: number;
  readonly shape: readonly number[];
  readonly shard: number;
  readonly offset: number;
  readonly size: number;
  readonly sha256?: string;
  readonly slices?: readonly (readonly [number, number | null])[][];
  readonly slice_of_hex?: string;
  readonly status?: string;
  readonly tf_2_21_full_tensor_sha256?: string;
  readonly tf_2_21_error?: string;
}

interface Checkpoint {
  readonly kind: string;
  readonly block_types: readonly number[];
  readonly entries: readonly Tensor[];
  readonly entry_count?: number;
}

const checkpoints = filesOf<Checkpoint>("TensorBundle");
const byPath = new Map(checkpoints);
const keyOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

/** The files of a folder that exist. */
function bundleFiles(path: string): Files {
  return new Map(
    readdirSync(join(folder, path))
      .filter((name) => /\.(index|data-[^.]+)$/.test(name))
      .map((name) => [name, load(join(path, name))]),
  );
}

async function entriesOf(bytes: Uint8Array): Promise<[Uint8Array, Uint8Array][]> {
  const source = { size: bytes.length, bytes, read: async (at: number, length: number) => bytes.subarray(at, at + length) };
  const blocks = await (await TableReader.open(source, "index")).blocks();
  return blocks.flatMap((block) => Array.from({ length: block.count }, (_, i): [Uint8Array, Uint8Array] => [block.key(i), block.value(i)]));
}

test("the files are there, or may be missing", () => {
  if (!present) console.warn(`skipped: no real files at ${folder}; set ONEBUFFER_REAL_FILES`);
  expect(present || !required).toBe(true);
});

(present ? describe : describe.skip)("real checkpoints", () => {
  testEach(checkpoints, "%s", async (path, { entries, entry_count }) => {
    const reader = await BundleReader.open(bundleFiles(dirname(path)), basename(path, ".index"));
    const tensors = entries.filter(({ slice_of_hex }) => slice_of_hex === undefined);
    const keys = reader.keyBytes.map((key) => Buffer.from(key).toString("hex"));
    // A long list is cut in the manifest: its first and last entries are there.
    expect(entry_count === undefined ? keys : keys.filter((key) => tensors.some(({ key_hex }) => key_hex === key))).toEqual(
      tensors.map(({ key_hex }) => key_hex),
    );
    expect(keys.length).toBe(entry_count ?? tensors.length);
    for (const { key_hex, dtype_enum, shape, slices, sha256: stored, ...rest } of tensors) {
      const key = keyOf(key_hex);
      expect(reader.contains(key)).toBe(true);
      const found = reader.lookupDtypeAndShape(key);
      expect([dataTypeOf(found.dtype), found.shape.dimSizes]).toEqual([dtype_enum, shape]);
      if (rest.tf_2_21_error !== undefined && found.dtype !== "variant") {
        await expect(reader.lookup(key)).rejects.toThrow(rest.tf_2_21_error.slice(0, 50));
      } else if (slices !== undefined) {
        expect(reader.lookupTensorSlices(key).map((slice) => slice.debugString())).toEqual(
          slices.map((extents) => extents.map(([start, length]) => (length === null ? "-" : `${start},${length}`)).join(":")),
        );
        using whole = await reader.lookup(key);
        if (rest.tf_2_21_full_tensor_sha256 !== undefined) expect(sha256(whole.tensorData)).toBe(rest.tf_2_21_full_tensor_sha256);
      } else if (stored !== undefined) {
        expect(sha256(await reader.lookupStoredBytes(key))).toBe(stored);
        using tensor = await reader.lookup(key);
        expect(tensor.shape.dimSizes).toEqual(shape);
        if (tensor.dtype !== "string") expect(sha256(tensor.tensorData)).toBe(stored);
      } else {
        await expect(reader.lookup(key)).rejects.toThrow("data-");
      }
    }
  });

  testUsual("a checkpoint of version 1", async () => {
    const files = new Map(["old.ckpt", "old.ckpt.meta"].map((name) => [name, load(`tf-2.21.0-generated/v1/${name}`)]));
    const reader = await CheckpointReader.open(files, "old.ckpt");
    expect([reader.version, reader.debugString()]).toEqual([1, "u (DT_INT32) [3]\nv (DT_FLOAT) [2,2]\n"]);
    using u = await reader.getTensor("u");
    using v = await reader.getTensor("v");
    expect([u.toArray(), v.toArray()]).toEqual([
      [1, 2, 3],
      [
        [1, 2],
        [3, 4],
      ],
    ]);
  });

  test("every uncompressed index is made again byte for byte", async () => {
    let made = 0;
    let encoded = 0;
    for (const path of readdirSync(folder, { recursive: true }) as string[]) {
      if (!path.endsWith(".index")) continue;
      const bytes = load(path);
      const entries = await entriesOf(bytes).catch(() => null);
      // Malformed ones, and those whose blocks are compressed or were made with other options.
      const isVerdict = path.startsWith("verdicts");
      if (!isUsual && !byPath.has(path)) continue;
      if (entries === null || (isVerdict && /snappy|restart_interval|metaindex|padding/.test(path))) continue;
      if (byPath.get(path)?.block_types.includes(1) === true) continue;
      expect([path, Buffer.compare(tableOf(entries), bytes)]).toEqual([path, 0]);
      made++;
      // Some programs write the fields of messages in another order.
      if (isVerdict || !isUsual) continue;
      for (const [key, value] of entries) {
        const codec = key.length === 0 ? bundleHeaderProtoCodec : bundleEntryProtoCodec;
        if (Buffer.compare(codec.encode(codec.decode(value) as object), value) === 0) encoded++;
        else throw new Error(`${path}: ${Buffer.from(key).toString("latin1")}`);
      }
    }
    // 80 are well-formed and uncompressed.
    if (isUsual) expect(made).toBeGreaterThanOrEqual(75);
    if (isUsual) expect(encoded).toBeGreaterThan(6000);
  });

  testUsual("the tensors of a real checkpoint are written back to the same files", async () => {
    let written = 0;
    for (const [path, checkpoint] of checkpoints) {
      const prefix = basename(path, ".index");
      const files = bundleFiles(dirname(path));
      const reader = await BundleReader.open(files, prefix);
      // Compressed indexes are not made, and shards may be missing from the corpus.
      const isWhole = [...files.keys()].filter((name) => name.startsWith(`${prefix}.data-`)).length === reader.numShards;
      if (!isWhole || checkpoint.block_types.includes(1) || path.includes("bigindex")) continue;
      const folderOf = await rewritten(reader, checkpoint);
      for (const [name, bytes] of folderOf.files) {
        if (name.startsWith(`${prefix}.`))
          expect([path, name, Buffer.compare(bytes, files.get(name) as Uint8Array)]).toEqual([path, name, 0]);
      }
      written++;
    }
    expect(written).toBeGreaterThan(12);
  });

  /** Writes each shard as a bundle of its own, in the order of its bytes, and merges them if there are several. */
  async function rewritten(reader: BundleReader, { entries }: Checkpoint): Promise<MemoryFolder> {
    const output = new MemoryFolder();
    const stored = entries.filter(({ slices }) => slices === undefined);
    const parts: string[] = [];
    for (let shard = 0; shard < reader.numShards; shard++) {
      const prefix = reader.numShards === 1 ? reader.prefix : `part-${shard}`;
      parts.push(prefix);
      const writer = new BundleWriter(output.create, prefix);
      // Empty tensors share their offset with the tensor behind them.
      for (const entry of stored.filter((each) => each.shard === shard).sort((a, b) => a.offset - b.offset || a.size - b.size)) {
        const key = keyOf(entry.slice_of_hex ?? entry.key_hex);
        if (entry.slice_of_hex !== undefined) {
          const { shape } = reader.lookupDtypeAndShape(key);
          const { slice } = decodeTensorNameSlice(keyOf(entry.key_hex));
          using part = await reader.lookupSlice(key, slice);
          await writer.addSlice(key, shape, slice, part);
          continue;
        }
        using tensor = await reader.lookup(key);
        if (entry.dtype === "variant") await writer.addVariants(key, tensor as never);
        else await writer.add(key, tensor);
      }
      await writer.finish();
    }
    if (parts.length > 1) await mergeBundles(output.files, parts, output.create, reader.prefix);
    return output;
  }
});

/** What our reader does otherwise than TensorFlow, by verdict; docs/formats.md gives the reasons. */
const kDifferences: Readonly<Record<string, RegExp | string>> = {
  hdr_missing: /^DATA_LOSS: .*the header is missing/,
  keys_unsorted: /^DATA_LOSS: .*not in order/,
  keys_duplicate: /^DATA_LOSS: .*not in order/,
  "str_size_bigger_than_used s": /^DATA_LOSS: .*2 strings take 13 bytes/,
  "str_size_smaller_than_used s": /^DATA_LOSS: .*2 strings take 13 bytes/,
  "slice_shape_vs_full_mismatch w": /^DATA_LOSS: .*float32 of shape \[2,3\], expected float32 of \[2,4\]/,
  // The error is NumPy's, which has no arrays of so many dimensions.
  "ent_shape_rank254 a": /^float32\[(1,){253}4\]/,
  "ok_big_endian f8": "float8_e4m3fn [2] [1.5,2]",
  "slice_dtype_half w": "float16 [4, 3]",
  "slice_dtype_u16 w": "uint16 [4, 3]",
  "slice_dtype_u64 w": "uint64 [4, 3]",
  "slice_dtype_f8e5m2 w": "float8_e5m2 [4, 3]",
  "slice_dtype_f8e4m3fn w": "float8_e4m3fn [4, 3]",
  "slice_dtype_quint16 w": "quint16 [4, 3]",
  "slice_dtype_qint8 w": "qint8 [4, 3]",
};

/** Where TensorFlow ends the process: the key, and our error. */
const kAborts: Readonly<Record<string, readonly [key: string, error: RegExp]>> = {
  ent_garbage_proto: ["a", /^(DATA_LOSS|INVALID_ARGUMENT): .*the entry of "a"/],
  ent_dtype_invalid0: ["a", /^INVALID_ARGUMENT: .*the entry of "a"/],
  ent_dtype_ref101: ["a", /^INVALID_ARGUMENT: .*the entry of "a"/],
  ent_shape_overflow: ["a", /^INVALID_ARGUMENT: .*the entry of "a"/],
  slice_dtype_mismatch: ["w", /^DATA_LOSS: .*expected/],
};

interface Verdict {
  readonly open: string;
  readonly list?: readonly (readonly [string, readonly number[]])[];
  readonly reads?: Readonly<Record<string, string>>;
}

/** The characters of a result that are compared: the verdicts are cut after 120. */
const kCompared = 60;

/** A pattern that matches a text without its spaces. */
const escaped = (text: string): RegExp => new RegExp(text.replaceAll(" ", "").replace(/[[\].]/g, "\\$&"));

/** A result as TensorFlow's Python prints it, in the form of JSON, without spaces. */
function asJson(read: string): string {
  return read
    .replace(/^object/, "string")
    .replace(/b'(\w+)'/g, '"$1"')
    .replace(/\((-?[\d.]+)\+?(-?[\d.]+)j\)/g, "[$1,$2]")
    .replace(/True|False/g, (word) => word.toLowerCase())
    .replace(/\.0\b/g, "")
    .replaceAll(" ", "");
}

const verdictFolder = join(folder, "verdicts/tensorflow-2.21.0");
const verdicts = verdictsOf("tensorflow-2.21.0") as unknown as [string, Verdict][];

(present ? describe : describe.skip)("verdicts of TensorFlow on malformed checkpoints", () => {
  testEach(verdicts, "%s", async (name, { open, list = [], reads = {} }) => {
    const path = existsSync(join(verdictFolder, name)) ? name : "ok_base";
    let reader: BundleReader;
    try {
      reader = await BundleReader.open(bundleFiles(join("verdicts/tensorflow-2.21.0", path)), "ckpt");
    } catch (error) {
      const difference = kDifferences[name];
      if (difference === undefined) expect(open).not.toBe("ok");
      expect(String(error)).toMatch(difference ?? /^(DATA_LOSS|INVALID_ARGUMENT): /);
      return;
    }
    const abort = kAborts[name];
    if (abort !== undefined) {
      expect(open).toContain("PROCESS DIED");
      expect(await outcome(reader, abort[0])).toMatch(abort[1]);
      return;
    }
    expect([open, kDifferences[name]]).toEqual(["ok", undefined]);
    expect(reader.keys).toEqual(list.map(([key]) => key));
    for (const [key, shape] of list) {
      // A shape of unknown rank is taken for a scalar there; the read is refused by both.
      if (name !== "ent_shape_unknown_rank" || key !== "a") expect(reader.lookupDtypeAndShape(key).shape.dimSizes).toEqual(shape);
    }
    for (const [key, read] of Object.entries(reads)) {
      const ours = await outcome(reader, key);
      const difference = kDifferences[`${name} ${key}`];
      if (difference !== undefined) expect(ours).toMatch(typeof difference === "string" ? escaped(difference) : difference);
      else if (/Error: /.test(read)) expect(ours).toMatch(/^(DATA_LOSS|INVALID_ARGUMENT|NOT_FOUND|INTERNAL): /);
      else expect(ours.slice(0, kCompared)).toBe(asJson(read).slice(0, kCompared));
    }
  });

  /** The result of a lookup in the form of the verdicts, without spaces, or the error. */
  async function outcome(reader: BundleReader, key: string): Promise<string> {
    try {
      using tensor = await reader.lookup(key);
      const text = JSON.stringify(tensor.toArray(), (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value));
      return `${tensor.dtype}[${tensor.shape.dimSizes.join(",")}]${text}`;
    } catch (error) {
      if (isStatusError(error)) return String(error);
      throw error;
    }
  }
});
