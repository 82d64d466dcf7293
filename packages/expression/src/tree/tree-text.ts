/** The text of an expression tree, for `explain` and for consoles. */
import { operationName } from "./custom-record.ts";
import { isConstant, isMap } from "./node-kinds.ts";
import type { ExpressionTree } from "./op-attributes.ts";

/** How much of a tree is shown: levels below the root, and characters. */
export interface TreeTextLimits {
  readonly levels: number;
  readonly characters: number;
}

/**
 * Returns the tree as text, such as `add(x0, mul(x1, 2))  x0: float32[3]  x1: float32[3]`. Maps are numbered in the order in which they
 * appear. Parts below `levels` are shown as `…`.
 */
export function treeText(tree: ExpressionTree, { levels, characters }: TreeTextLimits): string {
  const names = new Map<ExpressionTree, string>();
  let text = "";
  // A shared node is written at each of its uses, until the text is longer than what is shown.
  const write = (node: ExpressionTree, left: number): void => {
    if (text.length > characters) return;
    if (isMap(node)) {
      const name = names.get(node) ?? `x${names.size}`;
      names.set(node, name);
      text += name;
    } else if (isConstant(node)) text += String((node.attributes as { value: unknown }).value);
    else if (left <= 0) text += "…";
    else {
      text += `${operationName(node)}(`;
      node.inputs.forEach((input, k) => {
        if (k > 0) text += ", ";
        write(input, left - 1);
      });
      text += ")";
    }
  };
  write(tree, levels);
  text += [...names].map(([{ dtype, dimensions }, name]) => `  ${name}: ${dtype}[${dimensions}]`).join("");
  return text.length <= characters ? text : `${text.slice(0, characters)}…`;
}
