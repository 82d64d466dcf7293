/** movements: the operations that convert elements, choose them or move them. */
import type { WholeRecords } from "./whole-record.ts";

/** The record of conversions from one dtype to another. */
export const casts: WholeRecords<"unary", "cast"> = {
  cast: {
    class: "unary",
    dtypes: "numbers, narrow, bool",
    result: "asked",
    raises: false,
    accuracy: "rounded",
    edgeCases: "see below",
    gradient: "g cast back; 0 where a saturating cast clipped; none of integers",
    tensorflow: null,
    numpy: { exact: "np_cast", tree: "cast", attributes: [] },
  },
};

/** The record of the choice between two operands. */
export const choices: WholeRecords<"ternary", "select"> = {
  select: {
    class: "ternary",
    dtypes: "any",
    result: "second",
    raises: false,
    accuracy: "exact",
    edgeCases:
      "`condition.select(a, b)` or `select(condition, a, b)`; elements that are not chosen never throw: `select(b.equal(0), 0, a.div(b))` is safe",
    gradient: "g where the operand was chosen, 0 elsewhere",
    tensorflow: "where",
    numpy: { exact: "np.where", tree: null, attributes: [] },
  },
};

/** The facts that all of them have. */
const sharedMovements = {
  class: "movement",
  dtypes: "any",
  result: "same",
  accuracy: "exact",
} as const;

/** The records of movements. */
export const movements: WholeRecords<
  "movement",
  "reshape" | "shuffle" | "slice" | "chip" | "reverse" | "broadcast" | "extractPatches" | "concatenate" | "gather" | "scatter"
> = {
  reshape: {
    ...sharedMovements,
    arity: 1,
    reads: "strides",
    repeats: false,
    raises: false,
    edgeCases: "`reshape(dims)`; keeps row-major order; one size may be -1",
    gradient: "g with the sizes of x",
    tensorflow: "reshape",
    numpy: { exact: "np.reshape", tree: null, attributes: ["dims"] },
  },
  shuffle: {
    ...sharedMovements,
    arity: 1,
    reads: "strides",
    repeats: false,
    raises: false,
    edgeCases: "`shuffle(permutation = reversed)`; permutes the dimensions, by default reverses them",
    gradient: "g in the opposite permutation",
    tensorflow: "transpose",
    numpy: { exact: "np.transpose", tree: null, attributes: ["permutation"] },
  },
  slice: {
    ...sharedMovements,
    arity: 1,
    reads: "strides",
    repeats: false,
    raises: false,
    edgeCases: "`slice(...ranges)`; [start, stop, step] per dimension, NumPy's rules: bounds outside the dimension are clamped",
    gradient: "g at the places of the slice, zeros between and around them",
    tensorflow: "strided_slice",
    numpy: { exact: "np_slice", tree: "sliced", attributes: ["begin", "steps", "dims"] },
  },
  chip: {
    ...sharedMovements,
    arity: 1,
    reads: "strides",
    repeats: false,
    raises: false,
    edgeCases: "`chip(offset, dim = 0)`; one dimension fixed; an offset out of range throws",
    gradient: "g at its place along the axis, zeros elsewhere",
    tensorflow: null,
    numpy: { exact: "lambda x, offset, axis: np.take(x, offset, axis)", tree: null, attributes: ["offset", "axis"] },
  },
  reverse: {
    ...sharedMovements,
    arity: 1,
    reads: "strides",
    repeats: false,
    raises: false,
    edgeCases: "`reverse(dims = all)`",
    gradient: "g reversed along the same axes",
    tensorflow: "reverse",
    numpy: { exact: "np.flip", tree: null, attributes: ["axes"] },
  },
  broadcast: {
    ...sharedMovements,
    arity: 1,
    reads: "strides",
    repeats: true,
    raises: false,
    edgeCases: "`broadcast(dims)`; to sizes, by NumPy's rules",
    gradient: "g summed over the axes along which x was repeated",
    tensorflow: "broadcast_to",
    numpy: { exact: "np.broadcast_to", tree: null, attributes: ["dims"] },
  },
  extractPatches: {
    ...sharedMovements,
    arity: 1,
    reads: "strides",
    repeats: true,
    raises: false,
    edgeCases:
      "of `onebuffer/eigen`: `extractPatches(e, sizes, { axes = all, strides = 1, dilations = 1 })`; all windows, NumPy's `sliding_window_view`: their places, then their elements, which kernels read by strides; a window larger than its axis throws",
    gradient: "each element gets the sum of g over the windows that it is in",
    tensorflow: null,
    numpy: { exact: "np_patches", tree: null, attributes: [] },
  },
  concatenate: {
    ...sharedMovements,
    arity: -1,
    reads: "operands",
    repeats: false,
    raises: false,
    edgeCases: "`concatenate([a, b], axis = 0)`",
    gradient: "each operand gets its part of g",
    tensorflow: null,
    numpy: { exact: "lambda *a: np.concatenate(a[:-1], a[-1])", tree: null, attributes: [] },
  },
  gather: {
    ...sharedMovements,
    arity: 2,
    reads: "indices",
    repeats: true,
    raises: true,
    edgeCases: "`gather(indices, axis = 0)`; indices int32 or int64; an index out of range throws INVALID_ARGUMENT in assign",
    gradient: "g added at the rows that were read (a scatter); none for the indices",
    tensorflow: null,
    numpy: { exact: "np.take", tree: "gathered", attributes: ["axis"] },
  },
  scatter: {
    ...sharedMovements,
    arity: 3,
    reads: "updates",
    repeats: false,
    raises: true,
    edgeCases:
      '`scatter(indices, updates, axis = 0, { reduction = "update" })`; update, add, mul, min or max (as `minimum` and `maximum`); an update with equal indices keeps the last; an index out of range as gather',
    gradient:
      "x: g, 0 in rows that were replaced; updates: g gathered at their rows, of equal indices the last; `mul`: g times the other factors; `min` and `max`: equal extremes share",
    tensorflow: null,
    numpy: { exact: "np_scatter", tree: "scattered", attributes: ["axis", "reduction", "skips"] },
  },
};
