// Operations that allocate, as subjects of injected faults: at least one of every kind in the packages. Each makes what it needs of the inputs,
// and returns what must be disposed.
import { CPUAllocator } from "@onebuffer/allocator";
import { concat, deepCopy, split, stackTensors, Tensor, unstackTensor } from "@onebuffer/core";
import { evaluate } from "@onebuffer/eigen";
import { adamState, gradients, hessianVectorProduct, jacobian, momentumState, rmsPropState } from "@onebuffer/gradients";
import * as io from "@onebuffer/io";
import * as linalg from "@onebuffer/linalg";
import { fromTextFormat, tensorProtoCodec, toTextFormat } from "@onebuffer/proto";
import { TensorSlice } from "@onebuffer/slice";
import * as signal from "@onebuffer/signal";
import { toStableHLO } from "@onebuffer/stablehlo";
import { literalFromProto, literalToProto, parseShape, relayout } from "@onebuffer/xla";

/** The operands, which no operation may change, and a target, which an operation that throws may not change. */
export interface Inputs {
  readonly matrix: Tensor<"float32">;
  readonly square: Tensor<"float64">;
  readonly words: Tensor<"string">;
  readonly target: Tensor<"float64">;
}

export type Operation = (inputs: Inputs) => unknown;

const cpu = new CPUAllocator();

const core: Readonly<Record<string, Operation>> = {
  from: () => Tensor.from([[1, 2, 3], [4, 5, 6]]), // biome-ignore format: a matrix
  "from with an allocator": () => Tensor.from([1, 2, 3], { allocator: cpu }),
  zeros: () => Tensor.zeros([3, 4]),
  full: () => Tensor.full([3, 4], 7n, { dtype: "int64" }),
  arange: () => Tensor.arange(0, 10),
  linspace: () => Tensor.linspace(0, 1, 11),
  eye: () => Tensor.eye(4),
  random: () => Tensor.random([5]),
  strings: () => Tensor.from(["a", "bc"]),
  "a complex tensor": () => Tensor.zeros([3], { dtype: "complex64" }),
  fromProto: ({ matrix }) => Tensor.fromProto(matrix.asProtoTensorContent()),
  asProtoField: ({ matrix }) => void matrix.asProtoField(),
  "asProtoTensorContent of strings": ({ words }) => Tensor.fromProto(words.asProtoTensorContent()),
  concat: ({ matrix }) => concat([matrix, matrix]),
  split: ({ matrix }) => split(matrix, [1, 1]),
  deepCopy: ({ matrix }) => deepCopy(matrix),
  "deepCopy of strings": ({ words }) => deepCopy(words),
  "stack tensors": ({ matrix }) => stackTensors([matrix, matrix]),
  unstack: ({ matrix }) => unstackTensor(matrix),
  evaluate: ({ matrix }) => Tensor.evaluate(matrix.matrix().mul(2).add(1).exp()),
  "evaluate with stages": ({ square }) => Tensor.evaluate(square.matrix().matMul(square.matrix()).softmax(1).cumsum(0)),
  copySlice: ({ matrix }) => matrix.copySlice(TensorSlice.parse("-:1,1")),
  toArray: ({ words }) => void words.toArray(),
};

const assigned: Readonly<Record<string, Operation>> = {
  "assign a sum": ({ square, target }) => target.matrix().assign(square.matrix().add(1)),
  "assign a product": ({ square, target }) => target.matrix().assign(square.matrix().matMul(square.matrix())),
  "assign its own transposition": ({ target }) => target.matrix().assign(target.matrix().transpose()),
  "assign sorted rows": ({ square, target }) => target.matrix().assign(square.matrix().sort(1)),
  "assign a cumulative sum": ({ square, target }) => target.matrix().assign(square.matrix().cumsum(0)),
  "assign a whole over a shared part": ({ square, target }) => {
    const shared = square.matrix().mul(2).add(1);
    target.matrix().assign(shared.div(shared.sum([1], { keepDims: true })).sub(shared.max([0], { keepDims: true })));
  },
  inverse: ({ square, target }) => target.matrix().assign(linalg.inverse(square.matrix())),
  solve: ({ square, target }) => target.matrix().assign(linalg.solve(square.matrix(), square.matrix())),
  cholesky: ({ square, target }) => {
    const map = square.matrix();
    target.matrix().assign(linalg.cholesky(map.matMul(map, { transposeB: true }).add(linalg.diag(map.mul(0).sum([1]).add(9)))));
  },
  qr: ({ square, target }) => target.matrix().assign(linalg.qr(square.matrix()).q),
  svd: ({ square, target }) => target.matrix().assign(linalg.svd(square.matrix()).u),
  eigh: ({ square, target }) => target.matrix().assign(linalg.eigh(square.matrix()).v),
  lu: ({ square, target }) => target.matrix().assign(linalg.lu(square.matrix()).lu),
  expm: ({ square, target }) => target.matrix().assign(linalg.expm(square.matrix())),
  pseudoInverse: ({ square, target }) => target.matrix().assign(linalg.pseudoInverse(square.matrix())),
  kron: ({ square }) => Tensor.evaluate(linalg.kron(square.matrix(), square.matrix())),
  "the gradient of a product": ({ square, target }) => {
    const map = square.matrix();
    const [gradient] = gradients(map.matMul(map).sum(), [map]);
    target.matrix().assign(gradient as never);
  },
  jacobian: ({ square }) => Tensor.evaluate(jacobian(square.matrix().sum([1]), [square.matrix()])[0] as never),
  hessianVectorProduct: ({ square, target }) => {
    const map = square.matrix();
    const [product] = hessianVectorProduct(map.mul(map).mul(map).sum(), [map], [map]);
    target.matrix().assign(product as never);
  },
  adamState: ({ square }) => {
    const { steps, means, squares } = adamState([square]);
    return [steps, ...means, ...squares];
  },
  momentumState: ({ square }) => momentumState([square, square]),
  rmsPropState: ({ square }) => rmsPropState([square, square]),
};

