// Sorts handwritten digits into ten groups that look alike, without knowing which digit each of them is.
import { readFileSync } from "node:fs";
import { evaluate, liveBuffers, oneHot, readNpy, select, Tensor, tensorOf } from "onebuffer";

const kGroups = 10;
const kMaxSteps = 100;

const readData = (name: string) => readNpy(readFileSync(new URL(`../data/${name}`, import.meta.url)), { dtype: "uint8" });

/** Lloyd's algorithm. Moves the centers [groups, n], writes the group of each point [rows, n], and returns the number of steps. */
function kMeans(points: Tensor<"float32">, centers: Tensor<"float32">, groupOf: Tensor<"int32">): number {
  const x = points.matrix();
  const c = centers.matrix();
  using before = Tensor.zeros([x.dimension(0)], { dtype: "int32" });
  using lengths = tensorOf(x.square().sum([1], { keepDims: true }));

  // An expression says what to compute from whatever the memory holds when it is assigned. So each is written once, outside the loop.
  // The squared distance of x and c is |x|² - 2 x·c + |c|².
  const distances = lengths
    .matrix()
    .sub(x.matMul(c.transpose()).mul(2))
    .add(c.square().sum([1]));
  const members = oneHot(groupOf.vec(), c.dimension(0), "float32"); // [rows, groups]: 1 where a point is in a group
  const counts = members.sum([0]).expandDims(1);
  const means = members.transpose().matMul(x).div(counts);

  for (let step = 1; step < kMaxSteps; step++) {
    groupOf.assign(distances.argmin(1, { outputType: "int32" }));
    if (groupOf.equals(before)) return step;
    before.assign(groupOf.vec());
    centers.assign(select(counts.greater(0), means, c)); // a group without members keeps its center
  }
  return kMaxSteps;
}

export function run() {
  using images = readData("digits.npy"); // uint8 [1797, 8, 8]
  using labels = readData("digits-labels.npy"); // uint8 [1797]
  const count = images.dimSize(0);
  using rows = images.reshape([count, 64]);
  using points = tensorOf(rows.matrix().cast("float32"));
  using centers = tensorOf(points.matrix().slice([0, kGroups]));
  using groupOf = Tensor.zeros([count], { dtype: "int32" });

  const started = performance.now();
  const steps = kMeans(points, centers, groupOf);
  const ms = performance.now() - started;

  // How often each digit is in each group: a product of two matrices of zeros and ones.
  const inGroup = oneHot(groupOf.vec(), kGroups, "int32");
  const table = evaluate(inGroup.transpose().matMul(oneHot(labels.vec(), 10, "int32")));
  return { groups: groupOf.vec().toArray(), centers: centers.matrix().toArray(), table: table.toArray(), steps, ms };
}

export const result = run();

console.log(`k-means of 1,797 digits: ${result.steps} steps, ${result.ms.toFixed(0)} ms`);
console.log("How often each digit (column) is in each group (row):");
console.log("     0   1   2   3   4   5   6   7   8   9");
for (const row of result.table) {
  const counts = row.map((n) => String(n).padStart(4)).join("");
  console.log(`  ${counts}`);
}
console.log(`${liveBuffers()} buffers left`);
