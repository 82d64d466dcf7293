// The values of every node of an expression, one operation at a time, and a bound for the difference of XLA's: per element, absolute; 0
// where the bits are determined, Infinity where XLA's value is not determined. The rules are those of docs/xla.md:
//
//     denormals      XLA on processors reads and writes them as 0, so an operand that is one may be 0, and so may a result
//     functions      within XLA's own units (kUnits) of the exact result
//     a product      is not rounded when it is fused with the addition that follows: half a unit
//     sums           in any order: units of the sum of the absolute values
//     complex        the formulas of our evaluator in float64: units of the modulus; an inexact operand is carried by few operations
//
// Inexact operands are carried on by the rules of the random trees (packages/eigen/test/random-trees/error-*.ts).
import { opTable, tensorMap } from "@onebuffer/eigen";
import { attributesOf } from "@onebuffer/expression/internal";
import { elementwiseErrors } from "../../packages/eigen/dist/test/random-trees/error-elementwise.js";
import {
  contractionErrors,
  movedErrors,
  orderingErrors,
  reductionErrors,
  scatterErrors,
} from "../../packages/eigen/dist/test/random-trees/error-whole.js";
import { computedIn, unitAt } from "../../packages/eigen/dist/test/random-trees/float-units.js";
import { operationOn, storedOperand } from "../../packages/eigen/dist/test/random-trees/step.js";
import { linesAlong } from "../../packages/evaluator/dist/src/axis-walk.js";
import { isRoundedWhenStored } from "../../packages/evaluator/dist/src/cast-function.js";
import { compileTree } from "../../packages/evaluator/dist/src/compile-tree.js";
import { broadcastMap } from "../../packages/evaluator/dist/src/index-map.js";
import { leastSize, records, whole } from "./operation-records.mjs";
import { kUnits } from "./xla-units.mjs";

/** Returns the units of the modulus for an operation on complex numbers: those of its record, more for a list of products. */
const complexUnits = (op) => (whole[op]?.combines === "mul" ? 200 : (records[op]?.xla?.[2] ?? 4));

const isFloat = (dtype) => /^b?float(16|32|64)$/.test(dtype);
const isComplex = (dtype) => dtype.startsWith("complex");
const product = (dims) => dims.reduce((a, b) => a * b, 1);
const heldDType = (dtype) => (isRoundedWhenStored(dtype) ? "float32" : dtype);
/** The smallest normal number of the format in which a dtype is computed. */
const leastOf = (dtype) => (dtype === "float64" || dtype === "complex128" ? 2 ** -1022 : 2 ** -126);
const isDenormal = (dtype, x) => x !== 0 && Math.abs(x) < leastOf(dtype);

/** Returns the error of an element that an operation reads as 0 if it is a denormal. */
function flushError(dtype, value) {
  if (isFloat(dtype)) return isDenormal(dtype, value) ? Math.abs(value) : 0;
  return isComplex(dtype) && value.some((part) => isDenormal(dtype, part)) ? Infinity : 0;
}

const kProducts = new Set(["mul", "square", "squaredDifference"]);
const kAdditions = new Set(["add", "sub", "squaredDifference", "sum", "mean", "cumsum", "mod"]);

/** Returns true if a node is a product, wherever its elements are moved; XLA drops a reduction over axes of size 1. */
function isProduct(node) {
  let at = node;
  while (["movement", "reduction"].includes(opTable[at.op].class) && at.inputs.length === 1) at = at.inputs[0];
  return kProducts.has(at.op) && isFloat(at.dtype);
}

/** Returns a step as `node` reads it: denormals may be 0, a product that is added may not have been rounded. */
function asRead(node, input, step) {
  const { dtype, dimensions, read, errors } = step;
  if (!isFloat(dtype) && !isComplex(dtype)) return step;
  const isFused = kAdditions.has(node.op) && isProduct(input);
  let any = errors !== null;
  const seen = Float64Array.from({ length: product(dimensions) }, (_, k) => {
    const value = read(k);
    const fused = isFused && Number.isFinite(value) ? unitAt(computedIn(dtype), value) : 0;
    const error = (errors?.[k] ?? 0) + flushError(dtype, value) + fused;
    any ||= error > 0;
    return error;
  });
  return any ? { dtype, dimensions, read, errors: seen } : step;
}

