/**
 * composite-gradients: composed operations that have a shorter gradient than their parts. They are found by the structure of the tree, where
 * the parts are the same nodes, so that one written by hand is found, too; nothing is stored in nodes.
 *
 *     p = exp(x - max(x)),  y = p / sum(p)        the gradient of x: y g - y sum(y g), instead of the gradients of seven operations
 *
 * The maximum that is subtracted does not change the result, so that no gradient goes through it.
 */
import { sameSizes } from "@onebuffer/storage/internal";
import { isComplexDType } from "../tree/dtype-groups.ts";
import type { GradientValue } from "../tree/gradient-rule.ts";
import { isConstant, isSelection } from "../tree/node-kinds.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import { attributesOf } from "../tree/op-attributes.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OpName } from "../tree/op-table.ts";
import { convolutionOf } from "./convolution-gradient.ts";
import type { OperandGradients } from "../tree/gradient-step.ts";
import { foldedByWindows } from "./fold-by-windows.ts";
import { foldPatches } from "./fold-patches.ts";
import { partAlong, repeated, sumOver } from "./gradient-nodes.ts";
import { withoutPadding } from "./padded-patches.ts";
import { extremesOfWindows } from "./shared-extremes.ts";

/** The rule of a composed operation: the nodes it is a function of, and their gradients. */
export interface CompositeGradient {
  readonly inputs: readonly ExpressionTree[];
  readonly gradientsOf: (g: GradientValue) => OperandGradients;
}

/** A composed operation that was found, and the nodes inside it. */
interface Composite extends CompositeGradient {
  readonly parts: readonly ExpressionTree[];
}

/** The composed operations by their last operation. */
const finders: Readonly<Partial<Record<OpName, (node: ExpressionTree) => Composite | null>>> = {
  div: (node) => softmaxOf(node) ?? shareOf(node),
  sub: logSoftmaxOf,
  add: logSumExpOf,
  matMul: convolutionOf,
  extractPatches: paddedPatchesOf,
  max: extremesOfWindows,
  min: extremesOfWindows,
};

/** Returns the rule of a composed operation that ends in a node; null if there is none, or if one of its parts is a variable. */
export function compositeGradient(node: ExpressionTree, isVariable: (part: ExpressionTree) => boolean): CompositeGradient | null {
  const found = finders[node.op]?.(node) ?? null;
  return found?.parts.some(isVariable) ? null : found;
}

/** Returns the operand of an operation on one operand, if it is this one. */
function operandOf(node: ExpressionTree | undefined, op: OpName): ExpressionTree | null {
  return node?.op === op ? inputsOf(node)[0]! : null;
}

/** The sum of exp(x - top) over axes that are kept. */
interface PowerSum {
  readonly x: ExpressionTree;
  readonly top: ExpressionTree;
  readonly shifted: ExpressionTree;
  readonly powers: ExpressionTree;
  readonly axes: readonly number[];
}

function powerSumOf(node: ExpressionTree | undefined): PowerSum | null {
  const powers = operandOf(node, "sum");
  const shifted = powers === null ? null : operandOf(powers, "exp");
  const x = shifted === null ? null : operandOf(shifted, "sub");
  if (x === null) return null;
  const { axes, keepDims } = attributesOf(node!, "sum");
  return keepDims ? { x, top: inputsOf(shifted!)[1]!, shifted: shifted!, powers: powers!, axes } : null;
}

/** Returns true if `top` is the maximum of x over axes that are kept. */
function isMaximum(top: ExpressionTree, { x, axes }: PowerSum): boolean {
  if (operandOf(top, "max") !== x) return false;
  const of = attributesOf(top, "max");
  return of.keepDims && sameSizes(of.axes, axes);
}

/**
 * Returns the nodes of what is subtracted from x if it is the maximum over axes that are kept, or the maximum where that is finite and a constant
 * elsewhere; null if it is something else.
 */
function topOf(found: PowerSum): readonly ExpressionTree[] | null {
  const { top } = found;
  if (isMaximum(top, found)) return [top];
  const [isFinite, highest, constant] = isSelection(top) ? inputsOf(top) : [];
  if (constant === undefined || !isConstant(constant) || operandOf(isFinite, "isFinite") !== highest) return null;
  return isMaximum(highest!, found) ? [top, isFinite!, highest!] : null;
}

