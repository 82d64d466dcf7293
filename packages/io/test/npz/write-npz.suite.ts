// writeNpz and saveNpz: np.savez's bytes, any tensors through a file and back, refusals.
import { expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { NpzFile, readNpz, saveNpz, writeNpz } from "@onebuffer/io";
import type { TransferProgress } from "@onebuffer/io";
import * as fc from "fast-check";
import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";

/** np.savez(f, a=np.arange(6, dtype="<f4").reshape(2, 3), **{"sub/ünï": np.array(5, "<i8"), "e": np.zeros((0, 2), "?")}), zlib. */
const kNamed =
  "eNoL8GZm0WWAAEUG/5cMWv+hgJVBhCFRL6+gkpFBgGEGVAmMnuwX6hsQychQxlCtnpJanFykbqWgbpNmoq6joJ6WX1RSlJgXn1+UkgoSd0vMKU4FihdnJBakAvkaRjoKxpo6CrUKZAMuiCsa7IGEAxABcQMQL3AIgHiHA+KduP1X9WDe4QV6p7g0Sf/wnrzD62He6oB6pwOvtzItiPIWZV4Ce4sV6o4AlFhhNmYvQY6VVJjzG6BKGvA5vybJkCjnG+goGFEYKwHejEy6zKjJaQY01cC8BnYvI4gEJy64FqQo64DGCC+KlvNAEiUC0W0DBVMDNDRQbZsGtC8VooWVDSTEDIQLgbQvE4gHAOfJm/A=";
/** sha256 of np.savez(f, np.array([1, 2, 3], "u1"), np.array([4.], "<c16")) of NumPy 2.4.6. */
const kPositional = "80bb6033196994360d951c374cb5cf001f1417406fefa31c20480a4af7577474";

test("stored arrays are np.savez's bytes", async () => {
  using a = Tensor.from([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  using five = Tensor.hostScalar("int64", 5n);
  using e = Tensor.zeros([0, 2], { dtype: "bool" });
  const named = await writeNpz({ a, "sub/ünï": five, e });
  expect(Buffer.compare(named, inflateSync(Buffer.from(kNamed, "base64")))).toBe(0);
  using bytes = Tensor.from([1, 2, 3], { dtype: "uint8" });
  using complex = Tensor.full([1], [4, 0], { dtype: "complex128" });
  const positional = await writeNpz([bytes, complex]);
  expect(createHash("sha256").update(positional).digest("hex")).toBe(kPositional);
  expect(Buffer.from(await writeNpz({})).toString("hex")).toBe("504b0506".padEnd(44, "0"));
  const chunks: Uint8Array[] = [];
  const size = await saveNpz(new Map([["a", a] as const, ["sub/ünï", five], ["e", e]] as [string, Tensor][]), {
    write: (chunk: Uint8Array) => void chunks.push(chunk.slice()),
  });
  expect([size, Buffer.compare(Buffer.concat(chunks), named)]).toEqual([named.length, 0]);
});

const kDTypes: readonly DType[] =
  "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split(" ") as DType[];
const someArrays = fc.dictionary(
  fc.string({ unit: "grapheme", maxLength: 8 }).filter((name) => !name.includes("\0")),
  fc.record({
    dtype: fc.constantFrom(...kDTypes),
    shape: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
    seed: fc.integer({ min: 0, max: 255 }),
  }),
  { maxKeys: 4 },
);

test("arrays come back, stored and deflated, from memory and from a source", async () => {
  await fc.assert(
    fc.asyncProperty(someArrays, fc.boolean(), async (recipe, compressed) => {
      const made = new Map<string, Tensor>();
      for (const [name, { dtype, shape, seed }] of Object.entries(recipe)) {
        const tensor = Tensor.zeros(shape, { dtype }) as Tensor;
        if (tensor.numElements > 0)
          tensor.tensorData.forEach((_, i, all) => void (all[i] = (i * 31 + seed) & (dtype === "bool" ? 1 : 255)));
        made.set(name, tensor);
      }
      try {
        const bytes = await writeNpz(made, { compressed });
        expect(NpzFile.fromBytes(bytes).names).toEqual([...made.keys()]);
        using views = await readNpz(bytes);
        using read = await readNpz(new Blob([bytes]));
        for (const [name, tensor] of made) {
          for (const again of [views.tensor(name), read.tensor(name)]) {
            expect([again.dtype, again.shape.dimSizes]).toEqual([tensor.dtype, tensor.shape.dimSizes]);
            expect(Buffer.compare(again.tensorData, tensor.tensorData)).toBe(0);
          }
        }
      } finally {
        for (const tensor of made.values()) tensor.dispose();
      }
    }),
    { numRuns: process.env["ONEBUFFER_LONG"] === "1" ? 1000 : 15 },
  );
});

test("progress and cancelling", async () => {
  using a = Tensor.zeros([100_000]);
  const bytes = await writeNpz({ a, b: a }, { compressed: true });
  const names: unknown[] = [];
  using tensors = await readNpz(bytes, {
    onProgress: ({ bytes: done, totalBytes, name }) => void (name !== undefined && names.push([name, done, totalBytes])),
  });
  expect(names).toEqual([
    ["a", 400_128, 800_256],
    ["b", 800_256, 800_256],
  ]);
  expect(tensors.size).toBe(2);
  const signal = { aborted: true };
  await expect(readNpz(bytes, { signal })).rejects.toMatchObject({ code: "CANCELLED" });
  const later = { aborted: false };
  const cancelled = readNpz(bytes, { signal: later, onProgress: () => void (later.aborted = true) });
  await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
  await expect(saveNpz({ a }, { write: () => undefined }, { signal })).rejects.toMatchObject({ code: "CANCELLED" });
});

test.each([
  ["members that are stored, which are known before they are written", {}, true],
  ["deflated members is not known", { compressed: true }, false],
] as const)("while a file is saved, the size of %s", async (_, options, isKnown) => {
  using a = Tensor.zeros([1000]);
  using empty = Tensor.zeros([0]);
  const seen: (readonly [bytes: number, totalBytes: number])[] = [];
  const onProgress = ({ bytes, totalBytes }: TransferProgress): void => void seen.push([bytes, totalBytes]);
  const size = await saveNpz({ a, ä: a, empty }, { write: () => undefined }, { ...options, onProgress });
  expect(seen.at(-1)).toEqual([size, isKnown ? size : 0]);
  expect(new Set(seen.map(([, totalBytes]) => totalBytes)).size).toBe(1);
});

test("what cannot be written is refused before anything is written", async () => {
  using ok = Tensor.zeros([3]);
  using half = Tensor.zeros([3], { dtype: "bfloat16" });
  using deep = Tensor.zeros(new Array<number>(65).fill(1));
  const gone = Tensor.zeros([3]);
  gone.dispose();
  const codeOf = async (arrays: unknown, options: object = {}): Promise<string> => {
    let written = 0;
    const result = await saveNpz(arrays as never, { write: () => void written++ }, options).then(
      () => "written",
      (error: { readonly code: string }) => error.code,
    );
    expect(written).toBe(0);
    return result;
  };
  expect(await codeOf({ ok, half })).toBe("UNIMPLEMENTED");
  expect(await codeOf({ ok, gone })).toBe("FAILED_PRECONDITION");
  expect(await codeOf({ ok, "a\0b": ok })).toBe("INVALID_ARGUMENT");
  expect(await codeOf({ ok, "\ud800": ok })).toBe("INVALID_ARGUMENT");
  // A zip has 16 bits for the length of a name, in UTF-8 and with .npy.
  expect(await codeOf({ ok, ["x".repeat(65532)]: ok })).toBe("INVALID_ARGUMENT");
  expect(await codeOf({ ok, ["é".repeat(32766)]: ok })).toBe("INVALID_ARGUMENT");
  expect(await codeOf({ ok, deep })).toBe("INVALID_ARGUMENT");
  expect(await codeOf([ok, 3])).toBe("INVALID_ARGUMENT");
  expect(await codeOf(3)).toBe("INVALID_ARGUMENT");
  expect(await codeOf({ ok }, { compress: true })).toBe("INVALID_ARGUMENT");
  expect(await codeOf({ ok }, { compressed: 1 })).toBe("INVALID_ARGUMENT");
});

test("the longest name that a zip has room for comes back", async () => {
  using a = Tensor.from([1, 2]);
  const name = `${"é".repeat(32765)}x`;
  const arrays = await readNpz(await writeNpz({ [name]: a, b: a }));
  expect([...arrays.keys()]).toEqual([name, "b"]);
  for (const each of arrays.values()) {
    expect(each.toArray()).toEqual([1, 2]);
    each.dispose();
  }
});
