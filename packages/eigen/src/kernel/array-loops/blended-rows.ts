/**
 * blended-rows: linear interpolation along one axis, or along two as in resizing an image (tensorflow/core/kernels/image/resize_bilinear_op.cc).
 *
 *     gather(x, low) + (gather(x, high) - gather(x, low)) * share       one pass over x; nothing is gathered
 *     the same of such a result, along the axis before                  each row of the inner result is computed when it is first needed
 */
import { linearMemory } from "@onebuffer/wasm";
import { checkedRow } from "../../evaluator/whole-operations.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import { sameSizes } from "../../geometry/same-sizes.ts";
import { noteRun } from "../form/kernel-events.ts";
import type { Access } from "../plan/loop-nest.ts";
import { takeScratch, withScratch } from "../plan/scratch.ts";
import { blendRows, kBlendSlack } from "./blend-kernel.ts";
import type { BlendRows } from "./blend-kernel.ts";
import type { WholeStep } from "./whole-step.ts";

/** An interpolation along an axis: the operand, two indices and a share for each index of the result. */
export interface Blend {
  readonly tree: ExpressionTree;
  readonly operand: ExpressionTree;
  readonly axis: number;
  /** The indices of the first and of the second row, int32, and the shares, float32. */
  readonly tables: readonly [low: ExpressionTree, high: ExpressionTree, share: ExpressionTree];
}

/** Returns the interpolation of float32 that a tree is; null for other trees. */
export function blendOf(tree: ExpressionTree): Blend | null {
  if (tree.op !== "add" || tree.dtype !== "float32" || tree.inputs[1]!.op !== "mul") return null;
  const [first, scaled] = tree.inputs as readonly [ExpressionTree, ExpressionTree];
  const [difference, share] = scaled.inputs as readonly [ExpressionTree, ExpressionTree];
  if (difference.op !== "sub" || difference.inputs[1] !== first) return null;
  const second = difference.inputs[0]!;
  if (first.op !== "gather" || second.op !== "gather" || first.inputs[0] !== second.inputs[0]) return null;
  const { axis } = attributesOf(first, "gather");
  const [operand, low] = first.inputs as readonly [ExpressionTree, ExpressionTree];
  const high = second.inputs[1]!;
  const isTable = ({ dtype, dimensions }: ExpressionTree): boolean => dtype === "int32" && dimensions.length === 1;
  const rank = tree.dimensions.length;
  const along = tree.dimensions.map((size, d) => (d === axis ? size : 1));
  const isAlike = attributesOf(second, "gather").axis === axis && operand.dimensions.length === rank;
  const isWhole = [first, second].every(({ dimensions }) => sameSizes(dimensions, tree.dimensions)) && sameSizes(share.dimensions, along);
  if (!isAlike || !isWhole || ![low, high].every(isTable) || share.dtype !== "float32" || tree.dimensions.includes(0)) return null;
  return { tree, operand, axis, tables: [low, high, share] };
}

/** Returns the interpolation inside another one, along the axis behind its own; null if there is none. */
export function innerBlend({ operand, axis }: Blend): Blend | null {
  const inner = blendOf(operand);
  return inner !== null && inner.axis === axis + 1 ? inner : null;
}

/** An interpolation, and the one inside it that is computed with it; null if there is none. */
export interface Blends {
  readonly blend: Blend;
  readonly inner: Blend | null;
}

/** Returns the operands of interpolations in the order of their accesses: the rows, then the tables. */
export const blendOperands = ({ blend, inner }: Blends): readonly ExpressionTree[] => [
  (inner ?? blend).operand,
  ...blend.tables,
  ...(inner?.tables ?? []),
];

/** The sizes of an operand that an axis divides: those before it, its own, the bytes of the elements behind it, and its size in the result. */
interface BlendSizes {
  readonly outer: number;
  readonly size: number;
  readonly bytes: number;
  readonly count: number;
}

