/**
 * OutOfLineDims: the sizes of a shape that do not fit its 16 bytes (TensorFlow: the gtl::InlinedVector<int64_t, 4> that Rep64
 * of framework/tensor_shape.h points to).
 *
 * It also holds element counts of 2^30 and more, in every representation. JavaScript engines store such a number boxed. A boxed
 * number in a field of the shape itself would make all later shapes of the program slower; here only the large shape is slower.
 */

/** The dimension list of an out-of-line shape, the element count of a large one, or both. */
export class OutOfLineDims {
  /** The element count when it is 2^30 or more, otherwise 0. */
  declare count: number;
  /** The sizes, or null if the shape stores them in its words. */
  declare dims: number[] | null;

  constructor(count: number, dims: number[] | null) {
    this.count = count;
    this.dims = dims;
  }
}
