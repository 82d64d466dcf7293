// Compares gradients of random expression trees with TensorFlow's GradientTape, and gradients of their gradients with JAX. The trees are those
// of `node tools/random-gradients.mjs`. Then the special points of docs/gradients.md, by both.
import { typedArrayConstructor } from "@onebuffer/base";
import { tensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { gradients } from "@onebuffer/gradients";
import { mayOverlap } from "@onebuffer/storage/internal";
import { Dice } from "../../packages/eigen/dist/test/kernel/kernel-subjects.js";
import { scattered } from "../../packages/eigen/dist/test/random-trees/grow-tree.js";
import { printTree } from "../../packages/eigen/dist/test/random-trees/print-tree.js";
import {
  buildGradientTree,
  growGradientTree,
  isPrecise as isPreciseDType,
} from "../../packages/gradients/dist/test/random-gradients/grow-gradient-tree.js";
import { specialPoints } from "./gradient-points.mjs";
import { bytesOf, hexOf } from "./samples.mjs";

/** The number of trees in one question. */
const kBatch = 100;
/** The difference that rounding explains, relative to the largest gradient of a tree. */
const kTolerance = 1e-9;

const slotsOf = (node) => node.dimensions.reduce((a, b) => a * b, 1) * (node.dtype === "complex128" ? 2 : 1);
/** Returns the elements of a node, by the plain evaluator, as an array. */
function elementsOf(node) {
  const array = new (typedArrayConstructor(node.dtype))(slotsOf(node));
  assignByReference(tensorMap(node.dtype, array, [...node.dimensions]), node);
  return array;
}

/** Returns a tree for Python, and the places of leaves in it. Nodes that do not change smoothly are sent as values. */
export function encodedGraph(root, variables) {
  const places = new Map();
  const nodes = [];
  const visit = (node) => {
    const known = places.get(node);
    if (known !== undefined) return known;
    const { op, dtype } = node;
    const isComputed = isPrecise(node) && node.inputs.some(isPrecise);
    const inputs = isComputed ? node.inputs.map(visit) : [];
    const attributes = isComputed ? node.attributes : { content: hexOf(elementsOf(node)) };
    nodes.push({ ...attributes, op, dtype, dims: [...node.dimensions], inputs });
    places.set(node, nodes.length - 1);
    return nodes.length - 1;
  };
  visit(root);
  return { nodes, variables: variables.map((each) => places.get(each)) };
}

/** Returns the leaves that the root may change smoothly with; null if two leaves share memory, because each is a variable here. */
function leavesOf(root) {
  const seen = new Set();
  const visit = (node, goesOn) => {
    if (seen.has(node) || !goesOn(node)) return;
    seen.add(node);
    for (const input of node.inputs) visit(input, goesOn);
  };
  visit(root, isPrecise);
  const leaves = [...seen].filter(({ op }) => op === "map");
  seen.clear();
  visit(root, () => true);
  const all = [...seen].filter(({ op, dtype }) => op === "map" && isPrecise({ dtype }));
  const areApart = all.every((a, k) => all.slice(k + 1).every((b) => !mayOverlap(a.rawPlaces(), b.rawPlaces())));
  return areApart ? leaves : null;
}

const isPrecise = ({ dtype }) => isPreciseDType(dtype);
const isComplex = ({ dtype }) => dtype === "complex128";
const random = (count, dice) => Float64Array.from({ length: count }, () => dice.unit() + 0.25);

/** Returns the sum of the root with weights. */
const weighted = (root, weights) => (isComplex(root) ? root.real() : root).mul(tensorMap("float64", weights, [...root.dimensions])).sum();

/**
 * Returns the parts of complex numbers, of which one that has a part that is not finite is NaN in both: which parts of a product become NaN
 * is another matter for each library.
 */
function withWholeNumbers(list, { dtype }) {
  if (dtype !== "complex128") return list;
  return list.map((x, i) => (Number.isFinite(x) && Number.isFinite(list[i ^ 1]) ? x : NaN));
}

/** Returns the first of our gradients that differs from theirs; null if none does. */
function firstDifference(ours, theirs, tolerance) {
  for (const [k, list] of ours.entries()) {
    const [i, other] = [[...list.keys()].find((i) => !isClose(list[i], theirs[k][i], tolerance)), theirs[k]];
    if (i !== undefined) return `variable ${k}, number ${i}: ours ${list[i]}, theirs ${other[i]}`;
  }
  return null;
}

function isClose(a, b, tolerance) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  return a === b || Math.abs(a - b) <= tolerance;
}

