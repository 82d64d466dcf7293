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
  NodeNumbers,
  operandGradients,
  ruleOf,
} from "@onebuffer/expression/internal";
import type { CompositeGradient, CustomRule, GradientValue } from "@onebuffer/expression/internal";
import { placedPart } from "./placed-part.ts";
import type { Found, Variables } from "./variables.ts";

/** Returns true for dtypes whose elements may change by any small amount. */
export function isSmooth({ dtype }: ExpressionTree): boolean {
  return isFloat(dtype) || isComplexDType(dtype);
}

/** A node of the tree, and what the walk knows of it. */
interface Place {
  readonly node: ExpressionTree;
  /** The rule of a marked node or of a composed operation; null for that of the node's operation. */
  rule: CustomRule | CompositeGradient | null;
  /** The nodes to which the gradient goes on, and their places, of which `visited` are known. */
  readonly nodes: readonly ExpressionTree[];
  operands: Place[];
  visited: number;
  /** The variables that the node is. */
  found: readonly Found[];
  /** True if the node changes smoothly with a variable. */
  isSmooth: boolean;
  /** The sum of what the node's users have given so far; null before the first. */
  gradient: ExpressionTree | null;
}

const kNone: readonly Found[] = [];
const kNoPlaces: Place[] = [];

function newPlace(node: ExpressionTree): Place {
  const rule = ruleOf(node) ?? null;
  const nodes = rule?.inputs ?? inputsOf(node);
  // A list of its length: one that grows gets room for 17 elements.
  const operands = nodes.length === 0 ? kNoPlaces : new Array<Place>(nodes.length);
  return { node, rule, nodes, operands, visited: 0, found: kNone, isSmooth: false, gradient: null };
}

/**
 * Returns the places of the nodes in the tree of `root`, operands first, as treeOrder does. Throws INVALID_ARGUMENT for a leaf that is a variable
 * only in part.
 */
function placesOf(root: ExpressionTree, variables: Variables): readonly Place[] {
  const numbers = new NodeNumbers();
  const isVariable = (part: ExpressionTree): boolean => variables.find(part).length > 0;
  /** The places by the numbers of their nodes. */
  const places: Place[] = [newPlace(root)];
  numbers.add(root);
  const order: Place[] = [];
  const path = [places[0]!];
  while (path.length > 0) {
    const place = path[path.length - 1]!;
    const { node, nodes, operands } = place;
    if (place.visited < nodes.length) {
      const k = place.visited++;
      const number = numbers.of(nodes[k]!);
      if (number >= 0) operands[k] = places[number]!;
      else {
        const operand = newPlace(nodes[k]!);
        numbers.add(operand.node);
        places.push(operand);
        path.push(operand);
        operands[k] = operand;
      }
      continue;
    }
    path.pop();
    order.push(place);
    place.found = variables.find(node);
    place.isSmooth = (place.found.length > 0 || (hasSmooth(operands) && passesOn(node))) && isSmooth(node);
    if (!place.isSmooth || place.rule !== null || nodes.length === 0) continue;
    const composite = compositeGradient(node, isVariable);
    if (composite === null) continue;
    place.rule = composite;
    place.operands = composite.inputs.map((input) => places[numbers.of(input)] ?? places.findLast((each) => each.node === input)!);
  }
  return order;
}

function hasSmooth(places: readonly Place[]): boolean {
  for (let k = 0; k < places.length; k++) if (places[k]!.isSmooth) return true;
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
  const order = placesOf(root, variables);
  const results: (ExpressionTree | null)[] = variables.nodes.map(() => null);
  const flat = new Set<ExpressionTree>();
  const last = order.at(-1)!;
  if (last.isSmooth) last.gradient = start;
  for (let i = order.length - 1; i >= 0; i--) {
    const place = order[i]!;
    const { found, gradient } = place;
    if (gradient === null) continue;
    if (gradient.depth > kMaxDepth - kRuleDepth) throw tooDeep(call, root);
    for (let k = 0; k < found.length; k++) {
      const { variable, part } = found[k]!;
      const whole = part === null ? gradient : placedPart(gradient, variables.nodes[variable]!, part);
      results[variable] = added(results[variable]!, whole);
    }
    if (passOn(place, gradient)) flat.add(place.node);
  }
  return { results, flat };
}

function tooDeep(call: string, { depth }: ExpressionTree): InvalidArgumentError {
  return new InvalidArgumentError(
    `${call}: the gradients of an expression ${depth} operations deep are more than ${kMaxDepth} operations deep, assign intermediate results`,
  );
}

/** Gives the operands of a node their gradients. Returns true if one that changes with a variable has none. */
function passOn({ node, rule, operands }: Place, g: ExpressionTree): boolean {
  if (!hasSmooth(operands)) return false;
  const needs = new Array<boolean>(operands.length);
  for (let k = 0; k < operands.length; k++) needs[k] = operands[k]!.isSmooth;
  const gradients = rule === null ? operandGradients(node, g, needs) : rule.gradientsOf(g as GradientValue);
  let isFlat = false;
  for (let k = 0; k < operands.length; k++) {
    if (!needs[k]) continue;
    const gradient = gradients[k] ?? null;
    if (gradient === null) isFlat = true;
    else operands[k]!.gradient = added(operands[k]!.gradient, gradient);
  }
  return isFlat;
}

/** Returns the sum of two gradients, or the one that there is. */
function added(sum: ExpressionTree | null, g: ExpressionTree): ExpressionTree {
  return sum === null ? g : (sum as GradientValue).add(g as GradientValue);
}
