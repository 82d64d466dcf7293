/** describe: the byte pictures of shapes, tensors and allocators. */
import { expect, test } from "@jest/globals";
import type { AllocatorMemoryType } from "@onebuffer/allocator";
import { BFCAllocator, CPUAllocator } from "@onebuffer/allocator";
import { describe as picture } from "@onebuffer/core/internal";
import { Tensor } from "@onebuffer/core";
import { PartialTensorShape, TensorShape } from "@onebuffer/shape";
import { BlockRegions, thrown } from "@onebuffer/test-support";

test("draws the sixteen bytes of the shape [2,3]", () => {
  using t = Tensor.zeros([2, 3]);
  expect(String(picture(t.shape))).toBe(
    [
      "byte   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15",
      "      02 00 03 00 00 00 00 00 00 00 00 00 00 01 02 00",
      "     |d0   |d1   |-    |-    |-    |-    |s |t |r |g |",
      "     |2    |3    |     |     |     |     |1 |1 |2 |0 |",
      "[2,3]: REP16, 6 elements; s seal (sealed), t dtype (float), r rank, g tag",
    ].join("\n"),
  );
});

test("the data assigns every byte to exactly one field", () => {
  const shapes = [
    new TensorShape(),
    new TensorShape([70000, 2]),
    new TensorShape([1, 2, 3, 4, 5, 6, 7]),
    new TensorShape([2 ** 40]),
    new PartialTensorShape([-1, 3]),
    new PartialTensorShape(),
  ];
  for (const shape of shapes) {
    const { data, text } = picture(shape);
    expect(data.bytes).toHaveLength(16);
    expect(data.fields.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i))).toEqual([...Array(16).keys()]);
    expect(text).toContain(shape.debugString());
    expect(data.rep).toBe(shape.rep);
  }
  const { data } = picture(new TensorShape([1, 2, 3, 4, 5, 6, 7]));
  expect([data.fields[0]?.name, data.outOfLine]).toEqual(["pointer", [1, 2, 3, 4, 5, 6, 7]]);
  expect(
    picture(new PartialTensorShape([-1, 3]))
      .data.fields.slice(0, 2)
      .map(({ value }) => value),
  ).toEqual([-1, 3]);
});

test("draws a tensor, its root, and the tensors that share it", () => {
  using t = Tensor.arange(12);
  using half = t.slice(6, 12);
  using other = Tensor.zeros([1]);
  using matrix = t.reshape([3, 4]);
  const { data, text } = picture(half, [t, half, other, matrix]);
  expect(data).toMatchObject({
    type: "float",
    initialized: true,
    placement: { shape: "[6]", byteOffset: 24, bytes: 24, isSubBuffer: true, refs: 1 },
    root: { kind: "Buffer", bytes: 48, refs: 3, ownsMemory: true, allocator: "bfc" },
    sharing: [{ shape: "[12]", byteOffset: 0, isSubBuffer: false }, { shape: "[3,4]" }],
  });
  const bars = text.split("\n").slice(-4);
  expect(bars[0]).toBe(`root  |${"#".repeat(48)}|  Buffer of 48 bytes, refs 3, from allocator "bfc"`);
  expect(bars[1]).toBe(`this  |${" ".repeat(24)}${"#".repeat(24)}|  SubBuffer, refs 1, float [6], 24 bytes at byte 24`);
  expect(bars[2]).toMatch(/^shares\|#{48}\| {2}float \[12\], 48 bytes at byte 0$/);
});

test("draws tensors without a buffer, wrapped memory and empty slices", () => {
  using empty = new Tensor();
  using missing = Tensor.fromBuffer("float32", [2], null);
  using wrapped = Tensor.wrap(new Uint8Array(4));
  using none = wrapped.slice(4, 4);
  expect(picture(empty).text).toContain("no buffer: there are no elements");
  expect(picture(missing).text).toContain("no buffer: not initialized");
  expect(picture(wrapped).text).toContain("memory that the buffer does not own");
  expect(picture(none).data.placement).toMatchObject({ byteOffset: 4, bytes: 0 });
  expect(picture(none).text).toContain("uint8 [0], 0 bytes at byte 4");
  const gone = Tensor.zeros([1]);
  gone.dispose();
  expect(thrown(() => picture(gone))).toMatchObject({ code: "FAILED_PRECONDITION" });
  for (const other of [{}, null, 5]) expect(thrown(() => picture(other as never))).toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("describes an allocator", () => {
  const { data, text } = picture(new CPUAllocator());
  expect(data).toMatchObject({ kind: "allocator", name: "cpu", memoryType: "kHostPageable", tracksAllocationSizes: false });
  expect(text).toContain('allocator "cpu": kHostPageable, does not track sizes');
});

test("describes what is unusual: an unsealed shape, sizes out of line, statistics, another kind of memory, and nothing else", () => {
  expect(picture(new TensorShape([70000, 2])).text).toContain(
    "[70000,2]: REP32, 140000 elements; s seal, t dtype (no dtype), r rank, g tag",
  );
  const large = picture(new TensorShape([1, 2, 3, 4, 5, 6, 7]));
  expect(large.text.split("\n").slice(2, 4)).toEqual([
    "     |pointer                |-          |s |t |r |g |",
    "     |list                   |           |0 |0 |7 |2 |",
  ]);
  expect(large.data.fields.map(({ name }) => name)).toEqual(["pointer", "-", "seal", "dtype", "rank", "tag"]);
  const counting = new BFCAllocator(new BlockRegions(), 4096, "counting");
  expect(picture(counting).text).toContain(counting.getStats()!.debugString());
  class Elsewhere extends CPUAllocator {
    override getMemoryType(): AllocatorMemoryType {
      return 99 as AllocatorMemoryType;
    }
  }
  expect(picture(new Elsewhere()).data).toMatchObject({ memoryType: "99" });
  for (const other of [{ shape: 1 }, { buffer: 1 }])
    expect(() => picture(other as never)).toThrow("describe draws shapes, tensors and allocators");
});
