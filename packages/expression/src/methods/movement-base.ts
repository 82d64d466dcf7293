/**
 * MovementBase: the methods that move elements. expression.ts documents them; on a StridedMap some of them are views.
 *
 * pad, roll and tile are composed of slices, reversals, broadcasts, reshapes and concatenations, so evaluators need no index arithmetic
 * of their own for them.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import type { SliceRange } from "@onebuffer/storage";
import { checkAxis } from "../inference/axes.ts";
import { padOptions } from "../inference/call-options.ts";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { OperationMethods } from "../elementwise/generated/operation-methods.ts";
import type { OtherOperand } from "../elementwise/elementwise-base.ts";
import { checkTree } from "../inference/elementwise-inference.ts";
import {
  broadcastFields,
  chipFields,
  concatenateFields,
  expandDimsFields,
  gatherFields,
  reshapeFields,
  reverseFields,
  scatterFields,
  shuffleFields,
  sliceFields,
  squeezeFields,
} from "../inference/movement-inference.ts";
import type { ExpressionTree, ScatterReduction } from "../tree/op-attributes.ts";
import type { OperandSource } from "../tree/operand.ts";
import { sizesOf } from "../tree/node-lists.ts";

/** The methods for movements. */
export abstract class MovementBase extends OperationMethods {
  /** Other sizes. On a StridedMap: a view, or null. */
  reshape(dims: readonly number[]): unknown {
    return this.node(reshapeFields(this, dims));
  }

  /** One range per dimension, as an expression. On a StridedMap: a view. */
  slice(...ranges: readonly SliceRange[]): unknown {
    return this.node(sliceFields(this, ranges));
  }

  /** Reverses dimensions. On a StridedMap: a view. */
  reverse(dims?: readonly number[]): unknown {
    return this.node(reverseFields(this, dims));
  }

  /** Broadcasts to other sizes. On a StridedMap: a view. */
  broadcast(dims: readonly number[]): unknown {
    return this.node(broadcastFields(this, dims));
  }

  /** Inserts a dimension of size 1. On a StridedMap: a view. */
  expandDims(dim: number): unknown {
    return this.node(expandDimsFields(this, dim));
  }

  /** Removes dimensions of size 1. On a StridedMap: a view. */
  squeeze(dims?: readonly number[]): unknown {
    return this.node(squeezeFields(this, dims));
  }

  /** The dimensions in another order, by default in reverse order. On a StridedMap: a view. */
  transpose(order?: readonly number[]): unknown {
    return this.node(shuffleFields(this, order, "transpose"));
  }

  /** One dimension fixed. On a map: a view. */
  chip(offset: number, dim: number = 0): unknown {
    return this.node(chipFields(this, offset, dim));
  }

  /** One chip per index of an axis. */
  unstack(axis: number = 0): this[] {
    const along = checkAxis("unstack", axis, this);
    return Array.from({ length: sizesOf(this)[along] as number }, (_, offset) => this.node(chipFields(this, offset, along)));
  }

  /** Permutes the dimensions. */
  shuffle(permutation?: readonly number[]): this {
    return this.node(shuffleFields(this, permutation));
  }

  /** Repeats each dimension: reshapes [size] to [1, size], broadcasts to [multiple, size], reshapes to [multiple * size]. */
  tile(multiples: readonly number[]): this {
    const sizes = sizesOf(this);
    checkCounts("tile", this, multiples, sizes.length);
    const times = [...multiples];
    const make = (): this => {
      const apart = this.node(
        reshapeFields(
          this,
          sizes.flatMap((size) => [1, size]),
        ),
      );
      const repeated = apart.node(
        broadcastFields(
          apart,
          sizes.flatMap((size, d) => [times[d]!, size]),
        ),
      );
      return repeated.node(
        reshapeFields(
          repeated,
          sizes.map((size, d) => size * times[d]!),
        ),
      );
    };
    return this.makeDeferred("tile", [this], times, make);
  }

  /** Adds elements before and after each dimension. */
  pad(paddings: readonly (readonly [number, number])[], ...options: readonly unknown[]): this {
    const { mode = "constant", value = zeroOf(this) } = padOptions(options);
    if (!isArray(paddings) || paddings.length !== sizesOf(this).length) {
      throw new InvalidArgumentError(`pad(${shownOperand(this)}): one [before, after] per dimension, got ${shownValue(paddings)}`);
    }
    if (mode !== "constant" && mode !== "reflect" && mode !== "symmetric") {
      throw new InvalidArgumentError(`pad(${shownOperand(this)}): the mode is constant, reflect or symmetric, got ${shownValue(mode)}`);
    }
    let padded = this;
    let filler: ExpressionTree | null = null;
    for (let axis = 0; axis < paddings.length; axis++) {
      const pair = paddings[axis] as readonly [number, number];
      checkCounts("pad", this, pair, 2);
      const before = pair[0];
      const after = pair[1];
      if (before === 0 && after === 0) continue;
      if (mode === "constant") filler ??= this.operand("pad", value as OtherOperand);
      const parts = filler === null ? padded.mirrors(axis, before, after, mode as "reflect") : padded.fillers(axis, before, after, filler);
      const joined: ExpressionTree[] = [];
      if (before > 0) joined.push(parts[0]);
      if (sizesOf(padded)[axis] !== 0) joined.push(padded);
      if (after > 0) joined.push(parts[1]);
      padded = padded.node(concatenateFields(joined, axis));
    }
    return padded === this ? this.node(reshapeFields(this, sizesOf(this))) : padded;
  }

