/** padded-patches: the image below patches that was padded before they were taken, as `padding: "same"` does. */
import { isConstant, isJoin } from "../tree/node-kinds.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import { attributesOf } from "../tree/op-attributes.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";

/** An image, the nodes that padded it, and the elements that they added before it along each axis of the windows. */
export interface UnpaddedImage {
  readonly image: ExpressionTree;
  readonly parts: readonly ExpressionTree[];
  readonly before: readonly number[];
}

/** Returns the image of patches below concatenations with constants along the axes of the windows. */
export function withoutPadding(patches: ExpressionTree): UnpaddedImage {
  const { axes } = attributesOf(patches, "extractPatches");
  let image = inputsOf(patches)[0]!;
  const parts: ExpressionTree[] = [];
  const before = axes.map(() => 0);
  while (isJoin(image)) {
    const inputs = inputsOf(image);
    const k = axes.indexOf(attributesOf(image, "concatenate").axis);
    const at = inputs.findIndex((input) => !isFiller(input));
    if (k < 0 || at < 0 || inputs.some((input, i) => i !== at && !isFiller(input))) break;
    parts.push(image);
    before[k]! += inputs.slice(0, at).reduce((sum, input) => sum + sizesOf(input)[axes[k]!]!, 0);
    image = inputs[at]!;
  }
  return { image, parts, before };
}

/** Returns true for a constant, also one that was repeated. */
function isFiller(node: ExpressionTree): boolean {
  return isConstant(node) || (node.op === "broadcast" && isConstant(inputsOf(node)[0]!));
}
