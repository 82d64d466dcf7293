// Compares random expression trees and random products with NumPy: those of `npm run long`, each assigned as users do, usually by kernels,
// and evaluated by numpy_trees.py one operation at a time. Exact operations must agree bit for bit, the others within the bounds of
// docs/expressions.md.
import { arraySlots, dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { opTable, tensorMap } from "@onebuffer/eigen";
import { buildTree } from "../../packages/eigen/dist/test/random-trees/build-tree.js";
import { expectedOf, firstDifference } from "../../packages/eigen/dist/test/random-trees/compare-tree.js";
import { growProduct } from "../../packages/eigen/dist/test/random-products/grow-product.js";
import { growTree } from "../../packages/eigen/dist/test/random-trees/grow-tree.js";
import { printTree } from "../../packages/eigen/dist/test/random-trees/print-tree.js";
import { storedElements } from "../../packages/eigen/dist/test/random-trees/step.js";
import { bytesOf, hexOf } from "./samples.mjs";

/** The number of trees in one question. */
const kBatch = 200;

/** Returns attributes as JSON has them; a constant is sent as bytes instead. */
const attributesOf = ({ op, attributes }) => (op === "constant" || opTable[op].class === "random" ? {} : attributes);

/** The operations on complex numbers that numpy_trees.py computes by their parts. */
const complexOps = new Set("neg conj real imag abs add sub mul square equal notEqual sum mean cumsum matMul select cast".split(" "));

/**
 * Returns true if NumPy can check a node: divisions and functions of complex numbers are computed by our own formulas, so only arithmetic
 * and operations that move them are checked.
 */
function isForNumPy({ op, dtype, inputs, attributes }) {
  const isComplex = [dtype, ...inputs.map((input) => input.dtype)].some((each) => each.startsWith("complex"));
  // NumPy multiplies complex numbers by its own formula in `ufunc.at`, whose last bits differ; other products are compared by their parts.
  if (isComplex && op === "scatter" && attributes?.reduction === "mul") return false;
  return !isComplex || ["leaf", "generator", "movement"].includes(opTable[op].class) || complexOps.has(op);
}

/**
 * Returns a tree as numpy_trees.py takes it; null if NumPy cannot check it. Random numbers are sent as values: they are compared
 * with TensorFlow in checks-expressions.mjs.
 */
function encodedTree(root) {
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
    // Random numbers of dtype float16 and bfloat16 are float32 inside an expression, as all values are.
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

/** Returns the elements of an answer. */
function elementsOf(dtype, content) {
  const bytes = bytesOf(content);
  const count = bytes.byteLength / dtypeSize(dtype);
  const array = new (typedArrayConstructor(dtype))(count * arraySlots(dtype));
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes);
  return [...tensorMap(dtype, array, [count])];
}

/** Returns a tree with our result and its error bounds; null if an element is refused or NumPy cannot check the tree. */
function prepared(index, tree) {
  const { root, target } = buildTree(tree);
  const nodes = encodedTree(root);
  if (nodes === null) return null;
  try {
    // The bounds are computed before the assignment, because the target may be an operand.
    const { error } = expectedOf(root, root.dimensions);
    const dims = root.dimensions;
    const errors = Float64Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, k) => error(k));
    target.assign(root);
    // A target that the root is broadcast to contains the result several times; one copy is compared.
    const list = [...target].slice(-errors.length);
    return { index, tree, dtype: root.dtype, dims, errors, list: errors.length === 0 ? [] : list, nodes };
  } catch (error) {
    if (error.code === "INVALID_ARGUMENT") return null;
    throw error;
  }
}

/** Compares the first `trees` trees of a seed with NumPy. */
export const treesAgree = (tensorflow, report, seed, trees) => agree(tensorflow, report, "tree", growTree, seed, trees);

/** Compares the first `products` products of a seed with NumPy. */
export const productsAgree = (tensorflow, report, seed, products) => agree(tensorflow, report, "product", growProduct, seed, products);

/** Compares the first `trees` trees that `grow` makes for a seed with NumPy. */
async function agree(tensorflow, report, noun, grow, seed, trees) {
  report.begin(`random ${noun}s compared with NumPy, seed ${seed}`);
  let elements = 0;
  let unknown = 0;
  for (let first = 0; first < trees; first += kBatch) {
    const batch = [];
    for (let index = first; index < Math.min(first + kBatch, trees); index++) {
      const what = `${noun} ${index} of seed ${seed}`;
      await report.check(what, () => {
        const one = prepared(index, grow(seed, index));
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