const largestOf = (lists) =>
  lists.reduce((most, list) => list.reduce((m, x) => (Number.isFinite(x) ? Math.max(m, Math.abs(x)) : m), most), 1);

/** A tree with its gradients, ready to be asked about; null if it has an element that is an error. */
function prepared(seed, index, isSecond) {
  const tree = growGradientTree(seed, index);
  const { root } = buildGradientTree(tree);
  const variables = leavesOf(root);
  if (variables === null || variables.length === 0 || (isSecond && (isComplex(root) || variables.some(isComplex)))) return null;
  const dice = new Dice(scattered(seed, index));
  const weights = random(
    root.dimensions.reduce((a, b) => a * b, 1),
    dice,
  );
  const directions = variables.map((each) => random(slotsOf(each), dice));
  const compute = () => {
    const first = gradients(weighted(root, weights), variables, { unconnected: "zero" });
    if (!isSecond) return first.map((g) => withWholeNumbers(elementsOf(g), g));
    const along = first.map((g, k) => g.mul(tensorMap("float64", directions[k], [...variables[k].dimensions])).sum());
    return gradients(
      along.reduce((a, b) => a.add(b)),
      variables,
      { unconnected: "zero" },
    ).map(elementsOf);
  };
  try {
    const values = elementsOf(root);
    // Second derivatives of nothing, and of a result that is infinite or NaN, say nothing.
    if (isSecond && !(values.length > 0 && values.every(Number.isFinite))) return null;
  } catch (error) {
    if (error.code === "INVALID_ARGUMENT") return null;
    throw error;
  }
  const question = { op: "gradients", ...encodedGraph(root, variables), weights: hexOf(weights) };
  return {
    tree,
    root,
    variables,
    compute,
    ours: compute(),
    question: isSecond ? { ...question, directions: directions.map(hexOf) } : question,
  };
}

/**
 * Returns how much our gradients change if each element changes by a few units in the last place: a difference of that size says nothing
 * about a rule.
 */
function sensitivity({ variables, compute, ours }) {
  const changed = variables.map((each) => elementsOf(each));
  let most = 0;
  for (const sign of [1, -1]) {
    for (const [k, variable] of variables.entries())
      writeInto(
        variable,
        changed[k].map((x) => x * (1 + sign * 2 ** -48)),
      );
    const list = compute();
    for (const [k, each] of list.entries()) for (const [i, x] of each.entries()) most = Math.max(most, distance(x, ours[k][i]));
  }
  for (const [k, variable] of variables.entries()) writeInto(variable, changed[k]);
  return most;
}

/**
 * Returns true if all values of a tree are finite. If one is not, its second derivative has products such as 0 times infinity, and which of them
 * are taken depends on the order in which a library multiplies: such trees are compared, and a difference is a note. First derivatives of them
 * have no such excuse.
 */
function isFinite(root) {
  const seen = new Set();
  const visit = (node) => {
    if (seen.has(node) || !isPrecise(node)) return true;
    seen.add(node);
    return elementsOf(node).every(Number.isFinite) && node.inputs.every(visit);
  };
  return visit(root);
}

/**
 * Returns true if a tree has a power that is NaN or of NaN, or a power of 0 with the exponent 0, or for second derivatives any power of 0: there
 * the rules of docs/gradients.md are ours, a slope is 0 where the exponent is 0, and JAX's second derivative of a power of 0 is NaN.
 */
function isSpecialPower(root, isSecond) {
  const seen = new Set();
  const visit = (node) => {
    if (seen.has(node)) return false;
    seen.add(node);
    if (node.op === "pow" && isPrecise(node)) {
      const [base, exponent] = node.inputs.map(elementsOf);
      const isZero = (list, i) => list[i] === 0 && (node.dtype !== "complex128" || list[i ^ 1] === 0);
      const isSpecial = (_, i) => isZero(base, i) && (isSecond || base.length !== exponent.length || isZero(exponent, i));
      if ([...base, ...elementsOf(node)].some(Number.isNaN) || base.some(isSpecial)) return true;
    }
    return node.inputs.some(visit);
  };
  return visit(root);
}