const signals: Readonly<Record<string, Operation>> = {
  rfft: ({ matrix }) => Tensor.evaluate(signal.rfft(matrix.matrix())),
  "fft of 7 elements": ({ square }) => Tensor.evaluate(signal.fft(square.matrix().cast("complex128"), { fftLength: 7 })),
  dct: ({ matrix }) => Tensor.evaluate(signal.dct(matrix.matrix())),
  frame: ({ matrix }) => Tensor.evaluate(signal.frame(matrix.matrix(), 2, 1)),
  hannWindow: () => Tensor.evaluate(signal.hannWindow(8)),
  fftConvolve: ({ matrix }) => Tensor.evaluate(signal.fftConvolve(matrix.matrix(), matrix.matrix())),
};

const kDense = parseShape("f32[2,3]{1,0}");
const kTransposed = parseShape("f32[2,3]{0,1}");

const messages: Readonly<Record<string, Operation>> = {
  "a message there and back": ({ matrix }) =>
    Tensor.fromProto(tensorProtoCodec.decode(tensorProtoCodec.encode(matrix.asProtoTensorContent()))),
  "a message as text": ({ matrix }) => {
    const text = toTextFormat(tensorProtoCodec, matrix.asProtoField());
    return Tensor.fromProto(fromTextFormat(tensorProtoCodec, text) as never);
  },
  relayout: () => void relayout({ shape: kDense, data: new Float32Array(6) }, { shape: kTransposed, data: new Float32Array(6) }),
  "a literal there and back": () => void literalFromProto(literalToProto({ shape: kDense, data: new Float32Array(6), tupleLiterals: [] })),
  toStableHLO: ({ matrix }) => void toStableHLO([matrix.matrix().add(1)]),
  "evaluate to memory of its own": ({ square }) => void evaluate(square.matrix().matMul(square.matrix())),
};

const files: Readonly<Record<string, Operation>> = {
  writeNpy: ({ matrix }) => void io.writeNpy(matrix),
  readNpy: ({ matrix }) => io.readNpy(io.writeNpy(matrix)),
  "readNpy of columns": ({ matrix }) => io.readNpy(io.writeNpy(matrix.matrix().transpose())),
  "an .npz there and back": async ({ matrix }) => await io.readNpz(await io.writeNpz({ a: matrix, b: matrix }, { compressed: true })),
  "safetensors there and back": ({ matrix }) => io.readSafetensors(io.writeSafetensors({ a: matrix, b: matrix })),
  "records there and back": async () => {
    const sink = new io.ChunkSink();
    await io.writeTFRecords(sink, [Uint8Array.of(1, 2, 3)], { compression: "GZIP" });
    for await (const record of io.readTFRecords(sink.toBytes(), { compression: "GZIP" })) void record;
  },
  "a checkpoint there and back": async ({ matrix, words }) => {
    const memory = new io.MemoryFiles();
    const writer = new io.BundleWriter(memory, "m");
    await writer.add("a", matrix);
    await writer.add("w", words);
    await writer.finish();
    const reader = await io.BundleReader.open(memory.files, "m");
    return await reader.lookupAll();
  },
  "a model of safetensors in parts": async ({ matrix }) => {
    const memory = new io.MemoryFiles();
    await io.saveSafetensorsModel({ v: matrix, w: matrix }, memory, { maxShardBytes: matrix.totalBytes });
    const model = await io.openSafetensorsModel(memory.files);
    return await model.tensors();
  },
};

/** All operations by their names. */
export const operations: Readonly<Record<string, Operation>> = { ...core, ...assigned, ...signals, ...messages, ...files };
