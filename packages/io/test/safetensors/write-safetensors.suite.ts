// writeSafetensors and saveSafetensors: the reference's bytes, any tensors through a file and back, refusals.
import { expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { readSafetensors, SafetensorsFile, saveSafetensors, writeSafetensors } from "@onebuffer/io";
import { refusal } from "@onebuffer/test-support";
import * as fc from "fast-check";

/** Headers recorded from safetensors 0.8.0 (`safetensors.serialize`), without the length. */
const kRecorded: readonly (readonly [
  tensors: readonly (readonly [string, DType, readonly number[]])[],
  metadata: Record<string, string> | undefined,
  header: string,
])[] = [
  [[], undefined, "{}      "],
  [[], {}, '{"__metadata__":{}}     '],
  [
    [
      ["b", "float32", [2]],
      ["a", "float32", []],
      ["é", "uint8", [3]],
      ["z", "int64", [1, 1]],
      ["m", "bool", [2, 0]],
      ["h", "bfloat16", [1]],
    ],
    { 'k\n"\\\u0001\u007f': "v/é𝄞\u2028" },
    '{"__metadata__":{"k\\n\\"\\\\\\u0001\u007f":"v/é𝄞\u2028"},"z":{"dtype":"I64","shape":[1,1],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[],"data_offsets":[8,12]},' +
      '"b":{"dtype":"F32","shape":[2],"data_offsets":[12,20]},"h":{"dtype":"BF16","shape":[1],"data_offsets":[20,22]},"é":{"dtype":"U8","shape":[3],"data_offsets":[22,25]},' +
      '"m":{"dtype":"BOOL","shape":[2,0],"data_offsets":[25,25]}}',
  ],
  // Names are sorted as UTF-8: U+FF5E before U+1D11E, whose first UTF-16 unit is smaller.
  [
    [
      ["𝄞", "int8", [1]],
      ["\uff5e", "int8", [1]],
    ],
    undefined,
    '{"\uff5e":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"𝄞":{"dtype":"I8","shape":[1],"data_offsets":[1,2]}}',
  ],
];

test.each(kRecorded)("the header of %j", (tensors, metadata, header) => {
  const made = new Map(tensors.map(([name, dtype, shape]) => [name, Tensor.zeros(shape, { dtype })]));
  const bytes = writeSafetensors(made, metadata === undefined ? {} : { metadata });
  for (const tensor of made.values()) tensor.dispose();
  const json = new TextEncoder().encode(header);
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  expect(length).toBe(Math.ceil(json.length / 8) * 8);
  expect(new TextDecoder().decode(bytes.subarray(8, 8 + length))).toBe(header + " ".repeat(length - json.length));
});

const dtypes: readonly DType[] = [
  "bool",
  "uint8",
  "int16",
  "bfloat16",
  "float32",
  "float64",
  "int64",
  "float8_e4m3fn",
  "complex64",
  "float4_e2m1fn",
];

const someTensors = fc.dictionary(
  fc.string({ unit: "grapheme", maxLength: 8 }).filter((name) => name !== "__metadata__"),
  fc.record({
    dtype: fc.constantFrom(...dtypes),
    shape: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
    seed: fc.integer({ min: 0, max: 255 }),
  }),
  { maxKeys: 5 },
);
const someMetadata = fc.option(fc.dictionary(fc.string({ unit: "grapheme", maxLength: 6 }), fc.string({ unit: "grapheme" })), {
  nil: undefined,
});

test("tensors and metadata come back, and are written the same again", async () => {
  await fc.assert(
    fc.asyncProperty(someTensors, someMetadata, async (recipe, metadata) => {
      const made = new Map<string, Tensor>();
      for (const [name, { dtype, shape, seed }] of Object.entries(recipe)) {
        const sizes = dtype === "float4_e2m1fn" ? [...shape, 2] : shape;
        const tensor = Tensor.zeros(sizes, { dtype }) as Tensor;
        const mask = dtype === "bool" ? 1 : dtype === "float4_e2m1fn" ? 15 : 255;
        if (tensor.numElements > 0) tensor.tensorData.forEach((_, i, all) => void (all[i] = (i * 31 + seed) & mask));
        made.set(name, tensor);
      }
      try {
        const options = metadata === undefined ? {} : { metadata };
        const bytes = writeSafetensors(made, options);
        const chunks: Uint8Array[] = [];
        const size = await saveSafetensors(made, { write: (chunk: Uint8Array) => void chunks.push(chunk.slice()) }, options);
        expect(size).toBe(bytes.length);
        expect(Buffer.compare(Buffer.concat(chunks), bytes)).toBe(0);
        const file = await SafetensorsFile.open(new Blob([bytes]));
        expect([...file.metadata]).toEqual(Object.entries(metadata ?? {}));
        using read = await file.tensors();
        using views = readSafetensors(bytes);
        expect([...read.keys()].sort()).toEqual([...made.keys()].sort());
        for (const [name, tensor] of made) {
          for (const again of [read.tensor(name), views.tensor(name)]) {
            expect([again.dtype, again.shape.dimSizes]).toEqual([tensor.dtype, tensor.shape.dimSizes]);
            expect(Buffer.compare(again.tensorData, tensor.tensorData)).toBe(0);
          }
        }
        expect(Buffer.compare(writeSafetensors(read, options), bytes)).toBe(0);
      } finally {
        for (const tensor of made.values()) tensor.dispose();
      }
    }),
    { numRuns: process.env["ONEBUFFER_LONG"] === "1" ? 2000 : 30 },
  );
});

test("what cannot be written is refused", async () => {
  using ok = Tensor.zeros([3]);
  using odd = Tensor.zeros([3], { dtype: "float4_e2m1fn" });
  using wide = Tensor.zeros([1], { dtype: "complex128" });
  using text = Tensor.zeros([1], { dtype: "string" });
  const gone = Tensor.zeros([3]);
  gone.dispose();
  expect(refusal(() => writeSafetensors({ wide })).code).toBe("UNIMPLEMENTED");
  expect(refusal(() => writeSafetensors({ text })).code).toBe("UNIMPLEMENTED");
  expect(refusal(() => writeSafetensors({ gone })).code).toBe("FAILED_PRECONDITION");
  expect(refusal(() => writeSafetensors({ odd })).message).toMatch(/3 elements of 4 bits, not whole bytes/);
  expect(refusal(() => writeSafetensors({ __metadata__: ok })).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => writeSafetensors({ "\ud800": ok })).message).toMatch(/half a surrogate pair/);
  expect(refusal(() => writeSafetensors({ ok }, { metadata: { k: "\udc00" } })).message).toMatch(/half a surrogate pair/);
  expect(refusal(() => writeSafetensors({ ok }, { metadata: { k: 1 } as never })).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => writeSafetensors({ ok: 1 } as never)).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => writeSafetensors(null as never)).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => writeSafetensors({ ok }, { meta: {} } as object)).code).toBe("INVALID_ARGUMENT");
  await expect(saveSafetensors({ ok }, "out.safetensors" as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("a sink that fails is aborted with the error", async () => {
  using ok = Tensor.zeros([3]);
  const reasons: unknown[] = [];
  const full = new Error("disk full");
  const sink = {
    write: () => Promise.reject(full),
    close: () => undefined,
    abort: (reason: unknown) => void reasons.push(reason),
  };
  await expect(saveSafetensors({ ok }, sink)).rejects.toBe(full);
  expect(reasons).toEqual([full]);
});
