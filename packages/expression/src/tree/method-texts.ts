/**
 * The comments and examples of the methods whose signatures are written by hand. Editors show them: expression.ts makes the methods' types
 * from its signatures and takes the comments from here. It has no room for them, and cannot be divided, because its types return each other.
 */

/** The methods of Operations: composed functions, movements that no map has as a view, products and orders. */
export interface OperationTexts {
  /**
   * The angle of a complex number, atan2(imag, real), in the real dtype (`tf.math.angle`).
   *
   * @example
   * const z = tensorMap("complex64", Float32Array.of(0, 2), [1]);
   * item(z.angle()); // => Math.fround(Math.PI / 2)
   */
  readonly angle: true;
  /**
   * Converts the elements to another dtype by TensorFlow's rules: floats round to nearest even, floats to integers truncate, integers wrap
   * around, bool is x != 0, complex to real drops the imaginary part. A float outside an integer dtype's range becomes what C++ on x86
   * gives: docs/expressions.md has the table.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1.9, -1.9), [2]);
   * evaluate(x.cast("int32")).toArray(); // => [1, -1]
   */
  readonly cast: true;
  /**
   * Clips to the range that both dtypes can represent, then casts (`tf.saturate_cast`). Infinities are clipped; NaN is not.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(300, -5), [2]);
   * evaluate(x.saturateCast("uint8")).toArray(); // => [255, 0]
   */
  readonly saturateCast: true;
  /**
   * The mean squared distance from the mean (`tf.math.reduce_variance`). Over all axes unless given.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 6), [2, 2]);
   * evaluate(x.variance(1)).toArray(); // => [0.25, 2.25]
   */
  readonly variance: true;
  /**
   * The square root of `variance` (`tf.math.reduce_std`). Over all axes unless given.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 6), [2, 2]);
   * evaluate(x.std(1)).toArray(); // => [0.5, 1.5]
   */
  readonly std: true;
  /**
   * The square root of the sum of squares (`tf.norm`, Euclidean). Over all axes unless given.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(3, 4), [2]);
   * item(x.norm()); // => 5
   */
  readonly norm: true;
  /**
   * log(sum(exp(x))) over axes, without overflow (`tf.reduce_logsumexp`). Over all axes unless given.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1000, -Infinity), [2]);
   * item(x.logSumExp()); // => 1000
   */
  readonly logSumExp: true;
  /**
   * The mean and the variance over axes (`tf.nn.moments`). Over all axes unless given.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 3), [2]);
   * const { mean, variance } = x.moments();
   * [item(mean), item(variance)]; // => [2, 1]
   */
  readonly moments: true;
  /**
   * e^x / sum(e^x) along an axis (default: the last).
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(7, 7), [2]);
   * evaluate(x.softmax()).toArray(); // => [0.5, 0.5]
   */
  readonly softmax: true;
  /**
   * log(softmax(x)) along an axis (default: the last), without the loss of precision of taking the logarithm of `softmax`.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(0, -1000), [2]);
   * evaluate(x.logSoftmax()).toArray(); // => [0, -1000]
   */
  readonly logSoftmax: true;
  /**
   * (x - mean) / sqrt(variance + epsilon) along the last axis, times `scale`, plus `offset` (default: neither). The default epsilon is
   * 0.001, as in Keras.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 3), [2]);
   * evaluate(x.layerNorm({ scale: 2, offset: 10, epsilon: 0 })).toArray(); // => [8, 12]
   */
  readonly layerNorm: true;
  /**
   * x / sqrt(max(sum(x^2), epsilon)) along axes (default: all; `tf.math.l2_normalize`); the default epsilon is 1e-12.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(0, 2), [2]);
   * evaluate(x.l2Normalize()).toArray(); // => [0, 1]
   */
  readonly l2Normalize: true;
  /**
   * max(x, 0).
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(-1, 2), [2]);
   * evaluate(x.relu()).toArray(); // => [0, 2]
   */
  readonly relu: true;
  /**
   * x if x is above 0, otherwise alpha * x; the default alpha is 0.2.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(-1, 2), [2]);
   * evaluate(x.leakyRelu(0.5)).toArray(); // => [-0.5, 2]
   */
  readonly leakyRelu: true;
  /**
   * x * sigmoid(x) (`tf.nn.silu`).
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(0, 100), [2]);
   * evaluate(x.silu()).toArray(); // => [0, 100]
   */
  readonly silu: true;
  /**
   * x * Φ(x), with Φ computed by erf, or by its tanh approximation with the option `approximate` (default false; `tf.nn.gelu`).
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(0, 100), [2]);
   * evaluate(x.gelu({ approximate: true })).toArray(); // => [0, 100]
   */
  readonly gelu: true;
  /**
   * Clamps to [low, high]; NaN stays NaN (`tf.clip_by_value`).
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(-1, 0.5, 2), [3]);
   * evaluate(x.clip(0, 1)).toArray(); // => [0, 0.5, 1]
   */
  readonly clip: true;
  /**
   * Dimension d of the result is dimension permutation[d] of this; the default reverses the order. On a StridedMap, `permute` is the view.
   *
   * @example
   * const x = tensorMap("float32", new Float32Array(24), [2, 3, 4]);
   * x.shuffle([2, 0, 1]).dimensions; // => [4, 2, 3]
   */
  readonly shuffle: true;
  /**
   * Repeats the elements `multiples[d]` times along dimension d (`tf.tile`; Eigen calls it broadcast).
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2), [2]);
   * evaluate(x.tile([2])).toArray(); // => [1, 2, 1, 2]
   */
  readonly tile: true;
  /**
   * Adds [before, after] elements along each dimension; the default `mode` is "constant", the default `value` 0 or false (`tf.pad`). The
   * mirroring modes need at least as many elements as they add ("reflect": one more).
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
   * evaluate(x.pad([[1, 2]], { value: 9 })).toArray(); // => [9, 1, 2, 3, 9, 9]
   * evaluate(x.pad([[2, 0]], { mode: "reflect" })).toArray(); // => [3, 2, 1, 2, 3]
   */
  readonly pad: true;
  /**
   * Rotates by `shift` along an axis (default 0): elements that leave at the end come in at the beginning (`tf.roll`).
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
   * evaluate(x.roll(1)).toArray(); // => [3, 1, 2]
   */
  readonly roll: true;
  /**
   * The rows that `indices` select along an axis, default 0 (`tf.gather`). `assign` throws INVALID_ARGUMENT for an index out of range.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(10, 20, 30), [3]);
   * evaluate(x.gather(tensorMap("int32", Int32Array.of(2, 0), [2]))).toArray(); // => [30, 10]
   */
  readonly gather: true;
  /**
   * This operand with the rows at `indices` (rank 1) along an axis (default 0) replaced by the rows of `updates`, or combined with them by
   * the option `reduction` (default "update"). If an index appears twice, the last update replaces the earlier one.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 1, 1), [3]);
   * const [places, updates] = [tensorMap("int32", Int32Array.of(2, 2), [2]), tensorMap("float32", Float32Array.of(5, 7), [2])];
   * evaluate(x.scatter(places, updates)).toArray(); // => [1, 1, 7]
   * evaluate(x.scatter(places, updates, 0, { reduction: "add" })).toArray(); // => [1, 1, 13]
   */
  readonly scatter: true;
  /**
   * The parts along an axis, default 0: the reverse of `stack` (`tf.unstack`). Part i is `chip(i, axis)` as an expression, on a map too.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * const [first, second] = x.unstack(1);
   * evaluate(first!.sub(second!)).toArray(); // => [-1, -1]
   */
  readonly unstack: true;
  /**
   * Square matrices with the last dimension on diagonal `k` and 0 elsewhere (`tf.linalg.diag`, NumPy's `diag` of a vector). The default 0
   * is the main diagonal; k > 0 is above it and k < 0 below it, and makes the matrices |k| larger.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2), [2]);
   * evaluate(x.diag()).toArray(); // => [[1, 0], [0, 2]]
   */
  readonly diag: true;
  /**
   * Diagonal `k` of the last two dimensions, default 0 (`tf.linalg.diag_part`, NumPy's `diag` of a matrix). -rows < k < columns.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * evaluate(x.diagPart()).toArray(); // => [1, 4]
   */
  readonly diagPart: true;
  /**
   * The lower triangles of the last two dimensions: 0 above diagonal `k`, default 0 (`tf.linalg.band_part(x, -1, k)`).
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * evaluate(x.tril()).toArray(); // => [[1, 0], [3, 4]]
   */
  readonly tril: true;
  /**
   * The upper triangles of the last two dimensions: 0 below diagonal `k`, default 0 (`tf.linalg.band_part(x, -k, -1)`).
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * evaluate(x.triu()).toArray(); // => [[1, 2], [0, 4]]
   */
  readonly triu: true;
  /**
   * The sum of the products of two vectors, the product of a matrix and a vector, or of two matrices (NumPy's `dot`).
   *
   * @example
   * const v = tensorMap("float32", Float32Array.of(1, 2), [2]);
   * item(v.dot(v)); // => 5
   */
  readonly dot: true;
  /**
   * The products of matrices and vectors, [..., m, n] and [..., n]; the dimensions before are broadcast (`tf.linalg.matvec`).
   *
   * @example
   * const m = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * evaluate(m.matVec(tensorMap("float32", Float32Array.of(1, 1), [2]))).toArray(); // => [3, 7]
   */
  readonly matVec: true;
  /**
   * Element (i, j) is x[i] * y[j] of two vectors (`tf.tensordot(x, y, 0)`, NumPy's `outer`).
   *
   * @example
   * const v = tensorMap("float32", Float32Array.of(1, 2), [2]);
   * evaluate(v.outer(v)).toArray(); // => [[1, 2], [2, 4]]
   */
  readonly outer: true;
  /**
   * The matrix product over the last two dimensions; the dimensions before are broadcast (`tf.matmul`). A vector is a row on the left and a
   * column on the right, and the result has no dimension for it (NumPy's `matmul`). The options `transposeA` and
   * `transposeB` default to false, `outputType` to the dtype of the operands.
   *
   * @example
   * const m = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * evaluate(m.matMul(m, { transposeB: true })).toArray(); // => [[5, 11], [11, 25]]
   */
  readonly matMul: true;
  /**
   * The sum of products over pairs of axes, one of this operand and one of the other each (Eigen's `contract`, `tf.tensordot`). The result
   * has the other axes of this operand, then those of the other one. No pairs give the products of all pairs of elements. The option
   * `outputType` defaults to the dtype of the operands.
   *
   * @example
   * const m = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * item(m.contract(m, [[0, 0], [1, 1]])); // => 30
   */
  readonly contract: true;
  /**
   * The elements sorted along an axis (default: the last), ascending unless the option `descending` is true (default false); NaN last.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(2, 3, 1), [3]);
   * evaluate(x.sort()).toArray(); // => [1, 2, 3]
   * evaluate(x.sort(-1, { descending: true })).toArray(); // => [3, 2, 1]
   */
  readonly sort: true;
  /**
   * The indices that sort an axis (default: the last), ascending unless the option `descending` is true (default false); equal elements
   * keep their order.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(2, 3, 1), [3]);
   * evaluate(x.argsort()).toArray(); // => [2, 0, 1]
   */
  readonly argsort: true;
  /**
   * The k largest (default 1) elements of the last axis and their indices (`tf.math.top_k`). Of equal elements the first comes first.
   *
   * @example
   * const { values, indices } = tensorMap("float32", Float32Array.of(2, 3, 1), [3]).topK(2);
   * [evaluate(values).toArray(), evaluate(indices).toArray()]; // => [[3, 2], [1, 0]]
   */
  readonly topK: true;
}

