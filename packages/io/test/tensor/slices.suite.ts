// Slices of .npy, .npz and safetensors against whole reads, and which bytes of the file they read.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { dtypeSize } from "@onebuffer/base";
import type { DType, RawDType } from "@onebuffer/base";
import { bytesCopied, liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { MemoryFiles, openNpy, openNpz, openSafetensors, openSafetensorsModel, saveSafetensorsModel, SafetensorsFile } from "@onebuffer/io";
import { writeNpy, writeNpz, writeSafetensors } from "@onebuffer/io";
import type { ByteSource, SourceInput } from "@onebuffer/io";
import { TensorSlice } from "@onebuffer/slice";
import { npy } from "../npy/npy-file.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

type Bytes = Uint8Array<ArrayBuffer>;
type Range = readonly [begin: number, end: number];

/** A source that notes which bytes are read. */
function noted(bytes: Bytes): ByteSource & { readonly reads: Range[] } {
  const reads: Range[] = [];
  return {
    size: bytes.length,
    reads,
    read: async (offset, length) => {
      reads.push([offset, offset + length]);
      return bytes.slice(offset, offset + length);
    },
  };
}

const kDTypes: readonly DType[] = ["uint8", "int16", "bfloat16", "float32", "float64", "complex64", "bool"];

/** A dtype's tensor with bytes that follow from their index, so that no two neighbors are equal. */
function numbered(dtype: RawDType, shape: readonly number[]): Tensor {
  const tensor = Tensor.zeros([...shape], { dtype }) as Tensor;
  const bytes = tensor.tensorData;
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = dtype === "bool" ? (i * 7) & 1 : dtype === "float4_e2m1fn" ? (i * 5) & 15 : (i * 37) & 127;
  return tensor;
}

const sliceOf = (starts: readonly number[], sizes: readonly number[]): TensorSlice =>
  new TensorSlice(starts.map((start, d) => [start, sizes[d] as number]));

/** The index of the first and the last element of a slice in the file, and whether they follow each other there without a gap. */
function spanOf(shape: readonly number[], starts: readonly number[], sizes: readonly number[], columnMajor: boolean) {
  const order = columnMajor ? [...shape.keys()] : [...shape.keys()].reverse();
  let [step, first, last] = [1, 0, 0];
  for (const d of order) {
    first += (starts[d] as number) * step;
    last += ((starts[d] as number) + (sizes[d] as number) - 1) * step;
    step *= shape[d] as number;
  }
  const count = sizes.reduce((product, size) => product * size, 1);
  return { first, last, count, isRun: last - first + 1 === count };
}

/** Checks that the reads of data lie between the first and the last byte of a slice, and are only its bytes if these are adjacent. */
function checkReads(reads: readonly Range[], dataAt: number, itemSize: number, span: ReturnType<typeof spanOf>): void {
  const [begin, end] = [dataAt + span.first * itemSize, dataAt + (span.last + 1) * itemSize];
  expect(reads.filter(([from, to]) => from < begin || to > end)).toEqual([]);
  const total = reads.reduce((sum, [from, to]) => sum + to - from, 0);
  if (span.isRun) expect(total).toBe(span.count * itemSize);
  else expect(total).toBeLessThanOrEqual(end - begin);
}

/** A shape, and a part of each dimension that is not empty. Some dimensions are so long that rows are more than 64 KiB or 1 MiB apart. */
const cases = fc
  .oneof<fc.MaybeWeightedArbitrary<readonly number[]>[]>(
    { arbitrary: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 0, maxLength: 4 }), weight: 6 },
    { arbitrary: fc.constantFrom<readonly number[]>([3, 90_000], [90_000, 3], [2, 3, 70_000], [40, 9_000], [1, 600_000]), weight: 1 },
  )
  .chain((shape) =>
    fc.record({
      shape: fc.constant(shape),
      cuts: fc.tuple(...shape.map((size) => fc.tuple(fc.nat(size - 1), fc.nat(size - 1)))),
      isRows: fc.boolean(),
    }),
  )
  .map(({ shape, cuts, isRows }) => {
    // A range of the first axis, or any region.
    const starts = shape.map((_, d) => (isRows && d > 0 ? 0 : Math.min(...(cuts[d] as [number, number]))));
    const ends = shape.map((size, d) => (isRows && d > 0 ? size : Math.max(...(cuts[d] as [number, number])) + 1));
    return { shape, starts, sizes: ends.map((end, d) => end - (starts[d] as number)) };
  });