/** Adds to the errors of a float node what XLA's own function may be off, and that a small result may be 0. */
function withOwnErrors(node, errors, read, units) {
  const count = product(node.dimensions);
  const least = leastOf(node.dtype);
  const mayFlush = opTable[node.op].class !== "movement" && node.op !== "select";
  return Float64Array.from({ length: count }, (_, k) => {
    const value = read(k);
    const off = (errors?.[k] ?? 0) + units(k, value);
    if (!mayFlush || !Number.isFinite(value) || off === Infinity) return off;
    if (value !== 0 && Math.abs(value) < least) return off + Math.abs(value);
    return off > 0 && Math.abs(value) - off < least ? off + least : off;
  });
}

const isSpecial = (x) => x === 0 || x !== x || Math.abs(x) === Infinity;

/** Returns the units function of an elementwise node: none where operand and result are special values. */
function functionUnits(node, inputs) {
  const bound = kUnits[node.op];
  const dtype = computedIn(node.dtype);
  const places = inputs.map(({ dimensions }) => broadcastMap(dimensions, node.dimensions) ?? ((k) => k));
  if (node.op === "floorDiv") {
    // A quotient that is a negative denormal becomes -0, whose floor is -0 and not -1.
    return (k) => (isDenormal(node.dtype, inputs[0].read(places[0](k)) / inputs[1].read(places[1](k))) ? 1 : 0);
  }
  if (node.op === "mod") {
    // The sign of a remainder that is a denormal is not seen, so the divisor may not be added.
    return (k) => {
      const [x, y] = inputs.map((input, i) => input.read(places[i](k)));
      return isDenormal(node.dtype, x % y) ? Math.abs(y) : 0;
    };
  }
  if (node.op === "nextAfter") {
    // XLA takes a denormal for 0: it finds two of them equal, and its result is then the second one, wherever that lies.
    const least = leastOf(node.dtype);
    return (k) => (inputs.every((input, i) => Math.abs(input.read(places[i](k))) < least) ? least : 0);
  }
  if (bound === undefined) return () => 0;
  const units = bound[dtype === "float64" ? 1 : 0];
  return (k, value) => {
    if (!Number.isFinite(value)) return overflowSlack(node.op, value, dtype, units);
    const operands = inputs.map((input, i) => input.read(places[i](k)));
    if (operands.some(isSpecial) && (isSpecial(value) || Math.abs(value) === 1)) return 0;
    return units * unitAt(dtype, Math.max(Math.abs(value), leastSize(node.op)));
  };
}

/** A function that overflows may give the largest numbers instead: the comparison of an infinity takes the error as the distance to them. */
function overflowSlack(op, value, dtype, units) {
  return value === value && ["exp", "exp2", "expm1", "sinh", "cosh", "pow"].includes(op) ? units * unitAt(dtype, Infinity) : 0;
}

/** The relative error of e^(w log z) from rounding w log z, whose imaginary part is an angle; Infinity if the direction is lost. */
function turnOf(z, w) {
  const turn = Math.hypot(...w) * Math.hypot(Math.log(Math.hypot(...z)), Math.atan2(z[1], z[0])) * 2 ** -50;
  return turn > 2 ** -6 && turn < Infinity ? Infinity : turn < Infinity ? turn : 0;
}

