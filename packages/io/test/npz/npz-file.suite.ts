// NpzFile: views and copies, members that are no arrays, strings and raw bytes, missing names.
import { expect, test } from "@jest/globals";
import { bytesCopied, liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { NpzFile, openNpz, readNpy, readNpz, writeNpy, writeNpz, NpyFile } from "@onebuffer/io";
import { refusal, refusalText, expectRefusal } from "@onebuffer/test-support";
import { npy as npyOf } from "../npy/npy-file.ts";
import { zipFile } from "./zip-file.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

const npy = (() => {
  using t = Tensor.from([1, 2, 3]);
  return writeNpy(t);
})();

test("a stored, aligned member in memory is a view; a misaligned one is one copy", async () => {
  // np.savez's first member begins at 30 + 20 bytes and its name: 6 characters and ".npy" align float32 to 4 bytes.
  using t = Tensor.from([1, 2, 3]);
  const bytes = await writeNpz({ aligned: t, b: t });
  const file = NpzFile.fromBytes(bytes);
  const before = bytesCopied();
  for (const name of file.names) {
    const start = bytesCopied();
    using view = file.tensorSync(name);
    using same = await file.tensor(name, { dtype: "float32" });
    const isView = view.tensorData.buffer === bytes.buffer;
    expect([same.toArray(), bytesCopied() - start]).toEqual([[1, 2, 3], isView ? 0 : 24]);
  }
  expect(bytesCopied() - before).toBeLessThanOrEqual(48);
});

test("compressed arrays need waiting, a source that is not in memory too", async () => {
  using t = Tensor.from([1, 2, 3]);
  const compressed = NpzFile.fromBytes(await writeNpz({ t }, { compressed: true }));
  expect(refusalText(() => compressed.tensorSync("t"))).toBe(
    'FAILED_PRECONDITION: npz: array "t" is compressed: await tensor("t") reads it',
  );
  const remote = await openNpz(new Blob([await writeNpz({ t })]));
  expect(refusal(() => remote.tensorSync("t")).code).toBe("FAILED_PRECONDITION");
});

test("members that are no arrays are listed, and read as bytes", async () => {
  const text = new TextEncoder().encode("hello, hello, hello");
  const bytes = zipFile([
    { name: "readme.txt", data: text },
    { name: "long.txt", data: text, method: 8 },
    { name: "empty.txt", data: new Uint8Array(0), method: 8 },
    { name: "a.npy", data: npy },
  ]);
  const file = await openNpz(new Blob([bytes]));
  expect(file.names).toEqual(["a"]);
  expect([...file.members.keys()]).toEqual(["readme.txt", "long.txt", "empty.txt", "a.npy"]);
  expect(await file.bytes("readme.txt")).toEqual(text);
  expect(await file.bytes("long.txt")).toEqual(text);
  expect(await file.bytes("empty.txt")).toEqual(new Uint8Array(0));
  using a = readNpy(await file.bytes("a.npy"));
  expect(a.toArray()).toEqual([1, 2, 3]);
  expect(await NpzFile.fromBytes(bytes).bytes("readme.txt")).toEqual(text);
  await expect(file.bytes("a")).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringMatching(/no member "a", did you mean "a.npy"\?/),
  });
});

test("Fortran order, big-endian, strings and raw bytes, stored and deflated", async () => {
  const data = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i + 1);
  const arrays: readonly (readonly [string, Uint8Array, object, unknown])[] = [
    [
      "fortran",
      npyOf("|u1", [2, 3], data(6), "True"),
      {},
      [
        [1, 3, 5],
        [2, 4, 6],
      ],
    ],
    ["big", npyOf(">u2", [2], data(4), "False"), {}, [0x102, 0x304]],
    ["text", npyOf("<U2", [2], Uint8Array.of(65, 0, 0, 0, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0x1e, 0xd1, 1, 0)), { strings: true }, ["A", "é𝄞"]],
    ["bytes", npyOf("|S3", [3], Uint8Array.of(97, 0, 98, 0, 0, 0, 99, 0, 0)), { strings: true }, ["a\0b", "", "c"]],
    [
      "columns",
      npyOf(
        "|S1",
        [2, 2],
        data(4).map((byte) => byte + 64),
        "True",
      ),
      { strings: true },
      [
        ["A", "C"],
        ["B", "D"],
      ],
    ],
    ["bf16", npyOf("<V2", [2], Uint8Array.of(0x80, 0x3f, 0, 0x40)), { voidAs: "bfloat16" }, [1, 2]],
    ["bools", npyOf("|b1", [3], Uint8Array.of(0, 1, 2)), {}, [false, true, true]],
  ];
  const before = liveBuffers();
  for (const method of [0, 8]) {
    const bytes = zipFile(arrays.map(([name, file]) => ({ name: `${name}.npy`, data: file, method })));
    for (const source of [bytes, new Blob([bytes])]) {
      const file = await openNpz(source);
      for (const [name, , options, wanted] of arrays) {
        using tensor = await file.tensor(name, options);
        expect([name, tensor.toArray()]).toEqual([name, wanted]);
      }
      await expect(file.tensor("text")).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
      await expect(file.tensor("bf16")).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
      await expect(file.tensor("big", { dtype: "int16" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      await expect(file.tensors()).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
      using all = await readNpz(source, { strings: true, voidAs: "bfloat16" });
      expect(all.tensor("bytes").dtype).toBe("string");
    }
  }
  expect(liveBuffers()).toBe(before);
});

test("missing names and wrong arguments", async () => {
  const file = NpzFile.fromBytes(zipFile([{ name: "weights.npy", data: npy }]));
  expect(refusal(() => file.tensorSync("weight")).message).toBe('no array "weight", did you mean "weights"? There are 1: "weights"');
  await expect(file.tensors(["weights", "x"])).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(file.tensors("weights" as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(file.tensor("weights", { order: "keep" } as object)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(refusal(() => NpzFile.fromBytes(new Uint8Array(30), { verify: true } as object)).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => NpzFile.fromBytes(new Uint8Array(30), { verifyChecksums: 1 as never })).code).toBe("INVALID_ARGUMENT");
  await expect(readNpz("a.npz" as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("names choose arrays, progress has the names of compressed ones, and messages that of the call", async () => {
  using a = Tensor.from([1, 2, 3]);
  using b = Tensor.from([4]);
  const bytes = await writeNpz({ a, b }, { compressed: true });
  using tensors = await readNpz(bytes, { names: ["b"] });
  expect([...tensors.keys()]).toEqual(["b"]);
  const names: (string | undefined)[] = [];
  using all = await readNpz(bytes, { onProgress: ({ name }) => names.push(name) });
  // The bytes of an array are reported as they come, without its name.
  expect(names).toContain(undefined);
  expect([all.size, new Set(names.filter((name) => name !== undefined))]).toEqual([2, new Set(["a", "b"])]);
  await expectRefusal(() => NpzFile.open(bytes, { verify: true } as Any), "INVALID_ARGUMENT", "verifyChecksums");
  const file = await NpyFile.open(npyOf("<f4", [1], new Uint8Array(4)));
  await expectRefusal(() => file.array({ axis: 1 } as Any), "INVALID_ARGUMENT", "array");
});
