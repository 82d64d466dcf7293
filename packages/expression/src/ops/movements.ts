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
  },
};

/** The records of movements. */
export const movements: WholeRecords<
  "movement",
  "reshape" | "shuffle" | "slice" | "chip" | "reverse" | "broadcast" | "extractPatches" | "concatenate" | "gather" | "scatter"
> = {
  reshape: {
    class: "movement",
    arity: 1,
    reads: "strides",
    repeats: false,
    dtypes: "any",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases: "`reshape(dims)`; keeps row-major order; one size may be -1",
  },
  shuffle: {
    class: "movement",
    arity: 1,
    reads: "strides",
    repeats: false,
    dtypes: "any",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases: "`shuffle(permutation = reversed)`; permutes the dimensions, by default reverses them",
  },
  slice: {
    class: "movement",
    arity: 1,
    reads: "strides",
    repeats: false,
    dtypes: "any",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases: "`slice(...ranges)`; [start, stop, step] per dimension, NumPy's rules: bounds outside the dimension are clamped",
  },
  chip: {
    class: "movement",
    arity: 1,
    reads: "strides",
    repeats: false,
    dtypes: "any",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases: "`chip(offset, dim = 0)`; one dimension fixed; an offset out of range throws",
  },
  reverse: {
    class: "movement",
    arity: 1,
    reads: "strides",
    repeats: false,
    dtypes: "any",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases: "`reverse(dims = all)`",
  },
  broadcast: {
    class: "movement",
    arity: 1,
    reads: "strides",
    repeats: true,
    dtypes: "any",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases: "`broadcast(dims)`; to sizes, by NumPy's rules",
  },
  extractPatches: {
    class: "movement",
    arity: 1,
    reads: "strides",
    repeats: true,
    dtypes: "any",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases:
      "of `onebuffer/eigen`: `extractPatches(e, sizes, { axes = all, strides = 1, dilations = 1 })`; all windows, NumPy's `sliding_window_view`: their places, then their elements, which kernels read by strides; a window larger than its axis throws",
  },
  concatenate: {
    class: "movement",
    arity: -1,
    reads: "operands",
    repeats: false,
    dtypes: "any",
    result: "same",
    raises: false,
    accuracy: "exact",
    edgeCases: "`concatenate([a, b], axis = 0)`",
  },
  gather: {
    class: "movement",
    arity: 2,
    reads: "indices",
    repeats: true,
    dtypes: "any",
    result: "same",
    raises: true,
    accuracy: "exact",
    edgeCases: "`gather(indices, axis = 0)`; indices int32 or int64; an index out of range throws INVALID_ARGUMENT in assign",
  },
  scatter: {
    class: "movement",
    arity: 3,
    reads: "updates",
    repeats: false,
    dtypes: "any",
    result: "same",
    raises: true,
    accuracy: "exact",
    edgeCases:
      '`scatter(indices, updates, axis = 0, { reduction = "update" })`; update, add, mul, min or max (as `minimum` and `maximum`); an update with equal indices keeps the last; an index out of range as gather',
  },
};