/** Errors of nodes of complex numbers, and of real nodes made of complex ones. */
function complexErrors(node, inputs, read) {
  const count = product(node.dimensions);
  const places = inputs.map(({ dimensions }) => broadcastMap(dimensions, node.dimensions) ?? ((k) => k));
  const carried = ["neg", "conj", "real", "imag", "add", "sub", "abs", "cast"].includes(node.op) && node.dtype !== "bool";
  const part = computedIn(node.dtype === "complex128" || node.dtype === "float64" ? "float64" : "float32");
  const isExact = ["neg", "conj", "real", "imag", "add", "sub", "cast", "equal", "notEqual"].includes(node.op);
  return Float64Array.from({ length: count }, (_, k) => {
    const off = inputs.reduce((sum, { errors }, i) => sum + (errors?.[places[i](k)] ?? 0), 0);
    const value = read(k);
    if (off > 0 && !(carried && (isFloat(node.dtype) || isComplex(node.dtype)))) return Infinity;
    if (typeof value !== "number" && !Array.isArray(value)) return off > 0 ? Infinity : 0;
    const parts = Array.isArray(value) ? value : [value];
    const size = Math.hypot(...parts);
    const turned = node.op === "pow" ? turnOf(inputs[0].read(places[0](k)), inputs[1].read(places[1](k))) : 0;
    if (turned === Infinity) return Infinity;
    const own =
      isExact && off === 0
        ? 0
        : (Number.isFinite(size) ? turned * size : 0) + complexUnits(node.op) * unitAt(part, Number.isFinite(size) ? size : 0);
    const flushed = parts.some((x) => Number.isFinite(x) && Math.abs(x) - own - off < leastOf(node.dtype) && (x !== 0 || own + off > 0));
    return off + own + (flushed ? leastOf(node.dtype) : 0);
  });
}

/** Errors of reductions and scans of complex numbers, and of scans of floats: XLA adds and multiplies in any order, in float64. */
function lineErrors(node, step, read) {
  const { op } = node;
  const isScan = opTable[op].class === "scan";
  const axes = isScan ? [attributesOf(node, op).axis] : attributesOf(node, op).axes;
  const out = new Float64Array(product(node.dimensions));
  const { lines, count, first, along } = linesAlong(step.dimensions, axes);
  const wide = step.dtype === "float64" || step.dtype === "complex128" ? "float64" : "float32";
  for (let n = 0; n < lines; n++) {
    let [size, off, up, down] = [0, 0, 0, 0];
    for (let k = 0; k < count; k++) {
      const at = first(n) + along(k);
      const value = step.read(at);
      const modulus = Array.isArray(value) ? Math.hypot(...value) : Math.abs(value);
      if (Number.isFinite(modulus)) size += modulus;
      off += step.errors?.[at] ?? 0;
      if (modulus > 1) up += Math.log2(modulus);
      else if (modulus > 0) down -= Math.log2(modulus);
    }
    for (let k = 0; k < (isScan ? count : 1); k++) {
      const at = isScan ? first(n) + along(k) : n;
      out[at] = lineError({ op, wide, count, size, off, up, down }, read(at));
    }
  }
  return out;
}

function lineError({ op, wide, count, size, off, up, down }, total) {
  const parts = Array.isArray(total) ? total : [total];
  const modulus = Math.hypot(...parts);
  const limit = wide === "float64" ? 1000 : 120;
  if (op === "prod" || op === "cumprod") {
    if (off > 0) return Infinity;
    if (up > limit || down > limit) return Infinity;
    return Number.isFinite(modulus)
      ? (wide === "float64" ? 2 * count + 4 : 4) * (Array.isArray(total) ? count : 1) * unitAt(wide, modulus)
      : 0;
  }
  if (!Number.isFinite(modulus)) return off > 0 || size > 2 ** limit ? Infinity : 0;
  if (size + off > 2 ** limit * 2 ** (wide === "float64" ? 20 : 6)) return Infinity;
  return off + (wide === "float64" ? 4 + count : 2) * unitAt(wide, size + off);
}

/**
 * Errors of sums that are multiplied at each step, which XLA computes in another order: units of the result for absolute values. Inexact
 * operands are not compared.
 */
function scaledScanErrors(node, inputs, read) {
  const modulus = (value) => (Array.isArray(value) ? Math.hypot(...value) : Math.abs(value));
  const sizes = inputs.map((step) => storedOperand("float64", step.dimensions, (k) => modulus(step.read(k))).operand);
  const most = compileTree(operationOn(node, sizes, "float64"));
  const wide = node.dtype === "float64" || node.dtype === "complex128" ? "float64" : "float32";
  const width = node.dimensions[attributesOf(node, node.op).axis];
  return Float64Array.from({ length: product(node.dimensions) }, (_, k) => {
    const size = most(k);
    if (inputs.some(({ errors }) => errors !== null) || !(size < 2 ** 120) || !Number.isFinite(modulus(read(k)))) return Infinity;
    return 4 * (wide === "float64" ? width + 2 : 2) * unitAt(wide, size) + leastOf(node.dtype);
  });
}

