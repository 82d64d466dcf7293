/**
 * The sizes and strides that IndexUtil needs to compute a linear index, cached once per shape.
 *
 * The lists are private copies and, unlike the lists of a Shape, not frozen: JavaScript engines read a frozen array
 * several times more slowly, and one linear index of rank 4 reads eight numbers.
 */

/** The sizes and strides of an array, in logical order. Copies: both lists. The lists must not be written to. */
export class IndexStrides {
  readonly sizes: readonly number[];
  readonly strides: readonly number[];

  constructor(sizes: readonly number[], strides: readonly number[]) {
    this.sizes = sizes.slice();
    this.strides = strides.slice();
  }
}
