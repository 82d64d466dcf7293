/** over-axes: the operations whose elements depend on many elements of the operand, along axes. */
import type { WholeRecords } from "./whole-record.ts";

/** The records of reductions. */
export const reductions: WholeRecords<"reduction", "sum" | "prod" | "mean" | "max" | "min" | "any" | "all" | "argmax" | "argmin"> = {
  sum: {
    class: "reduction",
    combines: "add",
    gives: "value",
    comment:
      'The sum over axes, all unless given. Zero elements give 0. Sums of 8 and 16-bit integers are refused, because they wrap around after a few elements: `cast("int32")` first, or the option `wraps`.',
    dtypes: "numbers",
    result: "same",
    raises: false,
    accuracy: "see below",
    edgeCases:
      "`sum(axes = all, { keepDims = false })`; no elements give 0; 8 and 16-bit integers only after a cast, or with `{ wraps: true }`; wider ones wrap",
    gradient: "g repeated along the axes",
    tensorflow: "reduce_sum",
    numpy: { exact: "integer_sum(np.sum)", tree: "sums(np.sum)", attributes: ["axes", "keepDims"] },
  },
  prod: {
    class: "reduction",
    combines: "mul",
    gives: "value",
    comment:
      'The product over axes, all unless given. Zero elements give 1. Products of 8 and 16-bit integers are refused, because they wrap around after a few elements: `cast("int32")` first, or the option `wraps`.',
    dtypes: "numbers",
    result: "same",
    raises: false,
    accuracy: "see below",
    edgeCases:
      "`prod(axes = all, { keepDims = false })`; no elements give 1; 8 and 16-bit integers only after a cast, or with `{ wraps: true }`; wider ones wrap",
    gradient: "g times the product of all other elements",
    tensorflow: "reduce_prod",
    numpy: { exact: "integer_sum(np.prod)", tree: "sums(np.prod)", attributes: ["axes", "keepDims"] },
  },
  mean: {
    class: "reduction",
    combines: "add",
    gives: "mean",
    comment:
      'The mean over axes, all unless given. Zero elements give NaN. Means of integers are refused, because TensorFlow truncates them: `cast("float32")` first.',
    dtypes: "floats, complex",
    result: "same",
    raises: false,
    accuracy: "see below",
    edgeCases:
      "`mean(axes = all, { keepDims = false })`; no elements give NaN; integers only after a cast: TensorFlow truncates their means",
    gradient: "g divided by the number of elements, repeated along the axes",
    tensorflow: "reduce_mean",
    numpy: { exact: null, tree: "sums(np.mean)", attributes: ["axes", "keepDims"] },
  },
  max: {
    class: "reduction",
    combines: "maximum",
    gives: "value",
    comment:
      "The largest element over axes; NaN if any is NaN. Zero elements give the lowest integer, or -Infinity. +0 is larger than -0. Over all axes unless given.",
    dtypes: "reals",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases:
      "`max(axes = all, { keepDims = false })`, `min(axes = all, { keepDims = false })`; NaN if there is one; +0 is larger than -0, in any order; no elements give the lowest (max) or highest (min) value",
    gradient: "g shared equally by the elements that are the extreme",
    tensorflow: "reduce_max",
    numpy: { exact: "reduce_by(extreme(1), lowest)", tree: "extreme_over(extreme(1), lowest)", attributes: ["axes", "keepDims"] },
  },
  min: {
    class: "reduction",
    combines: "minimum",
    gives: "value",
    comment:
      "The smallest element over axes; NaN if any is NaN. Zero elements give the highest integer, or Infinity. -0 is smaller than +0. Over all axes unless given.",
    dtypes: "reals",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases:
      "`max(axes = all, { keepDims = false })`, `min(axes = all, { keepDims = false })`; NaN if there is one; +0 is larger than -0, in any order; no elements give the lowest (max) or highest (min) value",
    gradient: "g shared equally by the elements that are the extreme",
    tensorflow: "reduce_min",
    numpy: { exact: "reduce_by(extreme(-1), highest)", tree: "extreme_over(extreme(-1), highest)", attributes: ["axes", "keepDims"] },
  },
  any: {
    class: "reduction",
    combines: "logicalOr",
    gives: "value",
    comment: "True if any element is true. Over all axes unless given.",
    dtypes: "bool",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases: "`any(axes = all, { keepDims = false })`, `all(axes = all, { keepDims = false })`; no elements give false (any), true (all)",
    gradient: "none",
    tensorflow: "reduce_any",
    numpy: { exact: "lambda x, axes, keep: np.any(x, axis=axes_of(x, axes), keepdims=keep)", tree: null, attributes: ["axes", "keepDims"] },
  },
  all: {
    class: "reduction",
    combines: "logicalAnd",
    gives: "value",
    comment: "True if all elements are true. Over all axes unless given.",
    dtypes: "bool",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases: "`any(axes = all, { keepDims = false })`, `all(axes = all, { keepDims = false })`; no elements give false (any), true (all)",
    gradient: "none",
    tensorflow: "reduce_all",
    numpy: { exact: "lambda x, axes, keep: np.all(x, axis=axes_of(x, axes), keepdims=keep)", tree: null, attributes: ["axes", "keepDims"] },
  },
  argmax: {
    class: "reduction",
    combines: "maximum",
    gives: "place",
    comment:
      "The index of the first largest element along an axis (default 0). NaN is never the largest. TensorFlow's search starts from the lowest finite value instead of -Infinity: for [-Infinity, -3.4028235e38] TensorFlow gives 0, onebuffer gives 1. The option `outputType` is int64 unless given.",
    dtypes: "reals",
    result: "asked",
    raises: false,
    accuracy: "exact",
    edgeCases:
      '`argmax(axis = 0, { outputType = "int64" })`, `argmin(axis = 0, { outputType = "int64" })`; the first of equal elements; NaN is never larger nor smaller than another element, so all NaN give index 0. TensorFlow starts from the lowest finite value, so that its argmax of [-Infinity, -3.4028235e38] is 0 and ours 1 (argmin of Infinity and 3.4028235e38 likewise); an empty axis throws INVALID_ARGUMENT',
    gradient: "none",
    tensorflow: "argmax",
    numpy: { exact: "np_argmax(np.argmax, lowest)", tree: "place_of(np.argmax, lowest)", attributes: ["axis"] },
  },
  argmin: {
    class: "reduction",
    combines: "minimum",
    gives: "place",
    comment:
      "The index of the first smallest element along an axis (default 0). NaN is never the smallest. TensorFlow differs for the highest finite value, as described at `argmax`. The option `outputType` is int64 unless given.",
    dtypes: "reals",
    result: "asked",
    raises: false,
    accuracy: "exact",
    edgeCases:
      '`argmax(axis = 0, { outputType = "int64" })`, `argmin(axis = 0, { outputType = "int64" })`; the first of equal elements; NaN is never larger nor smaller than another element, so all NaN give index 0. TensorFlow starts from the lowest finite value, so that its argmax of [-Infinity, -3.4028235e38] is 0 and ours 1 (argmin of Infinity and 3.4028235e38 likewise); an empty axis throws INVALID_ARGUMENT',
    gradient: "none",
    tensorflow: "argmin",
    numpy: { exact: "np_argmax(np.argmin, highest)", tree: "place_of(np.argmin, highest)", attributes: ["axis"] },
  },
};

