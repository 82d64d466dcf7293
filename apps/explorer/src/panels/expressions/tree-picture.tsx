/** The tree of an expression as a picture: the result above, its operands below. A node that is used twice is drawn once. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
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

/** Returns the node that an arrow key leads to from another one; undefined for other keys and at the border. */
function neighborOf(list: readonly Placed[], from: Placed, key: string): Placed | undefined {
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  const rowOf = (level: number): Placed[] => list.filter((each) => each.level === level).sort((a, b) => a.x - b.x);
  if (step !== undefined) {
    const distance = ({ x }: Placed): number => Math.abs(x - from.x);
    return rowOf(from.level + step).sort((a, b) => distance(a) - distance(b))[0];
  }
  const side = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const row = rowOf(from.level);
  return side === undefined ? undefined : row[row.indexOf(from) + side];
}

/** What a tree is drawn with. */
interface TreePictureProps {
  readonly tree: ExpressionTree;
  /** The name of the drawing as it is read aloud. */
  readonly label: string;
  /** Returns the name of the tensor that a leaf reads. */
  readonly nameOf: (node: ExpressionTree) => string;
  /** Returns true for a node that both trees have. */
  readonly isShared: (node: ExpressionTree) => boolean;
  readonly chosen: ExpressionTree | null;
  readonly onChoose: (node: ExpressionTree) => void;
}

/** Draws the tree. A click, Enter or an arrow key chooses a node. */
export function TreePicture({ tree, label, nameOf, isShared, chosen, onChoose }: TreePictureProps): JSX.Element {
  const picture = useRef<SVGSVGElement>(null);
  const list = placed(tree);
  if (list === null) return <p class="empty">More than {kMostNodes} nodes: too many to draw.</p>;
  const at = new Map(list.map((each) => [each.node, each]));
  const width = Math.max(...list.map(({ x }) => x)) + kWidth / 2 + 2;
  const height = (Math.max(...list.map(({ level }) => level)) + 1) * (kHeight + kGapY) - kGapY + 4;
  const inTabOrder = at.get(chosen ?? tree) ?? list[0]!;
  const titleOf = (node: ExpressionTree): string => {
    if (node.op === "map") return nameOf(node) || "map";
    if (node.op === "constant") return shortNumber((node.attributes as { readonly value: unknown }).value);
    return node.op;
  };
  const lookOf = (node: ExpressionTree): string =>
    [
      node.op === "map" ? "is-leaf" : node.op === "constant" ? "is-constant" : "",
      isShared(node) ? "is-shared" : "",
      node === chosen ? "is-chosen" : "",
    ].join(" ");
  const pressed = (event: KeyboardEvent, from: Placed): void => {
    const to = event.key === "Enter" || event.key === " " ? from : neighborOf(list, from, event.key);
    if (to === undefined) return;
    event.preventDefault();
    onChoose(to.node);
    picture.current?.querySelector<SVGElement>(`[data-node="${list.indexOf(to)}"]`)?.focus();
  };
  return (
    <div class="graph-scroll">
      <svg
        ref={picture}
        class="graph tree"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="group"
        aria-label={`${label}: ${list.length} nodes, the arrow keys go through them`}
      >
        {list.flatMap(({ node, x, level }) =>
          node.inputs.map((input, i) => {
            const to = at.get(input)!;
            const [y1, y2] = [level * (kHeight + kGapY) + kHeight, to.level * (kHeight + kGapY) + 2];
            return (
              <path key={`${x} ${level} ${i}`} class="graph-line" d={`M${x} ${y1} C${x} ${y1 + 18} ${to.x} ${y2 - 18} ${to.x} ${y2}`} />
            );
          }),
        )}
        {list.map((each, number) => {
          const { node, x, level } = each;
          return (
            <g
              key={`${x} ${level}`}
              class={`graph-box ${lookOf(node)}`}
              role="button"
              tabindex={each === inTabOrder ? 0 : -1}
              aria-description={isShared(node) ? "in both trees" : ""}
              aria-pressed={node === chosen}
              data-node={number}
              onClick={() => onChoose(node)}
              onKeyDown={(event) => pressed(event, each)}
            >
              <rect x={x - kWidth / 2 + 1} y={level * (kHeight + kGapY) + 2} width={kWidth - 2} height={kHeight - 4} rx={5} />
              <text class="graph-title" x={x} y={level * (kHeight + kGapY) + 18} text-anchor="middle">
                {titleOf(node)}
              </text>
              <text class="graph-note" x={x} y={level * (kHeight + kGapY) + 31} text-anchor="middle">
                {node.dtype}
                {node.dimensions.length > 0 ? `[${node.dimensions.join(", ")}]` : ""}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}