const runs = process.env["ONEBUFFER_LONG"] === undefined ? 4 : 1000;

describe("a slice is the part of the whole, and only its bytes are read", () => {
  test("of .npy files of either order, and of stored and deflated members", async () => {
    const live = liveBuffers();
    await fc.assert(
      fc.asyncProperty(cases, fc.constantFrom(...kDTypes), fc.boolean(), async ({ shape, starts, sizes }, dtype, columnMajor) => {
        const slice = sliceOf(starts, sizes);
        using row = numbered(dtype as RawDType, shape);
        const made = dtype === "bfloat16" ? writeNpy(row as never, { voidTypes: true }) : writeNpy(row as never);
        const text = Buffer.from(made.subarray(0, 128))
          .toString("latin1")
          .replace("False", columnMajor ? "True " : "False");
        made.set(Buffer.from(text, "latin1"));
        const options = { voidAs: "bfloat16" } as const;
        using whole = await (await openNpy(made, options)).tensor();
        using expected = whole.copySlice(slice);
        const source = noted(made);
        const file = await openNpy(source, options);
        source.reads.length = 0;
        using part = await file.slice(slice);
        expect(part.equals(expected as never)).toBe(true);
        checkReads(source.reads, file.dataOffset, dtypeSize(dtype), spanOf(shape, starts, sizes, columnMajor));
        using inMemory = await (await openNpy(made, options)).slice(slice);
        expect(inMemory.equals(expected as never)).toBe(true);
        if (columnMajor) return;
        for (const compressed of [false, true]) {
          const zip = noted(await writeNpz({ other: row, x: row }, { compressed, voidTypes: true }));
          const npz = await openNpz(zip);
          zip.reads.length = 0;
          using member = await npz.slice("x", slice, options);
          expect(member.equals(expected as never)).toBe(true);
          const { limit } = npz.members.get("x.npy")!;
          const dataAt = limit - row.totalBytes;
          // The member's own header and that of .npy, at most 4096 bytes; all of it where its checksum can be verified.
          const isWhole = sizes.every((size, d) => size === shape[d]);
          if (!compressed && !isWhole) {
            const [, , ...data] = zip.reads;
            checkReads(data, dataAt, dtypeSize(dtype), spanOf(shape, starts, sizes, false));
          }
        }
      }),
      { numRuns: runs },
    );
    expect(liveBuffers()).toBe(live);
  });

  test("of safetensors files, packed elements included", async () => {
    const live = liveBuffers();
    await fc.assert(
      fc.asyncProperty(cases, fc.constantFrom(...kDTypes, "float4_e2m1fn"), async ({ shape, starts, sizes }, dtype) => {
        const isPacked = dtype === "float4_e2m1fn";
        if (isPacked && shape.reduce((product, size) => product * size, 1) % 2 === 1) return;
        const slice = sliceOf(starts, sizes);
        using before = numbered("uint8", [3]);
        using x = numbered(dtype as RawDType, shape);
        using expected = x.copySlice(slice);
        const bytes = writeSafetensors({ before, x });
        const source = noted(bytes);
        const file = await openSafetensors(source);
        source.reads.length = 0;
        using part = await file.slice("x", slice);
        expect(part.equals(expected as never)).toBe(true);
        const { byteOffset } = file.entry("x");
        const span = spanOf(shape, starts, sizes, false);
        if (!isPacked) checkReads(source.reads, byteOffset, dtypeSize(dtype as DType), span);
        else expect(source.reads).toEqual([[byteOffset + (span.first >> 1), byteOffset + (span.last >> 1) + 1]]);
        using inMemory = await (await openSafetensors(bytes)).slice("x", slice);
        expect(inMemory.equals(expected as never)).toBe(true);
      }),
      { numRuns: runs },
    );
    expect(liveBuffers()).toBe(live);
  });
});

test("columns that lie far apart are a read each; near ones are read together", async () => {
  using far = numbered("float32", [90_000, 3]);
  const source = noted(npy("<f4", [90_000, 3], far.tensorData, "True"));
  const file = await openNpy(source);
  source.reads.length = 0;
  using rows = await file.rows(5, 1005);
  const columns = [0, 1, 2].map((column) => file.dataOffset + 4 * (90_000 * column + 5));
  expect(source.reads).toEqual(columns.map((at) => [at, at + 4000]));
  expect(rows.shape.dimSizes).toEqual([1000, 3]);
  const near = noted(npy("<f4", [900, 3], far.tensorData.subarray(0, 10_800), "True"));
  const small = await openNpy(near);
  near.reads.length = 0;
  using some = await small.rows(5, 10);
  expect(near.reads).toEqual([[small.dataOffset + 4 * 5, small.dataOffset + 4 * (1800 + 10)]]);
  expect(some.shape.dimSizes).toEqual([5, 3]);
});

