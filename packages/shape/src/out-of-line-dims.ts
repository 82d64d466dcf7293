/**
 * OutOfLineDims: what does not fit the 16 bytes of a shape (TensorFlow: the gtl::InlinedVector<int64_t, 4> that Rep64
 * of framework/tensor_shape.h points to).
 *
 * It also holds element counts of 2^30 and more, whatever the representation. A JavaScript engine stores such a number
 * boxed; one of them in a field of the shape itself would make every later shape of the program pay for it. Here only
 * the large shape pays.
 */

/** The dimension list of an out-of-line shape, the element count of a large one, or both. */
export class OutOfLineDims {
  /** The element count when it is 2^30 or more, otherwise 0. */
  declare count: number;
  /** The sizes, or null while the shape keeps them in its words. */
  declare dims: number[] | null;

  constructor(count: number, dims: number[] | null) {
    this.count = count;
    this.dims = dims;
  }
}
