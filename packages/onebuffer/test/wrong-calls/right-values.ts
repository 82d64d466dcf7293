// Valid values for the tests of wrong calls: the objects whose methods are called, and the valid arguments passed next to a wrong one.
import * as onebuffer from "./everything.ts";
import type { Named } from "./wrong-values.ts";

const { Tensor, tensorMap, parseShape } = onebuffer;

/** The files of a checkpoint with a tensor `w`. */
const checkpoint = new onebuffer.MemoryFiles();
{
  using tensor = Tensor.from([1, 2, 3]);
  const writer = new onebuffer.BundleWriter(checkpoint, "m");
  await writer.add("w", tensor);
  await writer.finish();
}
const bundleReader = await onebuffer.BundleReader.open(checkpoint.files, "m");
const checkpointReader = await onebuffer.CheckpointReader.open(checkpoint.files, "m");

const tensorStore = await onebuffer.openTensorFiles(checkpoint.files, "m");

/** The objects whose methods are called: at least one of every class that has methods. */
export const receivers: readonly Named[] = [
  [
    "a Tensor",
    (made) =>
      made.handle(
        Tensor.from([
          [1, 2, 3],
          [4, 5, 6],
        ]),
      ),
  ], // prettier-ignore
  ["a vector Tensor", (made) => made.handle(Tensor.from([1, 2, 3]))],
  ["an int32 Tensor", (made) => made.handle(Tensor.from([0, 1], { dtype: "int32" }))],
  ["a string Tensor", (made) => made.handle(Tensor.from(["a", "b"]))],
  ["a TensorShape", () => new onebuffer.TensorShape([2, 3])],
  ["a PartialTensorShape", () => new onebuffer.PartialTensorShape([2, -1])],
  ["a TensorMap", () => tensorMap("float32", new Float32Array(6), [2, 3])],
  ["a vector TensorMap", () => tensorMap("float32", new Float32Array(3), [3])],
  ["a scalar TensorMap", () => tensorMap("float32", new Float32Array(1), [])],
  ["a TensorMap of rank 3", () => tensorMap("float32", new Float32Array(8), [2, 2, 2])],
  ["an int64 TensorMap", () => tensorMap("int64", new BigInt64Array(6), [2, 3])],
  ["a bool TensorMap", () => tensorMap("bool", new Uint8Array(6), [2, 3])],
  ["a complex TensorMap", () => tensorMap("complex64", new Float32Array(12), [2, 3])],
  ["a float16 TensorMap", () => tensorMap("float16", new Uint16Array(6), [2, 3])],
  ["a float8 TensorMap", () => tensorMap("float8_e5m2", new Uint8Array(6), [2, 3])],
  ["a string TensorMap", () => tensorMap("string", [Uint8Array.of(1), Uint8Array.of(2)], [2])],
  ["an unaligned TensorMap", () => onebuffer.unalignedTensorMap("float32", new ArrayBuffer(32), 1, onebuffer.kUnowned, [2, 3])],
  ["a StridedMap", () => tensorMap("float32", new Float32Array(6), [2, 3]).strided("::-1")],
  ["a ConstStridedMap", () => onebuffer.constStridedMap("float32", new Float32Array(6), [2, 3], [3, 1])],
  ["an expression", () => tensorMap("float32", new Float32Array(6), [2, 3]).add(1)],
  ["a bool expression", () => tensorMap("float32", new Float32Array(6), [2, 3]).greater(1)],
  ["a BundleReader", () => bundleReader],
  ["a CheckpointReader", () => checkpointReader],
  ["a TensorStore", () => tensorStore],
  ["a BundleWriter", () => new onebuffer.BundleWriter(new onebuffer.MemoryFiles(), "m")],
  ["a TensorSlice", () => onebuffer.TensorSlice.parse("0,1:-")],
  ["a TensorSliceSet", () => new onebuffer.TensorSliceSet(new onebuffer.TensorShape([2, 3]), "float32")],
  ["a Buffer", (made) => made.counted(new onebuffer.Buffer("float32", onebuffer.cpuAllocator(), 4))],
  ["a HostScalarTensorBuffer", (made) => made.counted(new onebuffer.HostScalarTensorBuffer("float32", 1))],
  ["a ForeignBuffer", (made) => made.counted(new onebuffer.ForeignBuffer(new Float32Array(4)))],
  [
    "a SubBuffer",
    (made) => made.counted(new onebuffer.SubBuffer(made.counted(new onebuffer.Buffer("float32", onebuffer.cpuAllocator(), 4)), 1, 2, 4)),
  ],
  ["a TensorReference", (made) => made.counted(new onebuffer.TensorReference(made.handle(Tensor.from([1]))))],
  ["a CPUAllocator", () => new onebuffer.CPUAllocator()],
  ["a BFCAllocator", () => new onebuffer.BFCAllocator(new onebuffer.LinearMemorySubAllocator(), 2 ** 20, "b")],
  ["a TrackingAllocator", () => new onebuffer.TrackingAllocator(onebuffer.cpuAllocator(), true)],
  ["an AllocatorWrapper", () => new onebuffer.AllocatorWrapper(onebuffer.cpuAllocator())],
  ["a SubAllocator", () => new onebuffer.LinearMemorySubAllocator()],
  ["AllocatorAttributes", () => new onebuffer.AllocatorAttributes()],
  ["AllocationAttributes", () => new onebuffer.AllocationAttributes()],
  ["AllocatorStats", () => new onebuffer.AllocatorStats()],
  ["a RefCountPtr", () => new onebuffer.RefCountPtr(null)],
  ["a WeakPtr", () => new onebuffer.WeakPtr(null)],
  ["a Variant", () => new onebuffer.Variant(5)],
  ["an UnknownVariant", () => new onebuffer.UnknownVariant({ typeName: "x", metadata: new Uint8Array(0), tensors: [] })],
  ["a ResourceHandle", () => new onebuffer.ResourceHandle({ name: "a" })],
  ["a MessageCodec", () => onebuffer.tensorProtoCodec],
  ["an ElementCodec", () => onebuffer.elementCodec("int64")],
  ["a Shape", () => parseShape("f32[2,3]{1,0}")],
  ["a tuple Shape", () => parseShape("(f32[2], s32[])")],
  ["a Layout", () => onebuffer.parseLayout("{1,0}")],
  ["a Tile", () => new onebuffer.Tile([2, 3])],
  ["a SplitConfig", () => new onebuffer.SplitConfig(0, [1])],
  ["a ProgramShape", () => new onebuffer.ProgramShape([], parseShape("f32[]"))],
  ["a LayoutView", () => onebuffer.layoutView(parseShape("f32[2,3]{1,0}"), new Float32Array(6))],
  ["a LinearMemory", () => onebuffer.linearMemory()],
  ["the buffer ledger", () => onebuffer.bufferLedger],
  ["a StatusError", () => new onebuffer.InternalError("x")],
  ["a MemoryToken", () => new onebuffer.MemoryToken(null)],
];