function softmaxOf(node: ExpressionTree): Composite | null {
  const [powers, sum] = inputsOf(node);
  const found = powerSumOf(sum);
  const top = found === null || found.powers !== powers ? null : topOf(found);
  if (found === null || top === null) return null;
  const y = node as GradientValue;
  const gradientsOf = (g: GradientValue): OperandGradients => {
    const products = g.mul(y);
    return [products.sub(y.mul(sumOver(products, found.axes, true)))];
  };
  return { inputs: [found.x], parts: [powers!, sum!, found.shifted, ...top], gradientsOf };
}

function logSoftmaxOf(node: ExpressionTree): Composite | null {
  const [shifted, log] = inputsOf(node);
  const sum = operandOf(log, "log");
  const found = sum === null ? null : powerSumOf(sum);
  const top = found === null || found.shifted !== shifted ? null : topOf(found);
  if (found === null || top === null) return null;
  const y = node as GradientValue;
  const gradientsOf = (g: GradientValue): OperandGradients => [g.sub(y.exp().mul(sumOver(g, found.axes, true)))];
  return { inputs: [found.x], parts: [shifted!, log!, sum!, found.powers, ...top], gradientsOf };
}

/** log(sum(exp(x - m))) + m. The gradient has the powers: exp(x - y) would have the rounding of y, which is large if x is. */
function logSumExpOf(node: ExpressionTree): Composite | null {
  const [log, last] = inputsOf(node);
  const sum = operandOf(log, "log");
  const found = sum === null ? null : powerSumOf(sum);
  const top = found === null || found.top !== last ? null : topOf(found);
  if (found === null || top === null) return null;
  const { x, powers, shifted } = found;
  const softmax = (): GradientValue => (powers as GradientValue).div(sum as GradientValue);
  const gradientsOf = (g: GradientValue): OperandGradients => [repeated(g, sizesOf(x)).mul(softmax())];
  return { inputs: [x], parts: [log!, sum!, powers, shifted, ...top], gradientsOf };
}

/**
 * n / (1 + exp(v)), as in the approximate gelu. Where exp(v) overflows the quotient is 0, and that of its parts would be 0 times infinity: the
 * gradients are those of n times the sigmoid of -v.
 */
function shareOf(node: ExpressionTree): Composite | null {
  const [n, sum] = inputsOf(node);
  const [power, one] = sum?.op === "add" ? inputsOf(sum) : [];
  const v = operandOf(power, "exp");
  const isSum = v !== null && isConstant(one!) && attributesOf(one!, "constant").value === 1;
  if (!isSum || isComplexDType(node.dtype) || !sameSizes(sizesOf(n!), sizesOf(v))) return null;
  const exponent = v as GradientValue;
  const gradientsOf = (g: GradientValue): OperandGradients => [
    g.mul(exponent.neg().sigmoid()),
    g
      .mul(node as GradientValue)
      .mul(exponent.sigmoid())
      .neg(),
  ];
  return { inputs: [n!, v], parts: [sum!, power!], gradientsOf };
}

/** Patches of a padded image: only the elements of the image itself get a gradient. */
function paddedPatchesOf(node: ExpressionTree): Composite | null {
  const { image, parts, before } = withoutPadding(node);
  if (parts.length === 0) return null;
  const attributes = attributesOf(node, "extractPatches");
  const { axes } = attributes;
  const sizes = sizesOf(image);
  const gradientsOf = (g: GradientValue): OperandGradients => {
    const folded = foldedByWindows(g, sizes, attributes, before);
    const whole = (): GradientValue => foldPatches(g, sizesOf(inputsOf(node)[0]!), attributes);
    const part = (value: GradientValue, axis: number, k: number): GradientValue =>
      partAlong(value, axis, before[k]!, before[k]! + sizes[axis]!);
    return [folded ?? axes.reduce(part, whole())];
  };
  return { inputs: [image], parts, gradientsOf };
}
