// The workloads of plans: long expressions that are written anew for each assignment (building, describing and running a kept plan), and the
// first uses of operations in a process (planning, compiling, and the engine's own work on code that has never run).
import { atMost } from "./targets.mjs";

/** The most nanoseconds for an operation of a chain. */
const kPerOperation = 1500;

const chain = (name, length, text) => ({ name: `${name} ${length} anew`, text, targets: [atMost(kPerOperation * length, "ns")] });

const first = (name, text, milliseconds) => ({
  name,
  afresh: true,
  text: `${text}, in a new process`,
  targets: [atMost(milliseconds * 1e6, "ns")],
});

export const kPlans = [
  ...[30, 100, 1000, 10_000].map((length) =>
    chain("chain", length, `${length} additions and products of 100 float32, written anew and assigned to existing memory`),
  ),
  chain("chain of constants", 1000, "1,000 operations with 1,000 different constants, 100 float32"),
  chain("chain of shared nodes", 1000, "1,000 operations, each on the results of the two before, 100 float32"),
  chain("chain of products", 1000, "750 additions and 250 products of matrices, 8 x 8 float32"),
  chain("three results", 1000, "assignTogether of a chain of 1,000 operations, of its sum with a vector and of its product with one"),
  first("first map", "a * b + 1, [64,64] float32", 1.5),
  first("first reduction", "sum of the rows of [64,64] float32", 4),
  first("first softmax", "rows of [64,64] float32", 5),
  first("first product", "[64,64] by [64,64] float32", 3.5),
  first("first convolution", "[1,16,16,8] with 8 filters of [3,3,8], float32", 5.5),
  first("first random normal", "1,000 float32", 8),
  first("ring, first pass", "554 chunks of 160 float32, each copied into a ring of 4,096 and the ring's mean assigned", 60),
  first("ring, third pass", "the same, after two passes: at most twice the warm one", 10),
  first("ring, warm", "the same, after 60 passes", 5),
  first("game of life first run", "100 generations of [64,64] uint8, 8 rolls each, written anew for each generation", 310),
];