/** Values that are valid for at least one parameter. */
export const values: readonly Named[] = [
  ['"float32"', () => "float32"],
  ['"int32"', () => "int32"],
  ['"string"', () => "string"],
  ['"f32"', () => "f32"],
  ['"-:0,1"', () => "-:0,1"],
  ["[2,3]", () => [2, 3]],
  ["[0]", () => [0]],
  ["[0,1]", () => [0, 1]],
  ["0", () => 0],
  ["1", () => 1],
  ["2", () => 2],
  ["3", () => 3],
  ["true", () => true],
  ["false", () => false],
  ["a Float32Array", () => new Float32Array(6)],
  ["a Uint8Array", () => new Uint8Array(32)],
  ["an Int32Array", () => Int32Array.of(1, 0)],
  ["{}, empty options", () => ({})],
  ["a TensorProto", () => ({ dtype: 1, tensorShape: { dim: [{ size: 2 }] }, floatVal: [1, 2] })],
  ["a TensorShapeProto", () => ({ dim: [{ size: 2 }] })],
  ["a TensorSliceProto", () => ({ extent: [{ start: 0, length: 1 }] })],
  ["a message's bytes", () => onebuffer.tensorProtoCodec.encode({ dtype: 1 })],
  ["variant data", () => onebuffer.newVariantTensorData()],
  ["a callback", () => () => 0],
];
