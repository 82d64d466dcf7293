/** Tests the reader of both versions, with checkpoints of version 1 that are made entry by entry. */
import { describe, expect, test } from "@jest/globals";
import { allDTypes, dataTypeOf } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import type { TensorProto } from "@onebuffer/core";
import { BundleWriter, CheckpointReader, openTensors } from "@onebuffer/io";
import type { SavedSliceMeta, SavedTensorSliceMeta } from "@onebuffer/proto";
import { savedTensorSlicesCodec } from "@onebuffer/proto";
import { encodeTensorNameSlice, TensorSlice } from "@onebuffer/slice";
import { expectRefusal } from "@onebuffer/test-support";
import { MemoryFolder, tableOf } from "./bundle-files.ts";
import type { Files } from "./bundle-files.ts";
import { TrackingAllocator, cpuAllocator } from "@onebuffer/allocator";
import { firstVersion } from "../formats/sample-files.ts";

type Part = readonly [name: string, slice: string, data: TensorProto];

/** A file of version 1. */
function v1File(
  tensor: readonly SavedSliceMeta[],
  parts: readonly Part[],
  versions: SavedTensorSliceMeta["versions"] = { producer: 1 },
): Uint8Array {
  const entries = parts.map(([name, text, data]): [Uint8Array, Uint8Array] => {
    const slice = TensorSlice.parse(text);
    return [encodeTensorNameSlice(name, slice), savedTensorSlicesCodec.encode({ data: { name, slice: slice.asProto(), data } })];
  });
  entries.sort(([a], [b]) => Buffer.compare(a, b));
  return tableOf([[new Uint8Array(0), savedTensorSlicesCodec.encode({ meta: { tensor, versions } })], ...entries]);
}

function metaOf(name: string, dtype: DType, shape: readonly number[], ...slices: readonly string[]): SavedSliceMeta {
  return {
    name,
    type: dataTypeOf(dtype),
    shape: { dim: shape.map((size) => ({ size })) },
    slice: slices.map((text) => TensorSlice.parse(text).asProto()),
  };
}

const open = (file: Uint8Array): Promise<CheckpointReader> => CheckpointReader.open(new Map([["old", file]]), "old");
const readW = async (file: Uint8Array): Promise<unknown> => {
  using tensor = await (await open(file)).getTensor("w");
  return tensor.toArray();
};

