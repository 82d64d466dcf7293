// Real safetensors files: every tensor with MANIFEST.json's type, shape and bytes, and the reference's verdicts on malformed files.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { openSafetensors, readSafetensors, SafetensorsFile, writeSafetensors } from "@onebuffer/io";
import { filesOf, isUsual, load, present, sha256, testEach, verdictsOf } from "@onebuffer/test-support/real-files";

interface Entry {
  readonly header_len: number;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly tensors: Readonly<Record<string, { readonly dtype: string; readonly shape: readonly number[]; readonly sha256: string }>>;
  readonly rejected?: string;
}

const files = filesOf<Entry>("safetensors");
const verdicts = verdictsOf("safetensors-0.8.0");

/** What the library accepts and we refuse: "Stricter than the reference" in docs/formats.md. */
const kStricter: Readonly<Record<string, RegExp>> = {
  dup_tensor_same: /"a" is written twice/,
  dup_tensor_diff: /"a" is written twice/,
  metadata_dup_key: /metadata key "k" is written twice/,
};

(present ? describe : describe.skip)("real safetensors files", () => {
  test("there are some", () => {
    if (isUsual) expect([files.length, verdicts.length >= 70]).toEqual([6, true]);
  });

  testEach(files, "%s", async (path, { rejected, metadata, tensors, header_len }) => {
    const bytes = load(path);
    if (rejected !== undefined) {
      expect(refusalOf(() => readSafetensors(bytes).dispose())).toMatch(/^(INVALID_ARGUMENT|DATA_LOSS): /);
      return;
    }
    using inMemory = readSafetensors(bytes);
    const file = await openSafetensors(new Blob([bytes]));
    using read = await file.tensors();
    expect(Object.fromEntries(file.metadata)).toEqual(metadata ?? {});
    expect([...file.names].sort()).toEqual(Object.keys(tensors).sort());
    for (const [name, { dtype, shape, sha256: hash }] of Object.entries(tensors)) {
      expect([file.entry(name).type, file.entry(name).shape]).toEqual([dtype, shape]);
      expect(sha256(await file.bytes(name))).toBe(hash);
      expect([sha256(inMemory.tensor(name).tensorData), sha256(read.tensor(name).tensorData)]).toEqual([hash, hash]);
    }
    // The order and the padding of older writers differ; the same tensors come back.
    using again = readSafetensors(writeSafetensors(read, metadata === null ? {} : { metadata }));
    for (const [name, { sha256: hash }] of Object.entries(tensors)) expect(sha256(again.tensor(name).tensorData)).toBe(hash);
    expect(header_len).toBeGreaterThan(0);
  });

  testEach(verdicts, "verdict %s", async (name, verdict) => {
    const bytes = load(`verdicts/safetensors-0.8.0/${name.replaceAll("^", "_")}.safetensors`);
    const strict = kStricter[name];
    if (strict !== undefined) expect(refusalOf(() => SafetensorsFile.fromBytes(bytes))).toMatch(strict);
    const accepted = /^ACCEPT (.*)$/.exec(verdict);
    if (accepted === null) {
      expect(refusalOf(() => SafetensorsFile.fromBytes(bytes))).toMatch(/^(INVALID_ARGUMENT|DATA_LOSS): /);
      return;
    }
    const { entries } = SafetensorsFile.fromBytes(bytes, { duplicates: "last" });
    const listed = [...entries.values()].map(({ name: tensor, type, shape, byteLength }) => [tensor, type, shape, byteLength]);
    expect(listed.sort()).toEqual((JSON.parse(accepted[1] ?? "") as unknown[][]).sort());
  });

  function refusalOf(act: () => unknown): string {
    try {
      act();
    } catch (error) {
      if (isStatusError(error)) return String(error);
      throw error;
    }
    return "nothing was thrown";
  }
});
