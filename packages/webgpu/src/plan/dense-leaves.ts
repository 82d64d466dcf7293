/**
 * denseTrees: expressions over placeholders in place of their maps. A program runs with other maps, too, and all of them are dense on the
 * GPU, whatever strides the maps of this process have.
 */
import { withNodes } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { dtypeSize, FailedPreconditionError } from "@onebuffer/base";
import { leafOf } from "@onebuffer/compiler/internal";
import { rowMajorStrides } from "@onebuffer/storage/internal";

/** Expressions, and the placeholder of each leaf. */
export interface DenseTrees {
  readonly trees: readonly ExpressionTree[];
  readonly leaves: readonly ExpressionTree[];
}

/** Returns the expressions over placeholders. */
export function denseTrees(trees: readonly ExpressionTree[], leaves: readonly ExpressionTree[]): DenseTrees {
  const placeholders = leaves.map(placeholderOf);
  const others = new Map(leaves.map((leaf, k) => [leaf, placeholders[k]!]));
  return { trees: trees.map((tree) => withNodes(tree, others)), leaves: placeholders };
}

/** Returns a leaf with the dtype and the sizes of another one, dense, whose memory cannot be read. */
function placeholderOf({ dtype, dimensions }: ExpressionTree): ExpressionTree {
  return leafOf(
    { dtype },
    {
      get buffer(): never {
        throw new FailedPreconditionError("the elements of a placeholder are on the GPU");
      },
      byteOffset: 0,
      itemBytes: dtypeSize(dtype),
      dims: dimensions,
      strides: rowMajorStrides(dimensions),
    },
  );
}
