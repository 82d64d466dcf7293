// Tests `onebuffer inspect --json` on all real files: names, dtypes, shapes, sha256 and verdicts as MANIFEST.json has them.
import { describe, expect, test } from "@jest/globals";
import { sampled } from "@onebuffer/test-support";
import { filesOf, folder, present, required } from "@onebuffer/test-support/real-files";
import { runCommandLine } from "../src/cli/command-line.ts";
import { noInput } from "./run-command.ts";

/** An array of NumPy in the manifest. */
interface NumpyEntry {
  readonly shape?: readonly number[];
  readonly c_order_le_sha256?: string | null;
  /** How a member of a zip is compressed: 0 not at all, 8 by deflate. */
  readonly method?: number;
}

interface Printed {
  readonly format: string;
  readonly tensors: readonly {
    readonly name: string;
    readonly dtype: string;
    readonly shape: readonly number[];
    readonly bytes: number;
    readonly sha256: string | null;
    readonly crc: string | null;
  }[];
}

const { signal } = new AbortController();

/** Checkpoints with more tensors are left to `npm run real-files`. */
const kMostEntries = process.env["ONEBUFFER_REAL_FILES_ALL"] === "1" ? Number.POSITIVE_INFINITY : 12;

/** Runs `inspect --json` for a file of the folder. Returns null if the command refuses it. */
async function inspected(path: string): Promise<Printed | null> {
  const out: string[] = [];
  const exit = await runCommandLine(["inspect", "--json", path], {
    print: (line) => out.push(line),
    printError: () => undefined,
    input: noInput,
    folder,
    color: false,
    terminal: null,
    signal,
  });
  if (exit === 1) return null;
  expect([0, 3]).toContain(exit);
  return JSON.parse(out.join("\n")) as Printed;
}

/** Makes one test for all files of a kind. */
function testKind<T>(kind: string, check: (path: string, entry: T) => Promise<void>): void {
  test(`every ${kind} file`, async () => {
    const files = filesOf<T>(kind);
    for (const [path, entry] of sampled(files, files.length / 6)) await check(path, entry);
  });
}

test("the real files are there where they are required", () => expect(present || !required).toBe(true));

(present ? describe : describe.skip)("real files: inspect --json", () => {
  testKind<NumpyEntry>("npy", async (path, { shape, c_order_le_sha256: hash }) => {
    const printed = await inspected(path);
    // The manifest has no hash of structured elements, nor of Python objects, which are never executed.
    if (hash == null) return;
    expect([path, printed?.tensors.map((tensor) => [tensor.name, tensor.shape, tensor.sha256])]).toEqual([path, [["", shape, hash]]]);
  });

  testKind<{ readonly members: Readonly<Record<string, NumpyEntry>> }>("npz", async (path, { members }) => {
    const printed = await inspected(path);
    const arrays = Object.entries(members).filter(
      ([, { c_order_le_sha256: hash, method }]) => hash != null && (method === 0 || method === 8),
    );
    if (printed === null) return expect([path, arrays]).toEqual([path, []]);
    expect([
      path,
      printed.tensors.filter(({ sha256 }) => sha256 !== null).map(({ name, sha256, crc }) => [`${name}.npy`, sha256, crc]),
    ]).toEqual([path, arrays.map(([name, { c_order_le_sha256: hash }]) => [name, hash, "ok"])]);
  });

  testKind<{ readonly tensors?: Readonly<Record<string, { readonly shape: readonly number[]; readonly sha256: string }>> }>(
    "safetensors",
    async (path, { tensors }) => {
      const printed = await inspected(path);
      if (tensors === undefined) return;
      expect([path, printed?.tensors.map(({ name, shape, sha256 }) => [name, shape, sha256]).sort()]).toEqual([
        path,
        Object.entries(tensors)
          .map(([name, { shape, sha256 }]) => [name, shape, sha256])
          .sort(),
      ]);
    },
  );

  testKind<{
    readonly header: { readonly endian?: number };
    readonly entries: readonly {
      readonly key: string | null;
      readonly shape: readonly number[];
      readonly sha256?: string;
      readonly crc_ok?: boolean;
    }[];
  }>("TensorBundle", async (path, { header, entries }) => {
    if (entries.length > kMostEntries) return;
    const printed = await inspected(path);
    for (const { key, shape, sha256, crc_ok: isOk } of entries) {
      if (key === null || sha256 === undefined) continue;
      const tensor = printed?.tensors.find(({ name }) => name === key);
      const hash = header.endian === 1 ? tensor?.sha256 : sha256;
      expect([path, key, tensor?.shape, tensor?.sha256, tensor?.crc]).toEqual([path, key, shape, hash, isOk === false ? "bad" : "ok"]);
    }
  });

  testKind<{ readonly records: number; readonly first: readonly (readonly [number, boolean, string])[] }>(
    "TFRecord",
    async (path, { records, first }) => {
      const printed = await inspected(path);
      expect(printed?.tensors.length).toBe(records);
      expect([path, printed?.tensors.slice(0, first.length).map(({ bytes, crc, sha256 }) => [bytes, crc === "ok", sha256])]).toEqual([
        path,
        first,
      ]);
    },
  );
});