test("a part of two dimensions that both lie far apart is a read for each row", async () => {
  using t = numbered("uint8", [3, 4, 70_000]);
  const source = noted(npy("|u1", [3, 4, 70_000], t.tensorData));
  const file = await openNpy(source);
  source.reads.length = 0;
  using part = await file.slice(sliceOf([1, 1, 9], [2, 3, 5]));
  const rows = [1, 2].flatMap((i) => [1, 2, 3].map((j) => (i * 4 + j) * 70_000 + 9));
  expect([...part.tensorData]).toEqual(rows.flatMap((from) => [...t.tensorData.subarray(from, from + 5)]));
  expect(source.reads).toEqual(rows.map((from) => [file.dataOffset + from, file.dataOffset + from + 5]));
});

test("big-endian numbers, complex ones, and texts of any width", async () => {
  const data = Uint8Array.from({ length: 60 }, (_, i) => i + 65);
  for (const [descr, itemSize] of [
    [">u2", 2],
    [">f8", 8],
    [">c8", 8],
    ["|S3", 3],
    ["|S5", 5],
    ["<U1", 4],
  ] as const) {
    const elements = descr === "<U1" ? Uint8Array.from(data, (code, i) => (i % 4 === 0 ? code : 0)) : data;
    const columns = Math.floor(60 / itemSize / 3);
    for (const order of ["False", "True"] as const) {
      const file = npy(descr, [3, columns], elements.slice(0, 3 * columns * itemSize), order);
      for (const input of [file, noted(file)] satisfies SourceInput[]) {
        const open = await openNpy(input, { strings: true });
        using whole = await open.tensor();
        for (const text of ["1,2:-", "-:1,1", "0,2:1,1", "2,1:0,2".replace("0,2", columns > 1 ? "0,2" : "0,1")]) {
          using part = await open.slice(TensorSlice.parse(text));
          using expected = whole.copySlice(TensorSlice.parse(text));
          expect([descr, order, text, part.toArray()]).toEqual([descr, order, text, expected.toArray()]);
        }
      }
    }
  }
});

test("adjacent bytes in memory are a view", async () => {
  using t = Tensor.arange(0, 20, 1, { dtype: "float64" });
  using matrix = t.reshape([5, 4]);
  const before = bytesCopied();
  const [bytes, tensors] = [writeNpy(matrix), writeSafetensors({ matrix })];
  const written = bytesCopied();
  using rows = await (await openNpy(bytes)).slice(TensorSlice.parse("1,2:-"));
  using same = await (await openSafetensors(tensors)).slice("matrix", TensorSlice.parse("1,2:-"));
  expect([rows.tensorData.buffer, same.tensorData.buffer]).toEqual([bytes.buffer, tensors.buffer]);
  expect(bytesCopied() - written).toBe(0);
  expect(written).toBeGreaterThanOrEqual(before);
});

test("a scalar, an array without elements, a model in several files", async () => {
  using scalar = Tensor.from(5, { dtype: "int32" });
  using empty = Tensor.zeros([0, 3]);
  for (const [t, text, shape] of [
    [scalar, "", []],
    [empty, "-:1,2", [0, 2]],
  ] as const) {
    using a = await (await openNpy(noted(writeNpy(t as never)))).slice(TensorSlice.parse(text));
    using b = await (await openSafetensors(noted(writeSafetensors({ t: t as Tensor })))).slice("t", TensorSlice.parse(text));
    using c = await (await openNpz(noted(await writeNpz({ t: t as Tensor })))).slice("t", TensorSlice.parse(text));
    expect([a, b, c].map((part) => part.shape.dimSizes)).toEqual([shape, shape, shape]);
  }
  using x = Tensor.from([
    [1, 2],
    [3, 4],
  ]); // prettier-ignore
  const made = new MemoryFiles();
  await saveSafetensorsModel({ x, y: x }, made, { maxShardBytes: 16 });
  using row = await (await openSafetensorsModel(made.files)).slice("y", TensorSlice.parse("1,1:-"));
  expect(row.toArray()).toEqual([[3, 4]]);
});

