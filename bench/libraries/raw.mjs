// Plain JavaScript: the loops and literals that the targets refer to.
import { kAllocElements, allocCases } from "../alloc.mjs";
import { kElementSide as N, elementData, floats } from "../data.mjs";
import { heapBytesPer } from "../heap.mjs";
import { memoryCases } from "../rss.mjs";
import { cloneCases } from "../threads.mjs";
import { expressionsOfRaw } from "./raw-expressions.mjs";
import { checkpointsOfRaw } from "./raw-checkpoints.mjs";
import { filesOfRaw } from "./raw-files.mjs";

let sink;

function sumRow(array, i) {
  let sum = 0;
  for (let j = 0; j < N; j++) sum += array[i * N + j];
  return sum;
}

function fillRow(array, i) {
  for (let j = 0; j < N; j++) array[i * N + j] = i + j;
}

function sumNested(array) {
  let sum = 0;
  for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) sum += array[i * N + j];
  return sum;
}

function fillNested(array) {
  for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) array[i * N + j] = i + j;
}

const reading = (read) => () => {
  const array = elementData();
  return { ops: N * N, run: () => void (sink = read(array)), checksum: () => read(array) };
};

const writing = (write) => () => {
  const array = elementData();
  return { ops: N * N, run: () => write(array), checksum: () => array.reduce((a, b) => a + b, 0) };
};

const byRow = (row) => (array) => {
  let sum = 0;
  for (let i = 0; i < N; i++) sum += row(array, i);
  return sum;
};

/** The fastest blocked transpose found in plain JavaScript: tiles of 16 by 16, with every value a parameter. */
function transpose(source, target, n) {
  for (let bi = 0; bi < n; bi += 16) {
    for (let bj = 0; bj < n; bj += 16) {
      for (let i = bi; i < bi + 16; i++) for (let j = bj; j < bj + 16; j++) target[j * n + i] = source[i * n + j];
    }
  }
}

export const cases = {
  ...cloneCases,
  ...expressionsOfRaw,
  ...filesOfRaw,
  ...checkpointsOfRaw,
  alloc: allocCases({
    make: () => (sink = new Float32Array(kAllocElements)),
    dispose: () => undefined,
    sizeOf: (array) => array.length,
    note: "new Float32Array, left to the collector",
  }).alloc,
  ...memoryCases(
    (data) => {
      sink = data.slice();
      sink = sink.slice();
    },
    (data) => void (sink = data.slice()),
    { step: "typed arrays, left to the collector", make: "typed arrays" },
  ),
  relayout() {
    const side = 2048;
    const source = floats(side * side);
    const target = new Float32Array(side * side);
    return { run: () => transpose(source, target, side), checksum: () => target[5] + 3 * target[side * 7 + 1], note: "16x16 tiles" };
  },
  "strided at": reading(byRow(sumRow)),
  "layout at": reading(byRow(sumRow)),
  at: reading(byRow(sumRow)),
  "at nested": reading(sumNested),
  set: writing((array) => {
    for (let i = 0; i < N; i++) fillRow(array, i);
  }),
  "set nested": writing(fillNested),
  "shape make": () => ({
    ops: 1000,
    note: "literal [i, 3, 4]",
    run() {
      for (let i = 0; i < 1000; i++) sink = [i, 3, 4];
    },
  }),
  "shape heap": () => ({ note: "number[3]", value: () => heapBytesPer((i) => [i, 3, 4]) }),
  "shape heap Rep32": () => ({ note: "Uint8Array(16)", value: () => heapBytesPer(() => new Uint8Array(16)) }),
};

export const last = () => sink;
