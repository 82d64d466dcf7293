/**
 * SplitConfig: divides a physical dimension into pieces that are stored in different memories (SplitConfig in
 * xla/layout.h).
 *
 *     SC(1:40,130)     physical dimension 1 (0 = most major) is cut before index 40 and before index 130
 */
import { sameSizes } from "@onebuffer/storage/internal";
import { argumentError, isArray } from "@onebuffer/base/internal";
import { checkedInteger, checkedIntegers } from "../type/integers.ts";

/**
 * One split of a layout. Immutable. The constructor throws INVALID_ARGUMENT for values that are not integers. Copies: the
 * list.
 *
 * @example
 * new SplitConfig(1, [40, 130]).toString(); // => "(1:40,130)"
 */
export class SplitConfig {
  /** The physical dimension, 0 = most major. */
  readonly dimension: number;
  /** The indices at which a new piece begins, in ascending order. */
  readonly splitIndices: readonly number[];

  constructor(dimension: number, splitIndices: readonly number[]) {
    this.dimension = checkedInteger(dimension, "the dimension of a split config");
    this.splitIndices = checkedIntegers(splitIndices, "split_indices");
  }

  /** Returns true if both splits divide the same dimension at the same indices. */
  equals(other: SplitConfig): boolean {
    if (!isArray((other as Partial<SplitConfig> | null | undefined)?.splitIndices)) throw argumentError("a SplitConfig", other);
    return this.dimension === other.dimension && sameSizes(this.splitIndices, other.splitIndices);
  }

  /** Returns the split as layout text writes it: `(1:40,130)`. */
  toString(): string {
    return `(${this.dimension}:${this.splitIndices.join(",")})`;
  }
}
