/**
 * walk: reverse mode over the tree of an expression, from the result to the leaves.
 *
 *     y = sum(w * x)        gradient of y: 1   ->   of w * x: 1, broadcast   ->   of w: that times x
 *
 * Each node's gradient is the sum of what its users give it, and is complete once all of them were visited: the order of the nodes is that of
 * treeOrder, backwards. Nothing is computed: the gradients are expressions.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import {
  compositeGradient,
  hasGradient,
  inputsOf,
  isComplexDType,
  isFloat,
  kMaxDepth,
  operandGradients,
  treeOrder,
} from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { ruleOf, towards } from "./marks.ts";
import { placedPart } from "./placed-part.ts";
import type { Found, Variables } from "./variables.ts";

/** Returns true for dtypes whose elements may change by any small amount. */
export function isSmooth({ dtype }: ExpressionTree): boolean {
  return isFloat(dtype) || isComplexDType(dtype);
}

/** The nodes of a tree, operands first, and what is known of them before the walk. */
export interface TreePaths {
  readonly order: readonly ExpressionTree[];
  /** The variables that a node is, for nodes that are any. */
  readonly found: ReadonlyMap<ExpressionTree, readonly Found[]>;
  /** The nodes that change smoothly with a variable. */
  readonly smooth: ReadonlySet<ExpressionTree>;
}

/** Finds the variables in the tree of `root`. Throws INVALID_ARGUMENT for a leaf that is a variable only in part. */
export function pathsOf(root: ExpressionTree, variables: Variables): TreePaths {
  const order = treeOrder([root], undefined, towards);
  const found = new Map<ExpressionTree, readonly Found[]>();
  const smooth = new Set<ExpressionTree>();
  const isSmoothInput = (input: ExpressionTree): boolean => smooth.has(input);
  for (const node of order) {
    const each = variables.find(node);
    if (each.length > 0) found.set(node, each);
    if (!isSmooth(node)) continue;
    if (each.length > 0 || (towards(node).some(isSmoothInput) && passesOn(node))) smooth.add(node);
  }
  return { order, found, smooth };
}

/** Returns true if the gradient of a node may go on to its operands. */
export function passesOn(node: ExpressionTree): boolean {
  return ruleOf(node) !== undefined || hasGradient(node);
}

/** What a walk has found. */
export interface Walked {
  /** The gradients of the variables; null for those that the root does not change with. */
  readonly results: readonly (ExpressionTree | null)[];
  /** The nodes whose gradient with respect to an operand is 0 although their operation has gradients, such as the sign of a real number. */
  readonly flat: ReadonlySet<ExpressionTree>;
}

/** The most operations that a rule adds to a path, and more. */
const kRuleDepth = 1000;

/**
 * Returns the gradients of the variables, of the gradient of the root. Throws INVALID_ARGUMENT, with the name of the function `call`, if they
 * are too deep: they read the values of the expression, and have two to four times its depth.
 */
export function walk(call: string, paths: TreePaths, variables: Variables, start: ExpressionTree): Walked {
  const results: (ExpressionTree | null)[] = variables.nodes.map(() => null);
  const flat = new Set<ExpressionTree>();
  const gradients = new Map<ExpressionTree, ExpressionTree>();
  const root = paths.order.at(-1)!;
  if (paths.smooth.has(root)) gradients.set(root, start);
  const give = (node: ExpressionTree, g: ExpressionTree): void => {
    gradients.set(node, added(gradients.get(node), g));
  };
  for (let i = paths.order.length - 1; i >= 0; i--) {
    const node = paths.order[i]!;
    const g = gradients.get(node);
    if (g === undefined) continue;
    gradients.delete(node);
    if (g.depth > kMaxDepth - kRuleDepth) throw tooDeep(call, root);
    for (const { variable, part } of paths.found.get(node) ?? []) {
      const whole = part === null ? g : placedPart(g, variables.nodes[variable]!, part);
      results[variable] = added(results[variable] ?? undefined, whole);
    }
    if (passOn(node, g, paths, give)) flat.add(node);
  }
  return { results, flat };
}

function tooDeep(call: string, { depth }: ExpressionTree): InvalidArgumentError {
  return new InvalidArgumentError(
    `${call}: the gradients of an expression ${depth} operations deep are more than ${kMaxDepth} operations deep, assign intermediate results`,
  );
}

/** Gives the operands of a node their gradients. Returns true if one that changes with a variable has none. */
function passOn(
  node: ExpressionTree,
  g: ExpressionTree,
  paths: TreePaths,
  give: (node: ExpressionTree, g: ExpressionTree) => void,
): boolean {
  const custom = ruleOf(node);
  const composite = custom === undefined ? compositeGradient(node, paths.found) : null;
  const inputs = custom?.inputs ?? composite?.inputs ?? inputsOf(node);
  const needs = inputs.map((input) => paths.smooth.has(input));
  if (!needs.includes(true)) return false;
  const gradients = custom?.gradientsOf(g) ?? composite?.gradientsOf(g as GradientValue) ?? operandGradients(node, g, needs);
  let isFlat = false;
  for (let k = 0; k < inputs.length; k++) {
    const gradient = gradients[k] ?? null;
    if (!needs[k]) continue;
    if (gradient === null) isFlat = true;
    else give(inputs[k]!, gradient);
  }
  return isFlat;
}

/** Returns the sum of two gradients, or the one that there is. */
function added(sum: ExpressionTree | undefined, g: ExpressionTree): ExpressionTree {
  return sum === undefined ? g : (sum as GradientValue).add(g as GradientValue);
}