/** The methods of Movements. */
export interface MovementTexts {
  /**
   * The elements in row-major order with other sizes. One size may be -1 and is computed from the others.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [4]);
   * evaluate(x.reshape([2, -1])).toArray(); // => [[1, 2], [3, 4]]
   */
  readonly reshape: true;
  /**
   * An expression of one range per dimension, like NumPy's start:stop:step. A view is `map.strided().slice(…)`: see there.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * evaluate(x.slice(null, [1])).toArray(); // => [[2], [4]]
   */
  readonly slice: true;
  /**
   * Reverses the listed dimensions; the default is all of them.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * evaluate(x.reverse([1])).toArray(); // => [[2, 1], [4, 3]]
   */
  readonly reverse: true;
  /**
   * Broadcasts to other sizes by NumPy's rules. Eigen's broadcast, which counts repeats, is `tile`.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2), [2]);
   * evaluate(x.broadcast([2, 2])).toArray(); // => [[1, 2], [1, 2]]
   */
  readonly broadcast: true;
  /**
   * Inserts a dimension of size 1, which becomes dimension `dim` of the result: -1 puts it last.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2), [2]);
   * x.expandDims(-1).dimensions; // => [2, 1]
   */
  readonly expandDims: true;
  /**
   * Removes the listed dimensions, which must have size 1; the default is all dimensions of size 1.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2), [1, 2, 1]);
   * [x.squeeze().dimensions, x.squeeze([0]).dimensions]; // => [[2], [2, 1]]
   */
  readonly squeeze: true;
  /**
   * As `shuffle`: dimension `d` of the result is dimension `order[d]`; by default the reverse order. On a StridedMap: a view.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * evaluate(x.transpose()).toArray(); // => [[1, 4], [2, 5], [3, 6]]
   */
  readonly transpose: true;
}