describe("CheckpointReader", () => {
  test("reads version 2 as BundleReader does", async () => {
    using kernel = Tensor.from([
      [1, 2],
      [3, 4],
    ]);
    const folder = new MemoryFolder();
    const writer = new BundleWriter(folder.create, "m");
    using row = kernel.slice(0, 1);
    await writer.addSlice("parts", [2, 2], TensorSlice.parse("0,1:-"), row);
    await writer.addSlice("parts", [2, 2], TensorSlice.parse("1,1:-"), row);
    await writer.add("kernel", kernel);
    await writer.finish();
    const reader = await CheckpointReader.open(folder.files, "m");
    expect([reader.version, reader.hasTensor("kernel"), reader.hasTensor("bias")]).toEqual([2, true, false]);
    expect(reader.debugString()).toBe("kernel (DT_FLOAT) [2,2]\nparts (DT_FLOAT) [2,2], 2 slices\n");
    using parts = await reader.getTensor("parts", { dtype: "float32" });
    expect(parts.toArray()).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  test("reads every dtype of version 1, whole and in slices", async () => {
    const dtypes = allDTypes.filter((dtype) => dtype !== "variant" && dtype !== "resource");
    for (const dtype of dtypes) {
      const source = dtype === "string" ? Tensor.from(["a", "b", "c", "d", "e", "f"], { shape: [2, 3] }) : new Tensor(dtype, [2, 3]);
      using whole = source as Tensor;
      if (dtype !== "string")
        whole.tensorData.forEach((_, i, bytes) => (bytes[i] = (i % 5) + (i % 2) * (dtype === "bool" ? -(i % 5) : 0) > 0 ? 1 : 0));
      const columns = ["-:0,2", "-:2,1"];
      const parts = columns.map((text): Part => {
        using part = whole.copySlice(TensorSlice.parse(text));
        const { dtype: _, tensorShape: __, ...data } = part.asProtoField({ copy: true });
        return ["w", text, data];
      });
      const file = v1File([metaOf("w", dtype, [2, 3], ...columns)], parts);
      using found = await (await open(file)).getTensor("w");
      expect([found.dtype, found.shape.dimSizes, found.toArray()]).toEqual([dtype, [2, 3], whole.toArray()]);
    }
  });

  test("finds the shards of version 1, whose tensors may be spread over them", async () => {
    const files: Files = new Map([
      [
        "old-00000-of-00002",
        v1File(
          [metaOf("w", "int32", [2], "0,1"), metaOf("a", "float32", [], "")],
          [
            ["w", "0,1", { intVal: [5] }],
            ["a", "", { floatVal: [1.5] }],
          ],
        ),
      ],
      ["old-00001-of-00002", v1File([metaOf("w", "int32", [2], "1,1")], [["w", "1,1", { intVal: [6] }]])],
      ["older-00000-of-00001", new Uint8Array(3)],
    ]);
    const reader = await CheckpointReader.open(files, "old");
    expect([reader.version, [...reader.variableToShapeMap].map(([name, shape]) => [name, shape.dimSizes])]).toEqual([
      1,
      [
        ["w", [2]],
        ["a", []],
      ],
    ]);
    expect([...reader.variableToDataTypeMap]).toEqual([
      ["w", "int32"],
      ["a", "float32"],
    ]);
    expect(reader.debugString()).toBe("w (DT_INT32) [2], 2 slices\na (DT_FLOAT) []\n");
    const events: unknown[] = [];
    using w = await reader.getTensor("w", { dtype: "int32", onProgress: (event) => events.push(event) });
    using a = await reader.getTensor("a");
    expect([w.toArray(), a.toArray(), events.at(-1)]).toEqual([[5, 6], 1.5, { bytes: 2, totalBytes: 2, name: "w" }]);
    await expectRefusal(() => reader.getTensor("w", { dtype: "int8" }), "INVALID_ARGUMENT", "int32");
    await expectRefusal(() => reader.getTensor("x"), "NOT_FOUND", '"x"');
    await expectRefusal(() => CheckpointReader.open(files, "ol"), "NOT_FOUND", '"ol.index"');
  });

  test("tensors do not share memory with the bytes they were read from", async () => {
    using text = Tensor.from(["aaaa"]);
    const folder = new MemoryFolder();
    const writer = new BundleWriter(folder.create, "m");
    await writer.add("t", text as Tensor);
    await writer.finish();
    const bytes = Uint8Array.of(97, 97, 97, 97);
    const files = folder.files;
    files.set(
      "old",
      v1File(
        [metaOf("t", "string", [1], "-"), metaOf("w", "float32", [1], "-")],
        [
          ["t", "-", { stringVal: [bytes] }],
          ["w", "-", { tensorContent: bytes }],
        ],
      ),
    );
    const readers = [await CheckpointReader.open(files, "m"), await CheckpointReader.open(files, "old")];
    const tensors = [await readers[0]!.getTensor("t"), await readers[1]!.getTensor("t"), await readers[1]!.getTensor("w")];
    const before = tensors.map((tensor) => tensor.toArray());
    for (const file of files.values()) file.fill(0);
    expect(tensors.map((tensor) => tensor.toArray())).toEqual(before);
    expect(before.slice(0, 2)).toEqual([["aaaa"], ["aaaa"]]);
    // The index was read by open.
    expect(readers[0]!.debugString()).toBe("t (DT_STRING) [1]\n");
    for (const tensor of tensors) tensor.dispose();
  });

  test("a message must have a value for each element, in the field of the dtype", async () => {
    const file = (data: TensorProto): Uint8Array => v1File([metaOf("w", "float32", [3], "-")], [["w", "-", data]]);
    expect(await readW(file({ floatVal: [1, 2, 3] }))).toEqual([1, 2, 3]);
    expect(await readW(file({ tensorContent: new Uint8Array(Float32Array.of(1, 2, 3).buffer) }))).toEqual([1, 2, 3]);
    for (const data of [{ floatVal: [1] }, { floatVal: [1, 2, 3, 4] }, { doubleVal: [1, 2, 3] }, {}, { tensorContent: new Uint8Array(8) }])
      await expectRefusal(() => readW(file(data)), "DATA_LOSS", "expected 3 values of float32");
    const huge = metaOf("w", "float32", [2 ** 45], "-");
    await expectRefusal(() => readW(v1File([huge], [["w", "-", { floatVal: [1] }]])), "DATA_LOSS", "expected 35184372088832 values");
  });

  test("cut short, changed, or inconsistent files of version 1", async () => {
    const meta = metaOf("w", "float32", [4], "0,2", "2,2");
    const parts: Part[] = [
      ["w", "0,2", { floatVal: [1, 2] }],
      ["w", "2,2", { floatVal: [3, 4] }],
    ];
    const file = v1File([meta], parts);
    expect(await readW(file)).toEqual([1, 2, 3, 4]);
    for (let length = 0; length < file.length; length++) await expectRefusal(() => readW(file.slice(0, length)), "DATA_LOSS");
    for (let at = 0; at < file.length; at++) {
      const changed = file.map((byte, i) => (i === at ? byte ^ 4 : byte));
      const outcome = await readW(changed).catch((error: unknown) => String(error).slice(0, 9));
      expect([[1, 2, 3, 4], "DATA_LOSS"]).toContainEqual(outcome);
    }
    await expectRefusal(() => readW(v1File([meta], parts.slice(1))), "DATA_LOSS", "slice 0,2", "is missing");
    await expectRefusal(() => readW(v1File([metaOf("w", "float32", [5], "0,2", "2,2")], parts)), "INVALID_ARGUMENT", "sufficient slices");
    await expectRefusal(() => readW(v1File([metaOf("w", "float32", [4], "0,2", "1,2")], parts)), "INTERNAL", "Overlapping");
    await expectRefusal(() => readW(v1File([meta, metaOf("w", "int32", [4], "2,2")], parts)), "INTERNAL", "Incompatible tensor types");
    await expectRefusal(() => readW(v1File([metaOf("w", "variant", [1], "-")], [])), "INVALID_ARGUMENT", "variant");
    await expectRefusal(() => readW(v1File([meta], parts, { minConsumer: 2 })), "INVALID_ARGUMENT", "min consumer");
    await expectRefusal(() => readW(tableOf([])), "DATA_LOSS", "saved tensor slices");
  });

  test("a checkpoint of version 1 knows its names, and gives slices from an allocator", async () => {
    using t = Tensor.from([1, 2, 3]);
    const bytes = firstVersion("w", t as Tensor);
    const reader = await CheckpointReader.open(new Map([["m", bytes]]), "m");
    expect([reader.hasTensor("w"), reader.hasTensor("x")]).toEqual([true, false]);
    await expectRefusal(() => reader.getTensor("x", { dtype: "float32" }), "NOT_FOUND");
    const store = await openTensors(bytes);
    const tracking = new TrackingAllocator(cpuAllocator(), true);
    {
      using part = await store.read("w", TensorSlice.parse("1,2"), { allocator: tracking });
      expect([part.toArray(), tracking.getSizes()[2]]).toEqual([[2, 3], 8]);
    }
    tracking.getRecordsAndUnRef();
  });
});