/** The records of scans. */
export const scans: WholeRecords<"scan", "cumsum" | "cumprod" | "cummax" | "cummin" | "scaledCumsum" | "markedCumsum"> = {
  cumsum: {
    class: "scan",
    arity: 1,
    combines: "add",
    comment:
      'The cumulative sum along an axis (default 0): element i is the sum of the elements 0 to i. Those of 8 and 16-bit integers are refused: `cast("int32")` first, or the option `wraps`.',
    dtypes: "numbers",
    result: "same",
    raises: false,
    accuracy: "see below",
    edgeCases:
      "`cumsum(axis = 0, { exclusive = false, reverse = false })`, `cumprod(axis = 0, { exclusive = false, reverse = false })`; 8 and 16-bit integers as for `sum`; `exclusive` leaves the element itself out, `reverse` runs from the end",
    gradient: "the cumulative sum of g in the other direction",
    tensorflow: "cumsum",
    numpy: { exact: "np_scan(np.cumsum, 0)", tree: "running_sum", attributes: ["axis", "exclusive", "reverse"] },
  },
  cumprod: {
    class: "scan",
    arity: 1,
    combines: "mul",
    comment:
      'The cumulative product along an axis (default 0): element i is the product of the elements 0 to i. Those of 8 and 16-bit integers are refused: `cast("int32")` first, or the option `wraps`.',
    dtypes: "numbers",
    result: "same",
    raises: false,
    accuracy: "see below",
    edgeCases:
      "`cumsum(axis = 0, { exclusive = false, reverse = false })`, `cumprod(axis = 0, { exclusive = false, reverse = false })`; 8 and 16-bit integers as for `sum`; `exclusive` leaves the element itself out, `reverse` runs from the end",
    gradient: "the product of the elements before, times the sum of g, each times what is between (scaledCumsum)",
    tensorflow: "math.cumprod",
    numpy: { exact: "np_scan(np.cumprod, 1)", tree: "running(np.cumprod, 1)", attributes: ["axis", "exclusive", "reverse"] },
  },
  cummax: {
    class: "scan",
    arity: 1,
    combines: "maximum",
    comment:
      "The running maximum along an axis (default 0; NumPy's `maximum.accumulate`): NaN from the first NaN on. Options as for `cumsum`.",
    dtypes: "reals",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases:
      "`cummax(axis = 0, { exclusive = false, reverse = false })`, `cummin(axis = 0, { exclusive = false, reverse = false })`; the largest (smallest) element so far, NaN from the first NaN on; `exclusive` begins with the lowest (highest) value",
    gradient: "g added at the last element that reached the extreme (markedCumsum)",
    tensorflow: null,
    numpy: { exact: "np_extremes(extreme(1), lowest)", tree: null, attributes: ["axis", "exclusive", "reverse"] },
  },
  cummin: {
    class: "scan",
    arity: 1,
    combines: "minimum",
    comment:
      "The running minimum along an axis (default 0; NumPy's `minimum.accumulate`): NaN from the first NaN on. Options as for `cumsum`.",
    dtypes: "reals",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases:
      "`cummax(axis = 0, { exclusive = false, reverse = false })`, `cummin(axis = 0, { exclusive = false, reverse = false })`; the largest (smallest) element so far, NaN from the first NaN on; `exclusive` begins with the lowest (highest) value",
    gradient: "g added at the last element that reached the extreme (markedCumsum)",
    tensorflow: null,
    numpy: { exact: "np_extremes(extreme(-1), highest)", tree: null, attributes: ["axis", "exclusive", "reverse"] },
  },
  scaledCumsum: {
    class: "scan",
    arity: 3,
    combines: "add",
    dtypes: "floats, complex",
    result: "same",
    raises: false,
    accuracy: "see below",
    edgeCases:
      "made by gradients: of b, a and w, a cumulative sum s of b that is multiplied by a[i] after element i, to 0 where a[i] is 0, whatever it was; element i is w[i] s; `axis`, `exclusive` and `reverse` as for `cumsum`",
    gradient: "e: the same of g w and a in the other direction, exclusive; b: g w + a e, or e of an exclusive one; a: e s; w: g s",
    tensorflow: null,
    numpy: { exact: "np_scaled_cumsum", tree: null, attributes: ["axis", "exclusive", "reverse"] },
  },
  markedCumsum: {
    class: "scan",
    arity: 3,
    combines: "add",
    dtypes: "floats",
    result: "same",
    raises: false,
    accuracy: "see below",
    edgeCases:
      "made by gradients: of b, x and z, the cumulative sum of b where x equals z, after which it begins anew, and 0 elsewhere; `axis`, `exclusive` and `reverse` as for `cumsum`",
    gradient: "b: g of the next element at which x equals z; none for x and z",
    tensorflow: null,
    numpy: { exact: "np_marked_cumsum", tree: null, attributes: ["axis", "exclusive", "reverse"] },
  },
};