function sizesOf({ tree, operand: { dimensions }, axis }: Blend): BlendSizes {
  const behind = product(dimensions.slice(axis + 1));
  return { outer: product(dimensions.slice(0, axis)), size: dimensions[axis]!, bytes: behind * 4, count: tree.dimensions[axis]! };
}

/**
 * Interpolates dense elements. The accesses are those of the result, the operand and the three tables; with an inner interpolation the
 * operand is that one's, and its tables follow. `run` returns false if the engine refuses the kernel or the operand ends at the end of the
 * memory, and throws INVALID_ARGUMENT if an index is outside its axis.
 */
export class BlendedRows implements WholeStep {
  /** The sizes of the interpolation, then of the inner one. */
  readonly #levels: readonly BlendSizes[];

  constructor({ blend, inner }: Blends) {
    this.#levels = (inner === null ? [blend] : [blend, inner]).map(sizesOf);
  }

  run([to, from, ...tables]: readonly Access[]): boolean {
    const rows = blendRows();
    const levels = this.#levels.map((sizes, k): BlendLevel => {
      const [low, high, share] = tables.slice(3 * k).map(({ start }) => start) as [number, number, number];
      return { ...sizes, low, high, share };
    });
    const last = levels.at(-1)!;
    if (rows === null || from!.start + last.outer * last.size * last.bytes + kBlendSlack > linearMemory().byteLength) return false;
    for (const { low, high, count, size } of levels) for (const table of [low, high]) checkRows(rowsAt(table, count), size);
    noteRun();
    const blendRow = (source: number, target: number): unknown =>
      rows(source, last.low, last.high, last.share, target, last.count, last.bytes);
    if (levels.length > 1) withScratch(() => blendBoth(rows, blendRow, levels, from!.start, to!.start));
    else
      for (let n = 0; n < last.outer; n++) {
        blendRow(from!.start + n * last.size * last.bytes, to!.start + n * last.count * last.bytes);
      }
    return true;
  }
}

/** An interpolation with the addresses of its tables. */
interface BlendLevel extends BlendSizes {
  readonly low: number;
  readonly high: number;
  readonly share: number;
}

/** Interpolates along two axes, row by row of the result. Two rows of the inner result, which `blendRow` computes, are kept. */
function blendBoth(
  rows: BlendRows,
  blendRow: (source: number, target: number) => unknown,
  [own, inner]: readonly BlendLevel[],
  from: number,
  to: number,
): void {
  const { outer, size, count, bytes, low, high, share } = own!;
  const [lows, highs] = [rowsAt(low, count), rowsAt(high, count)];
  const memory = takeScratch(2 * bytes);
  const places = takeScratch(8);
  const pair = rowsAt(places, 2);
  const kept = [-1, -1];
  // Returns the place of a row of the inner result, which is computed unless it is kept; the row `other` stays.
  const placeOf = (n: number, row: number, other: number): number => {
    const known = kept.indexOf(row);
    if (known >= 0) return known;
    const place = kept[0] === other ? 1 : 0;
    kept[place] = row;
    blendRow(from + (n * size + row) * inner!.size * inner!.bytes, memory + place * bytes);
    return place;
  };
  for (let n = 0; n < outer; n++) {
    kept.fill(-1);
    for (let i = 0; i < count; i++) {
      pair[0] = placeOf(n, lows[i]!, highs[i]!);
      pair[1] = placeOf(n, highs[i]!, lows[i]!);
      rows(memory, places, places + 4, share + 4 * i, to + (n * count + i) * bytes, 1, bytes);
    }
  }
}

const rowsAt = (address: number, count: number): Int32Array => new Int32Array(linearMemory().buffer, address, count);

function checkRows(rows: Int32Array, size: number): void {
  for (let j = 0; j < rows.length; j++) if (!(rows[j]! >= 0 && rows[j]! < size)) checkedRow("gather", rows[j]!, j, size);
}
