// Real .npz files: every array with MANIFEST.json's dtype, shape and bytes, from memory and from a source; NumPy's own bytes written again.
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { NpzFile, openNpz, writeNpz } from "@onebuffer/io";
import { filesOf, isUsual, load, present, sha256, testEach } from "@onebuffer/test-support/real-files";

interface Member {
  readonly method: number;
  readonly flags: number;
  readonly crc32: string;
  readonly dtype?: string;
  readonly shape?: readonly number[];
  readonly c_order_le_sha256?: string | null;
  readonly first?: readonly unknown[];
}

interface Entry {
  readonly members: Readonly<Record<string, Member>>;
}

const files = filesOf<Entry>("npz");
const hex = (crc: number): string => crc.toString(16).padStart(8, "0");

(present ? describe : describe.skip)("real .npz files", () => {
  test("there are some", () => {
    if (isUsual) expect(files.length).toBe(25);
  });

  testEach(files, "%s", async (path, { members }) => {
    const bytes = load(path);
    const inMemory = NpzFile.fromBytes(bytes);
    const file = await openNpz(new Blob([bytes]));
    const listed = [...file.members.values()].map(({ name, method, crc32, flags }) => [name, method, hex(crc32), flags]);
    expect(listed).toEqual(Object.entries(members).map(([name, { method, crc32, flags }]) => [name, method, crc32, flags]));
    for (const [member, { method, dtype, shape, first, c_order_le_sha256 }] of Object.entries(members)) {
      if (!member.endsWith(".npy")) {
        expect((await file.bytes(member)).length).toBe(file.members.get(member)?.size);
        continue;
      }
      const name = member.slice(0, -4);
      const refused = method !== 0 && method !== 8 ? /compressed by method/ : dtype === undefined ? /npy header: descr '[|]?O/ : undefined;
      for (const each of [inMemory, file]) {
        if (refused !== undefined) {
          await expect(each.tensor(name)).rejects.toMatchObject({ code: "UNIMPLEMENTED", message: expect.stringMatching(refused) });
          continue;
        }
        const isText = /^[|<>][SU]/.test(dtype ?? "");
        using tensor = await each.tensor<DType & "float32">(name, { strings: true, boolBytes: "keep" });
        expect([tensor.dtype, tensor.shape.dimSizes]).toEqual([isText ? "string" : dtype, shape]);
        if (!isText) expect(sha256(tensor.tensorData)).toBe(c_order_le_sha256);
        // The manifest has the first 40 characters of one text.
        else expect([tensor.toArray() as unknown as string].map((text) => String(text).slice(0, 40))).toEqual(first);
      }
    }
  });

  test("stored files of NumPy 2.4.6 are written back byte for byte", async () => {
    let written = 0;
    for (const [path] of files) {
      if (!/^numpy-2.4.6-generated\/(stored|positional|empty)\.npz$/.test(path)) continue;
      const bytes = load(path);
      using tensors = await NpzFile.fromBytes(bytes).tensors();
      expect([path, Buffer.compare(bytes, await writeNpz(tensors))]).toEqual([path, 0]);
      written++;
    }
    if (isUsual) expect(written).toBe(3);
  });
});
