/**
 * split-axis: an expression with one axis divided into two, of which the first counts blocks.
 *
 *     x [1000] + 1     blocks of 15     x [66, 15] + 1      the elements 0 .. 990 of x, without a copy
 */
import { noAttributes } from "../expression/tree/op-attributes.ts";
import type { ExpressionTree } from "../expression/tree/op-attributes.ts";
import { opTable } from "../expression/tree/op-table.ts";
import { treeOrder } from "../expression/tree/tree-order.ts";
import { leafPlaces } from "../kernel/plan/leaf-places.ts";
import { fieldsOf, leafOf } from "../kernel/plan/tree-parts.ts";

/**
 * Returns the first `blocks` * `length` elements of a tree along an axis as an expression of sizes [.., blocks, length, ..]. Returns null if
 * the tree has operations other than elementwise ones and broadcasts.
 */
export function splitAxis(tree: ExpressionTree, axis: number, blocks: number, length: number): ExpressionTree | null {
  const fromRight = tree.dimensions.length - axis;
  const made = new Map<ExpressionTree, ExpressionTree>();
  const sizesOf = ({ dimensions }: ExpressionTree, first: number, second: number): readonly number[] => {
    const own = dimensions.length - fromRight;
    if (own < 0) return dimensions;
    const isOne = dimensions[own] === 1 && blocks * length > 1;
    return [...dimensions.slice(0, own), isOne ? 1 : first, isOne ? 1 : second, ...dimensions.slice(own + 1)];
  };
  for (const node of treeOrder([tree])) {
    const dimensions = sizesOf(node, blocks, length);
    const { class: opClass } = opTable[node.op];
    if (opClass === "leaf") {
      const places = leafPlaces(node);
      const own = places.dims.length - fromRight;
      const step = own < 0 ? 0 : (places.strides[own] as number);
      const strides = own < 0 ? places.strides : [...places.strides.slice(0, own), step * length, step, ...places.strides.slice(own + 1)];
      made.set(node, leafOf(node, { ...places, dims: dimensions, strides }));
    } else if (node.op === "constant") made.set(node, { ...fieldsOf(node), dimensions });
    else if (opClass === "unary" || opClass === "binary" || opClass === "ternary" || node.op === "broadcast") {
      const attributes = node.op === "broadcast" ? noAttributes : node.attributes;
      made.set(node, { ...fieldsOf(node), attributes, inputs: node.inputs.map((input) => made.get(input)!), dimensions });
    } else return null;
  }
  return made.get(tree)!;
}
