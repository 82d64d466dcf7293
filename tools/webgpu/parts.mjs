// The parts of the checks. They run wherever there is WebGPU, so nothing here or below is of Node alone.
import { arrayChecks } from "./arrays.mjs";
import { bitChecks } from "./bits.mjs";
import { cameraChecks } from "./camera.mjs";
import { faultChecks } from "./faults.mjs";
import { imageChecks } from "./images.mjs";
import { integerChecks } from "./integers.mjs";
import { longRowChecks } from "./long-rows.mjs";
import { operationChecks } from "./operations.mjs";
import { productChecks } from "./products.mjs";
import { Report } from "./report.mjs";
import { sumChecks } from "./sums.mjs";
import { treeChecks } from "./trees.mjs";

const kParts = {
  operations: operationChecks,
  bits: bitChecks,
  products: productChecks,
  integers: integerChecks,
  rows: longRowChecks,
  sums: sumChecks,
  arrays: arrayChecks,
  trees: treeChecks,
  faults: faultChecks,
  images: imageChecks,
  camera: cameraChecks,
};

/** The names of the parts. */
export const kPartNames = Object.keys(kParts);

/**
 * Runs the parts that `options` names, saying what they find. Returns their totals. Options: `parts`, the names; `trees`, how many random trees;
 * `every`, of how many operations one is a sample; `only`, names of operations or null; `kernels`, the hashes of Node's kernels.
 */
export async function runParts(gpu, options, say) {
  const report = new Report(say);
  for (const part of options.parts) {
    report.begin(part);
    await kParts[part](gpu, report, options);
  }
  return report.totals();
}
