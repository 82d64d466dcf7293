// Rows on both sides of the length and of the number from which they are computed in blocks: every reduction, and rows of elements.
import { WebGpuDevice } from "@onebuffer/webgpu";
import { difference } from "./compared.mjs";
import { randomMaps } from "./random-maps.mjs";

const { floats, integers } = randomMaps(11);

/** The longest row of one workgroup, and the most rows that are computed in blocks. */
const [kLongRow, kFewRows] = [32768, 64];
/** The longest row of a quarter of a workgroup. */
const kMediumRow = 2048;

/** Returns the reductions of rows of a length, and rows of elements, by name. */
function treesOf(length) {
  const [x, levels] = [floats([2, length]), integers([2, length], 20000)];
  return {
    sum: x.sum([1]),
    "max and argmax": levels.max([1]).add(levels.argmax(1).cast("int32")),
    any: levels.equal(19999).any([1]),
    softmax: x.mul(4).softmax(),
    "sums of columns": floats([length, 3]).sum([0]),
    "sum of int64": levels.cast("int64").sum([1]),
    "a result in float16": x
      .sub(x.mean([1], { keepDims: true }))
      .square()
      .cast("float16"),
  };
}

/** Returns the other reductions, of rows of three blocks. */
function otherTrees() {
  const length = 2 * kLongRow - 5;
  const [x, levels] = [floats([length]), integers([3, length], 20000)];
  return {
    "mean of everything": x.mean(),
    "min of int16": levels.cast("int16").min([1]),
    prod: levels.add(1).prod([1]),
    all: levels.less(20000).all([1]),
    argmin: levels.argmin(1),
    "sum of int8": levels.cast("int8").sum([1], { wraps: true }),
    "max of float16": x.cast("float16").max(),
    "many operands": Array.from({ length: 9 }, () => floats([length]))
      .reduce((a, b) => a.add(b))
      .sum(),
  };
}

/** Compares rows with the evaluator, and checks which form computes them. */
export async function longRowChecks(gpu, report) {
  const device = await WebGpuDevice.create({ gpu });
  const compare = async (name, tree, isLong) => {
    const answer = await difference(device, tree);
    const forms = device.explain(tree).steps.map(({ form }) => form);
    if (!answer.agrees) report.fail(name, answer.differs ?? answer.skipped);
    else if (forms.includes("blocks") !== isLong) report.fail(name, `its forms are ${forms}`);
    else report.pass();
  };
  for (const length of [kLongRow, kLongRow + 1]) {
    for (const [name, tree] of Object.entries(treesOf(length))) await compare(`${name}, ${length}`, tree, length > kLongRow);
  }
  for (const [name, tree] of Object.entries(otherTrees())) await compare(name, tree, true);
  for (const dims of [
    [5, kMediumRow],
    [5, kMediumRow + 1],
  ]) {
    await compare(`softmax, ${dims}`, floats(dims).softmax(), false);
    await compare(`sum of int8, ${dims}`, integers(dims, 200).cast("int8").sum([1], { wraps: true }), false);
  }
  for (const rows of [kFewRows, kFewRows + 1]) await compare(`${rows} rows`, floats([rows, kLongRow + 1]).sum([1]), rows <= kFewRows);
  await device.dispose();
}
