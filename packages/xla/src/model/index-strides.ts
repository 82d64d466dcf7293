/**
 * What the linear index of an array needs, computed once per shape: its sizes and its strides.
 *
 * The lists are the package's own copies and, unlike those of a Shape, not frozen: reading a frozen array costs engines
 * several times as much, and an index reads eight numbers.
 */

/** Sizes and strides of an array, in logical order. Nobody writes to the lists. */
export class IndexStrides {
  readonly sizes: readonly number[];
  readonly strides: readonly number[];

  constructor(sizes: readonly number[], strides: readonly number[]) {
    this.sizes = sizes.slice();
    this.strides = strides.slice();
  }
}
