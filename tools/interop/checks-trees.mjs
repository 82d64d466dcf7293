// Random expression trees against NumPy: the trees of `npm run long`, each assigned as users do, by kernels mostly, and evaluated by
// numpy_trees.py one operation at a time. Bit for bit what is exact, within the bounds of docs/expressions.md what is not.
import { arraySlots, dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { opTable, tensorMap } from "@onebuffer/eigen";
import { buildTree } from "../../packages/eigen/dist/test/random-trees/build-tree.js";
import { expectedOf, firstDifference } from "../../packages/eigen/dist/test/random-trees/compare-tree.js";
import { growTree } from "../../packages/eigen/dist/test/random-trees/grow-tree.js";
import { printTree } from "../../packages/eigen/dist/test/random-trees/print-tree.js";
import { storedElements } from "../../packages/eigen/dist/test/random-trees/step.js";
import { bytesOf, hexOf } from "./samples.mjs";

/** Trees asked about at a time. */
const kBatch = 200;

/** Attributes as JSON has them; a constant goes as bytes. */
const attributesOf = ({ op, attributes }) => (op === "constant" || opTable[op].class === "random" ? {} : attributes);

/** Whether NumPy can tell about a node: of complex numbers, which are computed by our own formulas, only what moves them. */
function isForNumPy({ op, dtype, inputs }) {
  const isComplex = [dtype, ...inputs.map((input) => input.dtype)].some((each) => each.startsWith("complex"));
  return !isComplex || ["leaf", "generator", "movement"].includes(opTable[op].class) || op === "select" || op === "cast";
}

/** A tree as numpy_trees.py takes it; null if it has what NumPy cannot tell. Random numbers go as they are: TensorFlow judges them elsewhere. */
function toldTree(root) {
  const places = new Map();
  const nodes = [];
  let isForAll = true;
  const visit = (node) => {
    const known = places.get(node);
    if (known !== undefined) return known;
    const inputs = node.inputs.map(visit);
    isForAll &&= isForNumPy(node);
    const { op, dtype } = node;
    const dims = [...node.dimensions];
    const isRandom = opTable[op].class === "random";
    // Random numbers of small floats are float32, as everything is inside an expression.
    const stored = isRandom && /^b?float16$/.test(dtype) ? "float32" : dtype;
    if (op === "map" || isRandom) nodes.push({ op: "map", dtype, dims, inputs, stored, content: hexOf(storedElements(node, stored)) });
    else if (op === "constant") nodes.push({ op, dtype, dims, inputs, stored, content: hexOf(storedElements(node, dtype, [])) });
    else nodes.push({ ...attributesOf(node), op, dtype, dims, inputs });
    places.set(node, nodes.length - 1);
    return nodes.length - 1;
  };
  visit(root);
  return isForAll ? nodes : null;
}

/** The elements of an answer. */
function elementsOf(dtype, content) {
  const bytes = bytesOf(content);
  const count = bytes.byteLength / dtypeSize(dtype);
  const array = new (typedArrayConstructor(dtype))(count * arraySlots(dtype));
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes);
  return [...tensorMap(dtype, array, [count])];
}

/** A tree with our result and what it may be off by; null where there is nothing to ask: an element is refused, or NumPy cannot tell. */
function prepared(seed, index) {
  const tree = growTree(seed, index);
  const { root, target } = buildTree(tree);
  const nodes = toldTree(root);
  if (nodes === null) return null;
  try {
    // Asked for the errors before the target, which may be an operand, is assigned to.
    const { error } = expectedOf(root, root.dimensions);
    const dims = root.dimensions;
    const errors = Float64Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, k) => error(k));
    target.assign(root);
    // What was broadcast to a larger target stands in it several times; once is enough.
    const list = [...target].slice(-errors.length);
    return { index, tree, dtype: root.dtype, dims, errors, list: errors.length === 0 ? [] : list, nodes };
  } catch (error) {
    if (error.code === "INVALID_ARGUMENT") return null;
    throw error;
  }
}

/** Holds so many trees of a seed against NumPy. */
export async function treesAgree(tensorflow, report, seed, trees) {
  report.begin(`random trees against NumPy, seed ${seed}`);
  let elements = 0;
  let unknown = 0;
  for (let first = 0; first < trees; first += kBatch) {
    const batch = [];
    for (let index = first; index < Math.min(first + kBatch, trees); index++) {
      const what = `tree ${index} of seed ${seed}`;
      await report.check(what, () => {
        const one = prepared(seed, index);
        if (one !== null) batch.push({ what, ...one, answer: tensorflow.tryAsk({ op: "tree", nodes: one.nodes }) });
      });
    }
    for (const { what, tree, dtype, dims, errors, list, answer } of batch) {
      const { ok, error, aborted } = await answer;
      if (ok === undefined) {
        report.fail(what, `NumPy says ${error ?? aborted}\n${printTree(tree)}`);
        continue;
      }
      const theirs = elementsOf(dtype, ok.content);
      const difference = firstDifference(list, { dtype, dims, value: (k) => theirs[k], error: (k) => errors[k] });
      if (difference !== null) report.fail(what, `${difference} by NumPy\n${printTree(tree)}`);
      else report.pass();
      elements += errors.length;
      unknown += errors.filter((each) => each === Infinity).length;
    }
  }
  report.end();
  report.write(`         ${elements - unknown} of ${elements} elements compared\n`);
}
