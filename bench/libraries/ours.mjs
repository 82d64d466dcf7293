// onebuffer. Before timing, this process does what could make code permanently slower: it makes a 2^33-element, a partial and an
// out-of-line shape, and reads and writes elements of every dtype.
import { configureMemory, deepCopy, PartialTensorShape, Tensor, TensorShape } from "onebuffer";
import { allDTypes } from "onebuffer/base";
import { IndexUtil, layoutView, relayout, ShapeUtil } from "onebuffer/xla";
import { kAllocSide, allocCases } from "../alloc.mjs";
import { kElementSide as N, kSide, elementData, floats, matrixData, reshapeChecksum, sliceChecksum } from "../data.mjs";
import { heapBytesPer } from "../heap.mjs";
import { dropped, memoryCases } from "../rss.mjs";
import { poolCases } from "../pool.mjs";
import { threadCases } from "../threads.mjs";
import { decompositionsOfOurs } from "./ours-decompositions.mjs";
import { dtypesOfOurs } from "./ours-dtypes.mjs";
import { expressionsOfOurs } from "./ours-expressions.mjs";
import { checkpointsOfOurs } from "./ours-checkpoints.mjs";
import { filesOfOurs } from "./ours-files.mjs";
import { firstUsesOfOurs } from "./ours-first.mjs";
import { plansOfOurs } from "./ours-plans.mjs";
import { selectionsOfOurs } from "./ours-selections.mjs";
import { signalOfOurs } from "./ours-signal.mjs";
import { smallOfOurs } from "./ours-small.mjs";
import { matricesOfOurs } from "./ours-matrices.mjs";
import { trainingOfOurs } from "./ours-training.mjs";
import { windowsOfOurs } from "./ours-windows.mjs";
import { protoCases } from "./ours-proto.mjs";

let sink;

function poison() {
  sink = [
    new TensorShape([2 ** 33]),
    new PartialTensorShape([-1, 70000, 3]),
    new TensorShape([1, 2, 3, 70000]),
    new TensorShape([50000, 50000]),
  ];
}

function elementFor(dtype, map) {
  const value = map.at(0, 0);
  return dtype === "string" ? "text" : value;
}

/** Reads and writes every dtype through rank-2 maps, often enough to be optimized. */
function useAllDtypes() {
  for (const dtype of allDTypes) {
    const tensor = new Tensor(dtype, [8, 8]);
    const map = tensor.matrix();
    const value = elementFor(dtype, map);
    for (let round = 0; round < 400; round++) {
      for (let i = 0; i < 8; i++) {
        map.set(i, round & 7, value);
        sink = map.at(i, round & 7);
      }
    }
    tensor.dispose();
  }
}

poison();
useAllDtypes();

function sumRow(map, i) {
  let sum = 0;
  for (let j = 0; j < N; j++) sum += map.at(i, j);
  return sum;
}

function fillRow(map, i) {
  for (let j = 0; j < N; j++) map.set(i, j, i + j);
}

function sumNested(map) {
  let sum = 0;
  for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) sum += map.at(i, j);
  return sum;
}

function fillNested(map) {
  for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) map.set(i, j, i + j);
}

const sumByRow = (map) => {
  let sum = 0;
  for (let i = 0; i < N; i++) sum += sumRow(map, i);
  return sum;
};

const fillByRow = (map) => {
  for (let i = 0; i < N; i++) fillRow(map, i);
};

const reading = (read) => () => {
  const tensor = Tensor.from(elementData(), { shape: [N, N] });
  const map = tensor.matrix();
  return { ops: N * N, run: () => void (sink = read(map)), checksum: () => read(map), free: () => tensor.dispose() };
};

const writing = (write) => () => {
  const tensor = Tensor.zeros([N, N]);
  const map = tensor.matrix();
  return { ops: N * N, run: () => write(map), checksum: () => map.data.reduce((a, b) => a + b, 0), free: () => tensor.dispose() };
};

const repeated = (ops, act) => ({ ops, run: act });

/** The row loop exists once per class of map, as in a program written for speed. */
function sumStridedRow(map, i) {
  let sum = 0;
  for (let j = 0; j < N; j++) sum += map.at(i, j);
  return sum;
}

function sumLayoutRow(view, i) {
  let sum = 0;
  for (let j = 0; j < N; j++) sum += view.at(i, j);
  return sum;
}

const sumBy = (row) => (map) => {
  let sum = 0;
  for (let i = 0; i < N; i++) sum += row(map, i);
  return sum;
};

/** Makes two tensors of the same elements and disposes them one after the other. */
function copyAndDispose(data) {
  const tensor = Tensor.from(data);
  const copy = deepCopy(tensor);
  tensor.dispose();
  copy.dispose();
}

/** Makes a tensor that is unreachable once the next one is made. */
const forget = (data) => void (sink = Tensor.from(data));

/** Returns the figure of a process that sweeps eagerly. */
function droppedEagerly(pauseEvery) {
  configureMemory({ sweep: "eager" });
  return dropped(forget, pauseEvery);
}

