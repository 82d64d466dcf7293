// Tests the collections of tensors that writers take and readers return, given wrong values.
import { expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import {
  ChunkSink,
  MemoryFiles,
  NamedTensors,
  ObjectGraph,
  readSafetensors,
  saveNpz,
  saveSafetensors,
  saveSafetensorsModel,
  Trackable,
  writeNpz,
  writeSafetensors,
} from "@onebuffer/io";
import { expectRefusal } from "@onebuffer/test-support";

/** An array with a billion holes: a loop over all of it takes minutes. */
const sparse = (): unknown[] => {
  const holes: unknown[] = [];
  holes.length = 1e9;
  return holes;
};

const detached = (): Uint8Array => {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
};

test("NamedTensors takes a list or a Map of names and tensors, nothing else", async () => {
  using tensor = Tensor.from([1, 2]);
  using twice = Tensor.from([1, 2]);
  expect([...new NamedTensors([["a", tensor]]).keys()]).toEqual(["a"]);
  expect([...new NamedTensors(new Map([["a", twice]])).keys()]).toEqual(["a"]);
  for (const wrong of [null, 5, "ab", {}, [1], [[]], [["a"]], [["a", 5]], [[5, tensor]], sparse(), detached()])
    await expectRefusal(() => new NamedTensors(wrong as never), "INVALID_ARGUMENT");
});

test("writers refuse other collections of tensors at once", async () => {
  for (const wrong of [sparse(), detached(), [1], new Set(["a"]), new Map([[5, 5]]), { a: 5 }]) {
    await expectRefusal(() => saveNpz(wrong as never, new ChunkSink()), "INVALID_ARGUMENT");
    await expectRefusal(() => writeSafetensors(wrong as never), "INVALID_ARGUMENT");
    await expectRefusal(() => saveSafetensorsModel(wrong as never, new MemoryFiles()), "INVALID_ARGUMENT");
  }
  await expectRefusal(() => Trackable.of(sparse() as never), "INVALID_ARGUMENT", "no element 0");
});

test("the refusal says what to write", async () => {
  using tensor = Tensor.from([1, 2]);
  const sum = tensor.vec().add(1);
  const wrong: readonly (readonly [() => unknown, string])[] = [
    [() => writeSafetensors(tensor as never), "writeSafetensors: expected a Map or an object of tensors, got a tensor without a name"],
    [() => saveSafetensorsModel(tensor as never, new MemoryFiles()), "saveSafetensorsModel({ name: tensor }, …)"],
    [() => writeNpz(tensor as never), "writeNpz({ name: tensor }, …)"],
    [() => writeSafetensors({ sum } as never), 'expected a tensor for "sum", got float32 [2]: tensorOf(map or expression) makes a tensor'],
    [() => writeNpz({ map: tensor.vec() } as never), 'expected a tensor for "map", got float32 [2]: tensorOf('],
    [() => writeSafetensors(new Map([[5, tensor]]) as never), "writeSafetensors: expected a text as a name, got 5"],
    [() => writeSafetensors({}, { metadata: { hidden: 32 } as never }), 'writeSafetensors: expected a text as metadata "hidden", got 32'],
  ];
  for (const [call, message] of wrong) await expectRefusal(call, "INVALID_ARGUMENT", message);
});

/** A model as programs declare it: an interface has no index signature. */
interface Model {
  readonly weights: Tensor<"float32">;
  bias: Tensor<"float64">;
}

test("writers take objects whose type is an interface", async () => {
  using weights = Tensor.from([1, 2]);
  using bias = Tensor.from([1], { dtype: "float64" });
  const model: Model = { weights, bias };
  const file = writeSafetensors(model);
  const sink = new ChunkSink();
  await saveSafetensors(model, sink);
  expect(sink.toBytes()).toEqual(file);
  const files = new MemoryFiles();
  await saveSafetensorsModel(model, files);
  expect(files.files.get("model.safetensors")).toEqual(file);
  const zip = await writeNpz(model);
  const zipSink = new ChunkSink();
  await saveNpz(model, zipSink);
  expect(zipSink.toBytes()).toEqual(zip);
  const named: ReadonlyMap<string, Tensor> | Record<string, Tensor<"float32">> = new Map([["weights", weights]]);
  expect(writeSafetensors(named)).toEqual(writeSafetensors({ weights }));
  using read = readSafetensors(file);
  expect(writeSafetensors(read)).toEqual(file);
  expect(await writeNpz([weights, bias])).toEqual(await writeNpz({ arr_0: weights, arr_1: bias }));
});

test("types: writers refuse objects with other values", async () => {
  const wrong: { readonly weights: number } = { weights: 5 };
  // @ts-expect-error a number is no tensor
  await expectRefusal(() => writeSafetensors(wrong), "INVALID_ARGUMENT");
  // @ts-expect-error a number is no tensor
  await expectRefusal(() => saveSafetensors({ weights: 5 }, new ChunkSink()), "INVALID_ARGUMENT");
  // @ts-expect-error a number is no tensor
  await expectRefusal(() => saveSafetensorsModel(wrong, new MemoryFiles()), "INVALID_ARGUMENT");
  // @ts-expect-error a number is no tensor
  await expectRefusal(() => writeNpz(wrong), "INVALID_ARGUMENT");
  // @ts-expect-error numbers are no tensors
  await expectRefusal(() => saveNpz([5], new ChunkSink()), "INVALID_ARGUMENT");
  using tensor = Tensor.from([1, 2]);
  // @ts-expect-error a tensor without a name
  await expectRefusal(() => writeSafetensors(tensor), "INVALID_ARGUMENT");
});

test("what files are written to and graphs are read from is checked", async () => {
  for (const wrong of [undefined, null, 5, {}, { create: () => undefined }]) {
    await expectRefusal(() => saveSafetensorsModel({}, wrong as never), "INVALID_ARGUMENT", "FileSinks");
    await expectRefusal(() => ObjectGraph.read(wrong as never), "INVALID_ARGUMENT", "a reader of a checkpoint");
  }
  for (const wrong of [undefined, null, 5])
    await expectRefusal(() => ObjectGraph.fromProto(wrong as never), "INVALID_ARGUMENT", "TrackableObjectGraph");
});