/** Returns the bounds of a node. */
function errorsOf(node, inputs, read) {
  const spec = opTable[node.op];
  const exact = inputs.every(({ errors }) => errors === null);
  const complex = isComplex(node.dtype) || inputs.some(({ dtype }) => isComplex(dtype));
  switch (spec.class) {
    case "leaf":
    case "generator":
      return null;
    case "random": {
      if (node.op !== "randomNormal") return null;
      return withOwnErrors(
        node,
        null,
        read,
        (_, value) => kUnits.randomNormal[node.dtype === "float64" ? 1 : 0] * unitAt(computedIn(node.dtype), value),
      );
    }
    case "unary":
    case "binary":
      if (complex) return complexErrors(node, inputs, read);
      return isFloat(node.dtype)
        ? withOwnErrors(node, elementwiseErrors(node, inputs, read), read, functionUnits(node, inputs))
        : elementwiseErrors(node, inputs, read);
    case "ternary":
      return exact ? null : elementwiseErrors(node, inputs, read);
    case "movement":
      return node.op === "scatter" ? scatteredErrors(node, inputs) : movedErrors(node, inputs);
    case "reduction":
      if (complex) return lineErrors(node, inputs[0], read);
      return isFloat(node.dtype)
        ? withOwnErrors(node, reductionErrors(node, inputs[0], read), read, slackOfSum(node, inputs[0]))
        : reductionErrors(node, inputs[0], read);
    case "scan":
      if (inputs.length > 1) return scaledScanErrors(node, inputs, read);
      if (node.op === "cummax" || node.op === "cummin") return exact ? null : new Float64Array(product(node.dimensions)).fill(Infinity);
      if (complex || isFloat(node.dtype)) return lineErrors(node, inputs[0], read);
      return exact ? null : new Float64Array(product(node.dimensions)).fill(Infinity);
    case "contraction":
      if (complex) return complexContraction(node, inputs, read);
      return isFloat(node.dtype)
        ? withOwnErrors(node, contractionErrors(node, inputs, read), read, () => 0)
        : contractionErrors(node, inputs, read);
    case "ordering":
      return orderingErrors(node, inputs[0]);
    default:
      throw new Error(`no rule for ${node.op}`);
  }
}

/** XLA adds float64 in one long sum, which our own bound does not allow for. */
function slackOfSum(node, operand) {
  if ((node.op !== "sum" && node.op !== "mean") || node.dtype !== "float64") return () => 0;
  const { axes } = attributesOf(node, node.op);
  const { count, first, along } = linesAlong(operand.dimensions, axes);
  return (n, value) => {
    if (!Number.isFinite(value) || count < 2) return 0;
    let size = 0;
    for (let k = 0; k < count; k++) size += Math.abs(operand.read(first(n) + along(k)));
    return (count * unitAt("float64", size)) / (node.op === "mean" ? count : 1);
  };
}

/** Sums of updates are rounded at each step, in any order; complex ones as the others. */
function scatteredErrors(node, inputs) {
  const errors = scatterErrors(node, inputs);
  const { reduction } = attributesOf(node, "scatter");
  const isSum = reduction === "add";
  if (reduction === "mul" && (isFloat(node.dtype) || isComplex(node.dtype)) && errors === null) return manyFactors(node, inputs);
  if (!isSum || !(isFloat(node.dtype) || isComplex(node.dtype)) || errors !== null) return errors;
  const [operand, , updates] = inputs;
  let size = 0;
  for (const step of [operand, updates])
    for (let k = 0; k < product(step.dimensions); k++) {
      const value = step.read(k);
      const modulus = Array.isArray(value) ? Math.hypot(...value) : Math.abs(value);
      if (Number.isFinite(modulus)) size = Math.max(size, modulus);
    }
  const part = computedIn(
    /64$/.test(node.dtype) && !isComplex(node.dtype) ? "float64" : node.dtype === "complex128" ? "float64" : "float32",
  );
  const count = product(updates.dimensions) + 1;
  const off = size * count < 2 ** 120 ? count * unitAt(part, size * count) : Infinity;
  return new Float64Array(product(node.dimensions)).fill(count > 2 ? off : 0);
}