  /** Returns the constant parts before and after. */
  private fillers(axis: number, before: number, after: number, filler: ExpressionTree): readonly [ExpressionTree, ExpressionTree] {
    const sized = (size: number): ExpressionTree => this.node(broadcastFields(filler, sizesOf(this).with(axis, size)));
    const first = sized(before);
    return [first, before === after ? first : sized(after)];
  }

  /** Returns the mirrored parts before and after. Throws INVALID_ARGUMENT if the axis has too few elements. */
  private mirrors(axis: number, before: number, after: number, mode: "reflect" | "symmetric"): readonly [ExpressionTree, ExpressionTree] {
    const size = sizesOf(this)[axis] as number;
    const edge = mode === "reflect" ? 1 : 0;
    if (Math.max(before, after) > size - edge) {
      throw new InvalidArgumentError(
        `pad(${shownOperand(this)}): paddings must be no greater than ${size - edge} for axis ${axis} in mode ${mode}, got ${before} and ${after}`,
      );
    }
    const part = (start: number, count: number): ExpressionTree => {
      const ranges = sizesOf(this).map((_, d): SliceRange => (d === axis ? [start, start + count] : null));
      const picked = this.node(sliceFields(this, ranges));
      return this.node(reverseFields(picked, [axis]));
    };
    return [part(edge, before), part(size - edge - after, after)];
  }

  /** Rotates along one or several axes. */
  roll(shift: number | readonly number[], axis: number | readonly number[] = 0): this {
    const shifts = typeof shift === "number" ? [shift] : shift;
    const axes = typeof axis === "number" ? [axis] : axis;
    if (!isArray(shifts) || !isArray(axes) || shifts.length !== axes.length) {
      throw new InvalidArgumentError(
        `roll(${shownOperand(this)}): as many shifts as axes, got ${shownValue(shift)} and ${shownValue(axis)}`,
      );
    }
    const cuts = sizesOf(this).map(() => 0);
    for (const [k, given] of axes.entries()) {
      const along = checkAxis("roll", given, this);
      const size = sizesOf(this)[along] as number;
      const by: unknown = shifts[k];
      if (!Number.isSafeInteger(by))
        throw new InvalidArgumentError(`roll(${shownOperand(this)}): the shift is an integer, got ${shownValue(by)}`);
      if (size > 0) cuts[along] = ((((cuts[along] as number) - ((by as number) % size)) % size) + size) % size;
    }
    // Each piece is cut along up to three axes before anything is joined, so that all bytes move once.
    const rolled = (piece: this, [along, ...others]: readonly number[]): this => {
      if (along === undefined) return piece;
      const [cut, size] = [cuts[along] as number, sizesOf(piece)[along] as number];
      const part = (from: number, to: number): this => {
        const ranges = sizesOf(piece).map((_, d): SliceRange => (d === along ? [from, to] : null));
        return rolled(piece.node(sliceFields(piece, ranges)), others);
      };
      return piece.node(concatenateFields([part(cut, size), part(0, cut)], along));
    };
    const make = (): this => {
      const along = cuts.flatMap((cut, d) => (cut > 0 ? [d] : []));
      let result = this;
      for (let k = 0; k < along.length; k += 3) result = rolled(result, along.slice(k, k + 3));
      return result === this ? this.node(reshapeFields(this, sizesOf(this))) : result;
    };
    return this.makeDeferred("roll", [this], cuts, make);
  }

  /** Selects rows by index. */
  gather(indices: ExpressionTree | OperandSource<DType, number>, axis: number = 0): this {
    return this.node(gatherFields(this, checkTree("gather", indices), axis));
  }

  /** Replaces or updates rows by index. */
  scatter(
    indices: ExpressionTree | OperandSource<DType, number>,
    updates: ExpressionTree | OperandSource<DType, number>,
    axis: number = 0,
    options: { readonly reduction?: ScatterReduction } = {},
  ): this {
    checkOptions("scatter", options, ["reduction"]);
    return this.node(
      scatterFields(this, checkTree("scatter", indices), checkTree("scatter", updates), axis, options.reduction ?? "update"),
    );
  }
}

/** Returns the zero of the operand's dtype, as a plain value; false for bool. */
export function zeroOf({ dtype }: ExpressionTree): OtherOperand {
  return dtype === "bool" ? false : 0;
}

/** Throws INVALID_ARGUMENT unless `counts` is an array of `length` non-negative integers. */
function checkCounts(op: string, operand: ExpressionTree, counts: unknown, length: number): void {
  const isOfLength = isArray(counts) && counts.length === length;
  if (isOfLength && counts.every((count) => Number.isSafeInteger(count) && (count as number) >= 0)) return;
  const shown = isArray(counts) && counts.length <= 254 ? `[${counts.map(shownValue).join(", ")}]` : shownValue(counts);
  throw new InvalidArgumentError(`${op}(${shownOperand(operand)}): ${length} integers of 0 and more, got ${shown}`);
}