const distance = (a, b) => (Number.isFinite(a) && Number.isFinite(b) ? Math.abs(a - b) : Object.is(a, b) ? 0 : Infinity);

function writeInto(variable, array) {
  if (typeof variable.copyFrom !== "function") return;
  const list = isComplex(variable) ? Array.from({ length: array.length / 2 }, (_, i) => [array[2 * i], array[2 * i + 1]]) : [...array];
  variable.copyFrom(list);
}

/** Compares trees with an oracle. `explain` says why an answer may differ on purpose. */
async function agree(oracle, report, { who, seed, trees, isSecond }) {
  let asked = 0;
  for (let first = 0; asked < trees; first += kBatch) {
    const batch = [];
    for (let index = first; index < first + kBatch && asked < trees; index++) {
      const what = `tree ${index} of seed ${seed}`;
      await report.check(what, () => {
        const one = prepared(seed, index, isSecond);
        if (one === null) return;
        asked++;
        batch.push({ what, ...one, answer: oracle.tryAsk(one.question) });
      });
    }
    for (const one of batch) {
      const { ok, error, aborted } = await one.answer;
      if (error?.startsWith("OnPurpose: ")) report.note(error.slice("OnPurpose: ".length));
      else if (ok === undefined) report.fail(one.what, `${who} says ${error ?? aborted}\n${printTree(one.tree)}`);
      if (ok === undefined) continue;
      const theirs = ok.gradients.map((each, k) => withWholeNumbers(new Float64Array(bytesOf(each).buffer), one.variables[k]));
      const difference = firstDifference(one.ours, theirs, kTolerance * largestOf([...one.ours, ...theirs]));
      if (difference === null) report.pass();
      else if (firstDifference(one.ours, theirs, 16 * sensitivity(one)) === null)
        report.note("a gradient that changes as much with the last bits");
      else if (isSpecialPower(one.root, isSecond)) report.note(`a power at a special point: on purpose not as ${who}`);
      else if (isSecond && !isFinite(one.root)) report.note("a second derivative through a value that is not finite");
      else report.fail(one.what, `${difference} by ${who}\n${printTree(one.tree)}`);
    }
  }
}

/** Compares the gradients of `trees` trees of a seed with TensorFlow's tape. */
export async function gradientsAgree(tensorflow, report, seed, trees) {
  report.begin(`gradients of random trees compared with TensorFlow's GradientTape, seed ${seed}`);
  await agree(tensorflow, report, { who: "TensorFlow", seed, trees, isSecond: false });
  report.end();
}

/** Compares the gradients of gradients of `trees` trees of a seed with JAX. */
export async function secondGradientsAgree(jax, report, seed, trees) {
  report.begin(`gradients of gradients of random trees compared with JAX, seed ${seed}`);
  await agree(jax, report, { who: "JAX", seed, trees, isSecond: true });
  report.end();
}

/** Compares the special points with an oracle, whose answers are in the table under its name. */
export async function pointsAgree(oracle, report, who) {
  report.begin(`gradients at special points compared with ${who}`);
  for (const { name, make, operands, ours: expected, [who]: theirs } of specialPoints) {
    await report.check(name, async () => {
      const variables = operands.map((each) =>
        tensorMap(Array.isArray(each[0]) ? "complex128" : "float64", Float64Array.from(each.flat()), [each.length]),
      );
      const root = make(...variables);
      const weights = new Float64Array(root.size).fill(1);
      const ours = gradients(weighted(root, weights), variables, { unconnected: "zero" }).map((g) => [...elementsOf(g)]);
      report.same(`${name}: ours`, shown(ours), shown(expected));
      if (theirs === undefined) return;
      const { gradients: found } = await oracle.ask({ op: "gradients", ...encodedGraph(root, variables), weights: hexOf(weights) });
      report.same(
        `${name}: ${who}`,
        shown(found.map((each) => [...new Float64Array(bytesOf(each).buffer)])),
        shown(theirs === "same" ? expected : theirs),
      );
      if (theirs !== "same") report.note(`${name}: on purpose not as ${who}`);
    });
  }
  report.end();
}

/** Returns numbers as text with the digits that are compared. */
const shown = (lists) => lists.map((list) => list.map((x) => (Number.isFinite(x) ? String(Number((x + 0).toPrecision(10))) : String(x))));