/** Products of updates are exact where there is one factor per row; with more they are rounded at each step, in any order. */
function manyFactors(node, [, indices, updates]) {
  const rows = Array.from({ length: product(indices.dimensions) }, (_, k) => Number(indices.read(k)));
  const isSingle = new Set(rows).size === rows.length && isFloat(updates.dtype);
  return new Float64Array(product(node.dimensions)).fill(isSingle ? 0 : Infinity);
}

function complexContraction(node, inputs, read) {
  const count = product(node.dimensions);
  if (inputs.some(({ errors }) => errors !== null)) return new Float64Array(count).fill(Infinity);
  const most = inputs.map((step) => {
    let size = 0;
    for (let k = 0; k < product(step.dimensions); k++) {
      const modulus = Math.hypot(...step.read(k));
      if (Number.isFinite(modulus)) size = Math.max(size, modulus);
    }
    return size;
  });
  const inner = inputs[0].dimensions.at(attributesOf(node, "matMul").transposeA ? -2 : -1);
  const size = most[0] * most[1] * inner;
  const part = node.dtype === "complex128" ? "float64" : "float32";
  return Float64Array.from({ length: count }, (_, k) => {
    if (!read(k).every(Number.isFinite)) return Infinity;
    return size < 2 ** 100 ? (inner + 4) * unitAt(part, size) : Infinity;
  });
}

/** The values and bounds of all nodes of a tree. Throws where the plain evaluator throws for any element. */
export class XlaSteps {
  #steps = new Map();

  of(node) {
    const known = this.#steps.get(node);
    if (known !== undefined) return known;
    const given = node.inputs.map((input) => this.of(input));
    const isCast = node.op === "cast";
    const operands = given.map(({ dtype, dimensions, read }) => storedOperand(isCast ? dtype : heldDType(dtype), dimensions, read).operand);
    const tree = node.op === "map" ? node : operationOn(node, operands);
    const { read } = storedOperand(heldDType(node.dtype), node.dimensions, compileTree(tree));
    const moves = opTable[node.op].class === "movement" || node.op === "select";
    const inputs =
      moves && attributesOf(node, "scatter").reduction === undefined ? given : given.map((step, k) => asRead(node, node.inputs[k], step));
    const errors = errorsOf(node, inputs, read)?.map((error) => (error !== error ? Infinity : error)) ?? null;
    const step = { dtype: node.dtype, dimensions: node.dimensions, read, errors: errors?.some((error) => error > 0) ? errors : null };
    this.#steps.set(node, step);
    return step;
  }

  /** Returns the elements that a target has, and the bound for each. */
  expected(node) {
    const { dtype, dimensions, read, errors } = this.of(node);
    const rounded = isRoundedWhenStored(dtype) ? storedOperand(dtype, dimensions, read).read : read;
    const isSmall = dtype === "float16" || dtype === "bfloat16";
    const bounds = Float64Array.from({ length: product(dimensions) }, (_, k) => {
      const error = errors?.[k] ?? 0;
      const value = rounded(k);
      // A bfloat16 that is a denormal may be 0 when it is stored, unless it has only been moved.
      const flushed = dtype === "bfloat16" && opTable[node.op].class !== "leaf" ? flushError(dtype, value) : 0;
      return isSmall && error > 0 && error < Infinity ? error + flushed + unitAt(dtype, Math.abs(value) + error) : error + flushed;
    });
    return { values: Array.from(bounds, (_, k) => rounded(k)), bounds };
  }
}

/** Returns the elements of bytes as the steps have them. */
export function elementsOf(dtype, dims, array) {
  const count = product(dims);
  const read = compileTree(tensorMap(dtype, array, [count]));
  return Array.from({ length: count }, (_, k) => read(k));
}