test("slices that do not fit, of other dimensions, and wrong values are refused; a checksum is verified where all is read", async () => {
  using t = Tensor.arange(0, 6);
  using matrix = t.reshape([2, 3]);
  const zip = await writeNpz({ w: matrix });
  const [npyFile, npz, tensors] = [
    await openNpy(noted(writeNpy(matrix))),
    await openNpz(noted(zip)),
    await openSafetensors(noted(writeSafetensors({ w: matrix }))),
  ];
  const live = liveBuffers();
  const readers: readonly (readonly [string, (slice: TensorSlice, options?: object) => Promise<Tensor>])[] = [
    ["npy", async (slice, options) => (await npyFile.slice(slice, options)) as Tensor],
    ['npz: array "w"', async (slice, options) => (await npz.slice("w", slice, options)) as Tensor],
    ['safetensors: tensor "w"', async (slice, options) => (await tensors.slice("w", slice, options)) as Tensor],
  ];
  const refusal = async (act: Promise<unknown>): Promise<string> =>
    await act.then(
      () => "nothing was thrown",
      (error: unknown) => String(error),
    );
  for (const [subject, read] of readers) {
    expect(await refusal(read(TensorSlice.parse("1,2:-")))).toBe(
      `OUT_OF_RANGE: ${subject} of shape [2,3]: the slice 1,2:- is 1 to 3 in dimension 0, which has 2`,
    );
    expect(await refusal(read(TensorSlice.parse("-")))).toBe(
      `INVALID_ARGUMENT: ${subject} of shape [2,3]: the slice - has 1 extents, the tensor has 2 dimensions`,
    );
    expect(
      await refusal(
        read(
          new TensorSlice([
            [1, -1],
            [0, 1],
          ]),
        ),
      ),
    ).toMatch(/^INVALID_ARGUMENT: .*has the extent 1,-1 in dimension 0/); // prettier-ignore
    for (const wrong of [null, undefined, 5, "0,1:-", {}, [[0, 1]]])
      expect(await refusal(read(wrong as never))).toMatch(/^INVALID_ARGUMENT: /);
    expect(await refusal(read(TensorSlice.parse("-:0,2"), { signal: { aborted: true } }))).toMatch(/^CANCELLED/);
    expect(await refusal(read(TensorSlice.parse("-:0,2"), { onProgress: 5 }))).toMatch(/^INVALID_ARGUMENT/);
    expect(await refusal(read(TensorSlice.parse("-:0,2"), { dtype: "int32" }))).toMatch(/^INVALID_ARGUMENT/);
    const progress: number[] = [];
    const part = await read(TensorSlice.parse("-:0,2"), { onProgress: ({ bytes }: { bytes: number }) => progress.push(bytes) });
    expect([part.toArray(), progress.at(-1)]).toEqual([
      [
        [0, 1],
        [3, 4],
      ],
      16,
    ]); // prettier-ignore
    part.dispose();
  }
  // The last byte of the last element.
  const damaged = zip.slice();
  const { limit } = npz.members.get("w.npy")!;
  damaged[limit - 1] = (damaged[limit - 1] as number) ^ 1;
  const broken = await openNpz(noted(damaged));
  expect(await refusal(broken.slice("w", TensorSlice.parse("-:-")))).toMatch(/^DATA_LOSS: .*CRC-32/);
  using first = await broken.slice("w", TensorSlice.parse("0,1:-"));
  expect(first.toArray()).toEqual([[0, 1, 2]]);
  first.dispose();
  expect(liveBuffers()).toBe(live);
});

test("slices of elements of four bits are those of the whole", async () => {
  using t = Tensor.from([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.5, -1, -1.5, -2], { dtype: "float4_e2m1fn", shape: [3, 4] } as Any);
  const file = SafetensorsFile.fromBytes(await writeSafetensors({ t } as Any));
  for (const text of ["-:-", "1,1:-", "-:1,2", "1,2:1,3", "2,1:3,1", "0,2:2,2"]) {
    using part = await file.slice("t", TensorSlice.parse(text));
    using expected = t.copySlice(TensorSlice.parse(text));
    expect([text, part.toArray()]).toEqual([text, expected.toArray()]);
  }
});

test("slices of bools are 0 or 1, whatever the file has", async () => {
  using t = Tensor.from([false, true, true, true, false, true], { shape: [2, 3] } as Any);
  const bytes = await writeSafetensors({ t } as Any);
  bytes.set([0, 1, 2, 255, 0, 7], bytes.length - 6);
  using part = await SafetensorsFile.fromBytes(bytes).slice("t", TensorSlice.parse("-:1,2"));
  expect([...part.tensorData]).toEqual([1, 1, 0, 1]);
});
