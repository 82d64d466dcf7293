/**
 * tensor.view and tensor.reinterpret_last_dimension (tf-tensor.json): the dimensions of a view, and the flat index of its elements.
 *
 * To find the flat index of a coordinate, the operation writes a mark through the view and searches a flat view of the same memory
 * for it.
 */
import type { Complex, DType } from "@onebuffer/base";
import { ResourceHandle, Variant } from "@onebuffer/core";
import type { Tensor } from "@onebuffer/core";
import { toSizes } from "../args.ts";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import { mismatch } from "../compare.ts";
import type { Matcher, State } from "../compare.ts";
import { Elements } from "../elements.ts";
import { toDType } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { anyMap, filledTensor, newTensor, sameTensor } from "../tensor-literals.ts";
import type { AnyMap } from "../tensor-literals.ts";
import { isJsonArray, RunnerError } from "../vector.ts";
import type { Json } from "../vector.ts";

/** Two elements of a dtype that differ. */
interface Mark {
  readonly blank: () => unknown;
  readonly mark: () => unknown;
  readonly isMark: (element: unknown) => boolean;
}

const kNumbers: Mark = { blank: () => 0, mark: () => 1, isMark: (element) => element === 1 };
const kBigints: Mark = { blank: () => 0n, mark: () => 1n, isMark: (element) => element === 1n };
const kComplex: Mark = { blank: () => [0, 0], mark: () => [1, 0], isMark: (element) => (element as Complex)[0] === 1 };

/** The marks for dtypes whose elements are not numbers. */
const kMarks: Readonly<Partial<Record<DType, Mark>>> = {
  int64: kBigints,
  uint64: kBigints,
  complex64: kComplex,
  complex128: kComplex,
  bool: { blank: () => false, mark: () => true, isMark: (element) => element === true },
  string: { blank: () => "", mark: () => "mark", isMark: (element) => (element as Uint8Array).byteLength > 0 },
  variant: { blank: () => new Variant(), mark: () => new Variant(1), isMark: (element) => !(element as Variant).isEmpty() },
  resource: {
    blank: () => new ResourceHandle(),
    mark: () => new ResourceHandle({ name: "mark" }),
    isMark: (element) => (element as ResourceHandle).name === "mark",
  },
};

type ViewOf = (tensor: Tensor, as: DType, args: Args) => unknown;

/** The views by their TensorFlow names. */
const kViews: Readonly<Record<string, ViewOf>> = {
  scalar: (tensor, as) => tensor.scalar(as),
  vec: (tensor, as) => tensor.vec(as),
  matrix: (tensor, as) => tensor.matrix(as),
  tensor: (tensor, as, args) => tensor.tensor(args.size("ndims"), as),
  flat: (tensor, as) => tensor.flat(as),
  unaligned_flat: (tensor, as) => tensor.unalignedFlat(as),
  shaped: (tensor, as, args) => tensor.shaped(sizesOf(args), as),
  unaligned_shaped: (tensor, as, args) => tensor.unalignedShaped(sizesOf(args), as),
  bit_casted_shaped: (tensor, as, args) => tensor.bitCastedShaped(as, sizesOf(args)),
  bit_casted_tensor: (tensor, as, args) => tensor.bitCastedTensor(as, args.size("ndims")),
  reinterpret_last_dimension: (tensor, as, args) => tensor.reinterpretLastDimension(as, args.size("ndims")),
  flat_inner_dims: (tensor, as, args) => tensor.flatInnerDims(args.optionalSize("ndims"), as),
  flat_outer_dims: (tensor, as, args) => tensor.flatOuterDims(args.optionalSize("ndims"), as),
  flat_inner_outer_dims: (tensor, as, args) => tensor.flatInnerOuterDims(args.size("begin"), args.optionalSize("ndims"), as),
};

/** Returns the sizes of a shaped view. If the case also has C++'s rank parameter, it must be their number. */
function sizesOf(args: Args): number[] {
  const sizes = args.sizes("sizes");
  const ndims = args.optionalSize("ndims");
  if (ndims !== undefined && ndims !== sizes.length)
    throw new RunnerError(`${sizes.length} sizes for rank ${ndims}: the rank is that of the sizes here`);
  return sizes;
}

/** The flat indices of coordinates, to compare with `at`: a list of `[coordinate, flat index]`. */
class Places implements Matcher {
  readonly #view: AnyMap;
  readonly #flat: AnyMap;
  readonly #mark: Mark;

  constructor(view: AnyMap, flat: AnyMap, dtype: DType) {
    this.#view = view;
    this.#flat = flat;
    this.#mark = kMarks[dtype] ?? kNumbers;
  }

  mismatch(expected: Json): string | null {
    if (!isJsonArray(expected)) throw new RunnerError(`not a list of [coordinate, index]: ${JSON.stringify(expected)}`);
    const got = expected.map((pair) => {
      const coordinate = toSizes(isJsonArray(pair) ? pair[0] : undefined, "coordinate");
      return [coordinate, this.#find(coordinate)];
    });
    return mismatch(got, expected);
  }

  /** Returns the flat index of a coordinate; null if the mark is found nowhere or more than once. */
  #find(coordinate: readonly number[]): number | null {
    const { blank, mark, isMark } = this.#mark;
    for (let index = 0; index < this.#flat.size; index++) this.#flat.set(index, blank());
    this.#view.set(...coordinate, mark());
    const [found, ...more] = [...this.#flat].flatMap((element, index) => (isMark(element) ? [index] : []));
    return found !== undefined && more.length === 0 && isMark(this.#view.at(...coordinate)) ? found : null;
  }
}

/** Makes the view `{kind, ndims?, begin?, sizes?, as?}`. */
function makeView(tensor: Tensor, args: Args): [view: AnyMap, as: DType] {
  const kind = args.text("kind");
  const make = Object.hasOwn(kViews, kind) ? kViews[kind] : undefined;
  if (make === undefined) throw new RunnerError(`unknown view ${kind}`);
  const as = args.has("as") ? toDType(args.json("as")) : tensor.dtype;
  return [anyMap(make(tensor, as, args)), as];
}

function view(args: Args, scope: CaseScope): State {
  const tensor = newTensor(scope, toDType(args.json("dtype")), args.json("shape"));
  const [map, as] = makeView(tensor, args.args("view", ["kind", "ndims", "begin", "sizes", "as"]));
  return {
    dims: () => map.dimensions,
    rank: () => map.dimensions.length,
    size: () => map.size,
    num_elements: () => tensor.numElements,
    at: () => new Places(map, anyMap(tensor.bitCastedShaped(as, [map.size])), as),
  };
}

function reinterpret(args: Args, scope: CaseScope): State {
  const tensor = filledTensor(scope, toDType(args.json("dtype")), args.json("shape"), args.json("values"));
  const as = args.has("as") ? toDType(args.json("as")) : tensor.dtype;
  const map = anyMap(tensor.reinterpretLastDimension(as, args.size("ndims")));
  return { dims: () => map.dimensions, size: () => map.size, values: () => new Elements(as, [...map], sameTensor) };
}

/** The operations by name. */
export const tensorViewOps: Operations = {
  "tensor.view": operation(["dtype", "shape", "view"], view),
  "tensor.reinterpret_last_dimension": operation(["dtype", "shape", "values", "as", "ndims"], reinterpret),
};
