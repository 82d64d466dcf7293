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
};

const [operands, use] = uses[process.argv[2]];
const made = operands();
const begun = performance.now();
use(...made);
process.stdout.write(String(performance.now() - begun));
