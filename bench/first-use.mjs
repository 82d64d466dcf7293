// `node bench/first-use.mjs NAME` prints the milliseconds of the first use of an operation in this process, after the import: planned,
// compiled and run over elements that exist already.
import { select, statelessNormal, Tensor, tensorOf } from "onebuffer";
import { convolve } from "onebuffer/eigen";
import { floats } from "./data.mjs";

const kCells = 64;
const kGenerations = 100;

const tensor = (...shape) => Tensor.from(floats(shape.reduce((a, b) => a * b)), { shape });

/** Runs generations of Conway's game of life on a torus. */
function life(board) {
  for (let generation = 0; generation < kGenerations; generation++) {
    let neighbors = null;
    for (const dy of [-1, 0, 1]) {
      for (const dx of [-1, 0, 1]) {
        if (dy === 0 && dx === 0) continue;
        const moved = board.roll([dy, dx], [0, 1]);
        neighbors = neighbors === null ? moved : neighbors.add(moved);
      }
    }
    const lives = neighbors.equal(3).logicalOr(neighbors.equal(2).logicalAnd(board.equal(1)));
    board.assign(select(lives, 1, 0).cast("uint8"));
  }
}

const kChunk = 160;
const kChunks = 554;

/** One pass over a signal in chunks: each is copied into a ring, and the mean of the ring is assigned. */
function ringPass(signal, ring, means) {
  const places = ring.strided();
  const slots = means.strided();
  let at = 0;
  for (let chunk = 0; chunk < kChunks; chunk++) {
    const begin = chunk * kChunk;
    const over = Math.max(0, at + kChunk - ring.size);
    places.slice([at, at + kChunk - over]).copyFrom(signal.subarray(begin, begin + kChunk - over));
    if (over > 0) places.slice([0, over]).copyFrom(signal.subarray(begin + kChunk - over, begin + kChunk));
    at = (at + kChunk) % ring.size;
    slots.slice([chunk, chunk + 1]).assign(ring.mean(0, { keepDims: true }));
  }
}

const ringOperands = () => [floats(kChunk * kChunks), tensor(4096).vec(), tensor(kChunks).vec()];

/** As ringPass, after so many passes. */
const passesBefore = (passes) => () => {
  const all = ringOperands();
  for (let pass = 0; pass < passes; pass++) ringPass(...all);
  return all;
};

/** The operands of each operation, and the operation. */
const uses = {
  map: [() => [tensor(64, 64).matrix(), tensor(64, 64).matrix()], (a, b) => tensorOf(a.mul(b).add(1))],
  reduction: [() => [tensor(64, 64).matrix()], (a) => tensorOf(a.sum([1]))],
  softmax: [() => [tensor(64, 64).matrix()], (a) => tensorOf(a.softmax())],
  product: [() => [tensor(64, 64).matrix(), tensor(64, 64).matrix()], (a, b) => tensorOf(a.matMul(b))],
  convolution: [
    () => [tensor(1, 16, 16, 8).tensor(4), tensor(3, 3, 8, 8).tensor(4)],
    (images, filters) => tensorOf(convolve(images, filters, { padding: "same" })),
  ],
  "random normal": [() => [], () => tensorOf(statelessNormal("float32", [1000], [1, 2]))],
  "game of life": [
    () => {
      const cells = Uint8Array.from({ length: kCells * kCells }, (_, i) => ((i * 7919) % 13 < 4 ? 1 : 0));
      return [Tensor.from(cells, { shape: [kCells, kCells] }).matrix()];
    },
    life,
  ],
  "ring, first pass": [ringOperands, ringPass],
  "ring, third pass": [passesBefore(2), ringPass],
  "ring, warm": [passesBefore(60), ringPass],
};

const [operands, use] = uses[process.argv[2]];
const made = operands();
const begun = performance.now();
use(...made);
process.stdout.write(String(performance.now() - begun));