export const cases = {
  ...allocCases({
    make: () => (sink = new Tensor("float32", [kAllocSide, kAllocSide])),
    makeOther: (elements) => new Tensor("float32", [elements]),
    dispose: (tensor) => tensor.dispose(),
    sizeOf: (tensor) => tensor.numElements,
  }),
  ...memoryCases(copyAndDispose, forget),
  "dropped RSS, eager": () => droppedEagerly(16),
  "dropped RSS, synchronous, eager": () => droppedEagerly(0),
  ...threadCases,
  ...poolCases,
  ...protoCases,
  ...expressionsOfOurs,
  ...dtypesOfOurs,
  ...plansOfOurs,
  ...firstUsesOfOurs,
  ...selectionsOfOurs,
  ...smallOfOurs,
  ...windowsOfOurs,
  ...signalOfOurs,
  ...trainingOfOurs,
  ...matricesOfOurs,
  ...decompositionsOfOurs,
  ...filesOfOurs,
  ...checkpointsOfOurs,
  "strided at"() {
    const tensor = Tensor.from(elementData(), { shape: [N, N] });
    const map = tensor.strided();
    const sum = sumBy(sumStridedRow);
    return { ops: N * N, run: () => void (sink = sum(map)), checksum: () => sum(map), free: () => tensor.dispose() };
  },
  "layout at"() {
    const view = layoutView(ShapeUtil.makeShape("f32", [N, N]), elementData());
    const sum = sumBy(sumLayoutRow);
    return { ops: N * N, run: () => void (sink = sum(view)), checksum: () => sum(view) };
  },
  relayout() {
    const side = 2048;
    const source = { shape: ShapeUtil.makeShapeWithDenseLayout("f32", [side, side], [1, 0]), data: floats(side * side) };
    const target = { shape: ShapeUtil.makeShapeWithDenseLayout("f32", [side, side], [0, 1]), data: new Float32Array(side * side) };
    return { run: () => relayout(source, target), checksum: () => target.data[5] + 3 * target.data[side * 7 + 1] };
  },
  "linear index"() {
    const shape = ShapeUtil.makeShape("f32", [5, 8, 10, 4]);
    const indices = Array.from({ length: 64 }, (_, i) => [i % 5, i % 8, i % 10, i % 4]);
    return repeated(64_000, () => {
      let sum = 0;
      for (let round = 0; round < 1000; round++)
        for (let i = 0; i < 64; i++) sum = (sum + IndexUtil.multidimensionalIndexToLinearIndex(shape, indices[i])) | 0;
      sink = sum;
    });
  },
  reshape() {
    const matrix = Tensor.wrap(matrixData(), [kSide, kSide]);
    return {
      run() {
        const view = matrix.reshape([512, 2048]);
        sink = view;
        view.dispose();
      },
      checksum() {
        const view = matrix.reshape([512, 2048]);
        const sum = reshapeChecksum(view.matrix().at(1, 3), view.dims);
        view.dispose();
        return sum;
      },
      free: () => matrix.dispose(),
    };
  },
  slice() {
    const matrix = Tensor.wrap(matrixData(), [kSide, kSide]);
    return {
      run() {
        const view = matrix.slice(256, 512);
        sink = view;
        view.dispose();
      },
      checksum() {
        const view = matrix.slice(256, 512);
        const sum = sliceChecksum(view.matrix().at(0, 0), view.matrix().at(255, kSide - 1), view.dimSize(0));
        view.dispose();
        return sum;
      },
      free: () => matrix.dispose(),
    };
  },
  view() {
    const matrix = Tensor.wrap(matrixData(), [kSide, kSide]);
    return {
      run() {
        const handle = matrix.share();
        sink = handle.matrix();
        handle.dispose();
      },
      checksum: () => matrix.matrix().at(1, 3),
      note: "share + matrix() + dispose",
      free: () => matrix.dispose(),
    };
  },
  at: reading(sumByRow),
  "at nested": reading(sumNested),
  set: writing(fillByRow),
  "set nested": writing(fillNested),
  "shape make": () =>
    repeated(1000, () => {
      for (let i = 0; i < 1000; i++) sink = new TensorShape([i, 3, 4]);
    }),
  "shape dimSize"() {
    const shapes = Array.from({ length: 64 }, (_, i) => new TensorShape([i, 3, 4]));
    return repeated(64_000, () => {
      let sum = 0;
      for (let round = 0; round < 1000; round++) for (let i = 0; i < 64; i++) sum = (sum + shapes[i].dimSize(1)) | 0;
      sink = sum;
    });
  },
  "shape equality"() {
    const shapes = Array.from({ length: 64 }, (_, i) => new TensorShape([i >> 1, 3, 4]));
    return repeated(63_000, () => {
      let same = 0;
      for (let round = 0; round < 1000; round++) for (let i = 0; i < 63; i++) if (shapes[i].isSameSize(shapes[i + 1])) same++;
      sink = same;
    });
  },
  "shape heap": () => ({ value: () => heapBytesPer((i) => new TensorShape([i & 1023, 3, 4])) }),
  "shape heap Rep32": () => ({ value: () => heapBytesPer((i) => new TensorShape([70000 + (i & 1023), 3])) }),
  "reshaped tensor heap"() {
    const matrix = Tensor.zeros([kSide, kSide]);
    return {
      value: () =>
        heapBytesPer(
          () => matrix.reshape([512, 2048]),
          (view) => view.dispose(),
        ),
      free: () => matrix.dispose(),
    };
  },
  "slice heap"() {
    const matrix = Tensor.zeros([kSide, kSide]);
    return {
      value: () =>
        heapBytesPer(
          (i) => matrix.slice(i & 255, 512),
          (view) => view.dispose(),
        ),
      free: () => matrix.dispose(),
    };
  },
};

export const last = () => sink;
