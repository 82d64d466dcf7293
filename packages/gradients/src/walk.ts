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

/** A node of the tree, and what the walk knows of it. Steps of training are made anew in loops, so all of it is found by one look-up. */
interface Place {
  readonly node: ExpressionTree;
  /** The variables that the node is. */
  readonly found: readonly Found[];
  /** True if the node changes smoothly with a variable. */
  readonly isSmooth: boolean;
  /** The sum of what the node's users have given so far; null before the first. */
  gradient: ExpressionTree | null;
}

interface Places {
  /** The places, operands first. */
  readonly order: readonly Place[];
  readonly byNode: ReadonlyMap<ExpressionTree, Place>;
}

const kNone: readonly Found[] = [];

/** Finds the variables in the tree of `root`, operands first. Throws INVALID_ARGUMENT for a leaf that is a variable only in part. */
function placesOf(root: ExpressionTree, variables: Variables): Places {
  const byNode = new Map<ExpressionTree, Place>();
  const order = treeOrder([root], undefined, towards).map((node): Place => {
    const found = variables.find(node);
    const changes = isSmooth(node) && (found.length > 0 || (hasSmooth(towards(node), byNode) && passesOn(node)));
    const place = { node, found, isSmooth: changes, gradient: null };
    byNode.set(node, place);
    return place;
  });
  return { order, byNode };
}

function hasSmooth(nodes: readonly ExpressionTree[], places: Places["byNode"]): boolean {
  for (const node of nodes) if (places.get(node)!.isSmooth) return true;
  return false;
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
 * are too deep: they read the values of the expression, and have two to four times its depth. Throws it for a leaf that is a variable only in
 * part, too.
 */
export function walk(call: string, root: ExpressionTree, variables: Variables, start: ExpressionTree): Walked {
  const { order, byNode } = placesOf(root, variables);
  const results: (ExpressionTree | null)[] = variables.nodes.map(() => null);
  const flat = new Set<ExpressionTree>();
  const last = order.at(-1)!;
  if (last.isSmooth) last.gradient = start;
  for (let i = order.length - 1; i >= 0; i--) {
    const { node, found, gradient } = order[i]!;
    if (gradient === null) continue;
    if (gradient.depth > kMaxDepth - kRuleDepth) throw tooDeep(call, root);
    for (const { variable, part } of found) {
      const whole = part === null ? gradient : placedPart(gradient, variables.nodes[variable]!, part);
      results[variable] = added(results[variable]!, whole);
    }
    if (passOn(node, gradient, byNode)) flat.add(node);
  }
  return { results, flat };
}

function tooDeep(call: string, { depth }: ExpressionTree): InvalidArgumentError {
  return new InvalidArgumentError(
    `${call}: the gradients of an expression ${depth} operations deep are more than ${kMaxDepth} operations deep, assign intermediate results`,
  );
}

/** Gives the operands of a node their gradients. Returns true if one that changes with a variable has none. */
function passOn(node: ExpressionTree, g: ExpressionTree, places: Places["byNode"]): boolean {
  const custom = ruleOf(node);
  const composite = custom === undefined ? compositeGradient(node, (part) => (places.get(part)?.found ?? kNone).length > 0) : null;
  const inputs = custom?.inputs ?? composite?.inputs ?? inputsOf(node);
  const needs: boolean[] = [];
  for (const input of inputs) needs.push(places.get(input)?.isSmooth === true);
  if (!needs.includes(true)) return false;
  const gradients = custom?.gradientsOf(g) ?? composite?.gradientsOf(g as GradientValue) ?? operandGradients(node, g, needs);
  let isFlat = false;
  for (let k = 0; k < inputs.length; k++) {
    const gradient = gradients[k] ?? null;
    if (!needs[k]) continue;
    const place = places.get(inputs[k]!)!;
    if (gradient === null) isFlat = true;
    else place.gradient = added(place.gradient, gradient);
  }
  return isFlat;
}

/** Returns the sum of two gradients, or the one that there is. */
function added(sum: ExpressionTree | null, g: ExpressionTree): ExpressionTree {
  return sum === null ? g : (sum as GradientValue).add(g as GradientValue);
}