/** The record of matrix products. */
export const contractions: WholeRecords<"contraction", "matMul"> = {
  matMul: {
    class: "contraction",
    dtypes: "numbers",
    result: "same",
    raises: false,
    accuracy: "see below",
    edgeCases:
      "`matMul(other, { transposeA = false, transposeB = false, outputType = dtype })`; multiplies over the last two dimensions and broadcasts the others; sums of products; `outputType` is what the operands are cast to first",
    gradient: "a: g bᵀ; b: aᵀ g; summed over the axes along which an operand was repeated",
    tensorflow: "matmul",
    numpy: { exact: "np_mat_mul", tree: "product", attributes: ["transposeA", "transposeB"] },
  },
};

// The last axis of the result may be shorter than that of the operand: topK keeps the first elements.
/** The records of the operations by which elements change places by their values. */
export const orderings: WholeRecords<"ordering", "sort" | "argsort" | "nthElements"> = {
  sort: {
    class: "ordering",
    gives: "value",
    dtypes: "reals",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases: "`sort(axis = last, { descending = false })`; stable, NaN last in both directions",
    gradient: "each element of g at the place that its element came from (a scatter)",
    tensorflow: null,
    numpy: { exact: "lambda x, down: np.take_along_axis(x, np_order(x, down), -1)", tree: null, attributes: ["descending"] },
  },
  argsort: {
    class: "ordering",
    gives: "place",
    dtypes: "reals",
    result: "asked",
    raises: false,
    accuracy: "exact",
    edgeCases: "`argsort(axis = last, { descending = false })`; as sort",
    gradient: "none",
    tensorflow: null,
    numpy: { exact: "np_order", tree: null, attributes: ["descending"] },
  },
  nthElements: {
    class: "ordering",
    gives: "value",
    dtypes: "reals",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases:
      "of `onebuffer/eigen`: `nthElements(e, places)`; the elements at these places of the sorted last axis, which is not sorted; the places ascend; NaN last, zeros are +0",
    gradient: "each element of g at the place that its element came from (a scatter)",
    tensorflow: null,
    numpy: { exact: "np_nth", tree: null, attributes: ["places"] },
  },
};
