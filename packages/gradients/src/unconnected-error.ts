/** unconnected-error: why an expression does not change with a variable. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { ruleOf, shownOperand, towards, treeOrder } from "@onebuffer/expression/internal";
import type { Variables } from "./variables.ts";
import { isSmooth, passesOn } from "./walk.ts";

/** How many operations a message names. */
const kNamed = 3;

/**
 * Returns the error for a variable that y does not depend on, or depends on only through operations without a gradient. `flat` are nodes at
 * which the walk ended although their operations have gradients.
 */
export function unconnectedError(
  call: string,
  number: number,
  root: ExpressionTree,
  variables: Variables,
  flat: ReadonlySet<ExpressionTree>,
): InvalidArgumentError {
  const shown = `variable ${number}, ${shownOperand(variables.nodes[number]!)}`;
  const ends = endsOf(number, root, variables, flat);
  const remedy = '{ unconnected: "zero" } gives zeros';
  if (ends.length === 0) return new InvalidArgumentError(`${call}: the expression does not depend on ${shown}; ${remedy}`);
  const named = `${ends.slice(0, kNamed).join(", ")}${ends.length > kNamed ? ", …" : ""}`;
  const verb = ends.length === 1 ? "has" : "have";
  return new InvalidArgumentError(
    `${call}: the expression depends on ${shown}, only through ${named}, which ${verb} no gradient; ${remedy}`,
  );
}

/** Returns the names of the operations at which the ways from a variable to the root end. */
function endsOf(number: number, root: ExpressionTree, variables: Variables, flat: ReadonlySet<ExpressionTree>): readonly string[] {
  const reached = new Set<ExpressionTree>();
  const ends = new Set<string>();
  const isReached = (node: ExpressionTree): boolean => reached.has(node);
  for (const node of treeOrder([root], undefined, (each) => [...each.inputs, ...towards(each)])) {
    if (variables.find(node).some(({ variable }) => variable === number)) reached.add(node);
    else if (![...node.inputs, ...towards(node)].some(isReached)) continue;
    else if (isSmooth(node) && passesOn(node) && !flat.has(node) && towards(node).some(isReached)) reached.add(node);
    else ends.add(nameOf(node));
  }
  return [...ends];
}

function nameOf(node: ExpressionTree): string {
  const rule = ruleOf(node);
  if (rule === undefined) return node.op;
  return rule.inputs.length === 0 ? "stopGradient" : "customGradient";
}
