// The workloads of long expressions that are written anew for each assignment: building, describing and running a kept plan.
import { atMost } from "./targets.mjs";

/** The most nanoseconds for an operation of a chain. */
const kPerOperation = 1500;

const chain = (name, length, text) => ({ name: `${name} ${length} anew`, text, targets: [atMost(kPerOperation * length, "ns")] });

export const kPlans = [
  ...[30, 100, 1000, 10_000].map((length) =>
    chain("chain", length, `${length} additions and products of 100 float32, written anew and assigned to existing memory`),
  ),
  chain("chain of constants", 1000, "1,000 operations with 1,000 different constants, 100 float32"),
  chain("chain of shared nodes", 1000, "1,000 operations, each on the results of the two before, 100 float32"),
  chain("chain of products", 1000, "750 additions and 250 products of matrices, 8 x 8 float32"),
  chain("three results", 1000, "assignTogether of a chain of 1,000 operations, of its sum with a vector and of its product with one"),
];
