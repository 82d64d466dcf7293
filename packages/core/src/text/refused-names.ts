/**
 * RefusedNames: names that tensors do not have, as members of a type that shows what to write instead. The compiler's message for
 * `tensor.add(1)` is "This expression is not callable. Type 'UseInstead<"tensor.matrix().add(…)">' has no call signatures". At run time
 * these members throw (tensor-advice.ts), or do not exist.
 */

/** The type of a member that does not exist; `Call` is what to write instead. */
export interface UseInstead<Call extends string> {
  readonly useInstead: [Call, never];
}

/** Methods of maps that callers try on tensors. */
type MapMethod =
  | "abs"
  | "add"
  | "argmax"
  | "argmin"
  | "cast"
  | "clip"
  | "cumsum"
  | "div"
  | "dot"
  | "equal"
  | "exp"
  | "gather"
  | "greater"
  | "less"
  | "log"
  | "matMul"
  | "max"
  | "mean"
  | "min"
  | "mul"
  | "neg"
  | "norm"
  | "pow"
  | "prod"
  | "relu"
  | "round"
  | "sigmoid"
  | "softmax"
  | "sqrt"
  | "square"
  | "std"
  | "sub"
  | "sum"
  | "tanh"
  | "transpose"
  | "variance";

/** The names that the types of tensors refuse. */
export interface RefusedNames extends Readonly<{ [M in MapMethod]: UseInstead<`tensor.matrix().${M}(…)`> }> {
  /** @deprecated `tensor.matrix().transpose()` is the transposed matrix. */
  readonly T: UseInstead<"tensor.matrix().transpose()">;
  /** @deprecated `tensor.numElements` is the number of elements, `tensor.dimSize(0)` that of rows. */
  readonly length: UseInstead<"tensor.numElements, or tensor.dimSize(0)">;
  /** @deprecated `tensor.numElements` is the number of elements. */
  readonly size: UseInstead<"tensor.numElements">;
  /**
   * With the dtype, the rank and the size the properties of an operand: a tensor of another dtype is refused for its dtype.
   *
   * @deprecated `tensor.shape.dimSizes` is all sizes.
   */
  readonly dimensions: UseInstead<"tensor.shape.dimSizes">;
  /** @deprecated `tensor.dims` is the number of dimensions. */
  readonly ndim: UseInstead<"tensor.dims">;
  /** @deprecated `tensor.dims` is the number of dimensions. */
  readonly rank: UseInstead<"tensor.dims">;
  /** @deprecated `tensor.toArray()` returns nested arrays. */
  readonly arraySync: UseInstead<"tensor.toArray()">;
  /** @deprecated `tensor.flat().data` is the elements as a typed array. */
  readonly dataSync: UseInstead<"tensor.flat().data">;
  /** @deprecated `console.log(tensor)` prints it. */
  readonly print: UseInstead<"console.log(tensor)">;
  /** @deprecated `tensor.assign(value)` sets all elements. */
  readonly fill: UseInstead<"tensor.assign(value)">;
  /** @deprecated `deepCopy(tensor)` copies the elements, `tensor.share()` shares them. */
  readonly clone: UseInstead<"deepCopy(tensor), or tensor.share()">;
}
