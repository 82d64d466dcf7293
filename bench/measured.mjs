// What the page for users (docs/benchmarks.md) and the quick bench show: which workloads, and which rows count as the fastest peer.

/** The workloads of docs/benchmarks.md, which is for users, and what they do in words. */
export const kMeasured = [
  ["exp(a*b+c) 1e6", "exp(a * b + c) of a million numbers"],
  ["add 100", "the sum of two vectors of 100"],
  ["sum axis 1", "sums of the 1,024 rows of a matrix"],
  ["mean and variance rows", "mean and variance of each row"],
  ["layerNorm", "rows of a matrix, normalized"],
  ["softmax", "softmax of each row"],
  ["cumsum 1e6", "running sums of a million numbers"],
  ["image", "a camera's picture as a network's input"],
  ["matMul 512", "a product of matrices, 512 by 512"],
  ["conv2d", "a convolution of a picture"],
  ["slice", "rows of a matrix: a view here and in scijs, a copy in the others"],
];

/** Libraries that are not JavaScript: shown for comparison, not counted as the fastest peer. */
const kNative = ["numpy"];

/** Our own other ways to do the same, and what is measured for orientation. */
const kOwnRows = ["ours", "raw", "tensor-map", "empty-arena", "stream", "peak"];

/**
 * Returns the cells of a workload from its rows, `{ library, shown, ns }`: our time, the fastest peer's with its time divided by ours, NumPy's
 * likewise.
 */
export function cellsOf(rows) {
  const ours = rows.find(({ library }) => library === "ours");
  if (ours === undefined) return ["", "", ""];
  const beside = (row) => (row === undefined ? "" : `${row.shown} (${(row.ns / ours.ns).toFixed(2)}×)`);
  const isPeer = ({ library }) => !kOwnRows.includes(library) && !kNative.includes(library);
  const [fastest] = rows.filter(isPeer).sort((a, b) => a.ns - b.ns);
  return [
    ours.shown,
    fastest === undefined ? "" : `${fastest.library} ${beside(fastest)}`,
    beside(rows.find(({ library }) => library === "numpy")),
  ];
}
