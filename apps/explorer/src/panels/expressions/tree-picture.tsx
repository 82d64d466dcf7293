/** The tree of an expression as a picture: the result above, its operands below. A node that is used twice is drawn once. */
import type { JSX } from "preact";
import type { ExpressionTree } from "onebuffer/eigen";
import { shortNumber } from "../../parts/number-text.ts";

const kWidth = 124;
const kHeight = 40;
const kGapX = 14;
const kGapY = 30;
/** The most nodes that are drawn. */
const kMostNodes = 60;

interface Placed {
  readonly node: ExpressionTree;
  level: number;
  x: number;
}

/** Returns the nodes with the level of each: one below the lowest of its readers. Null if there are too many. */
function placed(root: ExpressionTree): Placed[] | null {
  const nodes = new Map<ExpressionTree, Placed>();
  const visit = (node: ExpressionTree, level: number): boolean => {
    const known = nodes.get(node);
    if (known !== undefined && known.level >= level) return true;
    if (known === undefined) nodes.set(node, { node, level, x: 0 });
    else known.level = level;
    return nodes.size <= kMostNodes && node.inputs.every((input) => visit(input, level + 1));
  };
  if (!visit(root, 0)) return null;
  const list = [...nodes.values()];
  const deepest = Math.max(...list.map(({ level }) => level));
  let widest = 1;
  for (let level = 0; level <= deepest; level++) widest = Math.max(widest, list.filter((each) => each.level === level).length);
  for (let level = 0; level <= deepest; level++) {
    const row = list.filter((each) => each.level === level);
    for (const [i, each] of row.entries()) each.x = ((i + 0.5) * widest * (kWidth + kGapX)) / row.length;
  }
  return list;
}

/** Draws the tree. `nameOf` returns the name of the tensor that a leaf reads. */
export function TreePicture({ tree, nameOf }: { tree: ExpressionTree; nameOf: (node: ExpressionTree) => string }): JSX.Element {
  const list = placed(tree);
  if (list === null) return <p class="empty">More than {kMostNodes} nodes: too many to draw.</p>;
  const at = new Map(list.map((each) => [each.node, each]));
  const width = Math.max(...list.map(({ x }) => x)) + kWidth / 2 + 2;
  const height = (Math.max(...list.map(({ level }) => level)) + 1) * (kHeight + kGapY) - kGapY + 4;
  const titleOf = (node: ExpressionTree): string => {
    if (node.op === "map") return nameOf(node) || "map";
    if (node.op === "constant") return shortNumber((node.attributes as { readonly value: unknown }).value);
    return node.op;
  };
  const spoken = list.map(({ node }) => `${titleOf(node)} ${node.dtype} [${node.dimensions.join(", ")}]`).join("; ");
  return (
    <div class="graph-scroll" tabIndex={0} role="group" aria-label="Expression tree">
      <svg class="graph tree" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={spoken}>
        {list.flatMap(({ node, x, level }) =>
          node.inputs.map((input, i) => {
            const to = at.get(input)!;
            const [y1, y2] = [level * (kHeight + kGapY) + kHeight, to.level * (kHeight + kGapY) + 2];
            return (
              <path key={`${x} ${level} ${i}`} class="graph-line" d={`M${x} ${y1} C${x} ${y1 + 18} ${to.x} ${y2 - 18} ${to.x} ${y2}`} />
            );
          }),
        )}
        {list.map(({ node, x, level }) => (
          <g key={`${x} ${level}`} class={`graph-box ${node.op === "map" ? "is-leaf" : node.op === "constant" ? "is-constant" : ""}`}>
            <rect x={x - kWidth / 2 + 1} y={level * (kHeight + kGapY) + 2} width={kWidth - 2} height={kHeight - 4} rx={5} />
            <text class="graph-title" x={x} y={level * (kHeight + kGapY) + 18} text-anchor="middle">
              {titleOf(node)}
            </text>
            <text class="graph-note" x={x} y={level * (kHeight + kGapY) + 31} text-anchor="middle">
              {node.dtype}
              {node.dimensions.length > 0 ? `[${node.dimensions.join(", ")}]` : ""}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
