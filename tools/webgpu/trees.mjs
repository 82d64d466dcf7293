// Random trees of every operation and dtype, over rare values and operands of every layout: those that a GPU computes, against the evaluator's
// bounds.
import { WebGpuDevice } from "@onebuffer/webgpu";
import { buildTree } from "../../packages/eigen/dist/test/random-trees/build-tree.js";
import { growTree } from "../../packages/eigen/dist/test/random-trees/grow-tree.js";
import { printTree } from "../../packages/eigen/dist/test/random-trees/print-tree.js";
import { difference, meetsDenormals } from "./compared.mjs";
import { hashOfBytes, hashOfValues } from "./hash.mjs";

const kSeed = 28043640;

/** Returns a tree's root; null if it cannot be built. */
function rootOf(spec) {
  try {
    const { root, target } = buildTree(spec);
    return target.dtype === root.dtype ? root : null;
  } catch {
    return null;
  }
}

/** Returns a name of a tree: trees of one number may differ between engines, whose Math does. */
const nameOf = (tried, spec) => `tree ${tried} (${hashOfBytes(new TextEncoder().encode(printTree(spec)))})`;

/** Compares `trees` random trees that the GPU computes. Those without denormals have the same elements everywhere. */
export async function treeChecks(gpu, report, { trees }) {
  const device = await WebGpuDevice.create({ gpu });
  let [computed, tried] = [0, 0];
  for (; computed < trees && tried < 40 * trees; tried++) {
    const spec = growTree(kSeed, tried);
    const root = rootOf(spec);
    if (root === null) continue;
    let answer;
    try {
      answer = await difference(device, root);
    } catch (error) {
      answer = { differs: `thrown: ${error.stack}` };
    }
    if (answer.skipped !== undefined) continue;
    computed++;
    if (!answer.agrees) {
      report.fail(`tree ${tried} of seed ${kSeed}: ${answer.differs}`, printTree(spec));
      continue;
    }
    report.pass();
    if (answer.values !== undefined && !meetsDenormals(root)) report.hash(nameOf(tried, spec), hashOfValues(answer.values));
  }
  report.note(`${computed} of ${tried} trees, ${JSON.stringify(device.usage)}`);
  await device.dispose();
}
