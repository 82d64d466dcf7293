/**
 * shape.run (tf-shape.json): applies a list of mutations to a shape and returns the state afterwards.
 *
 * TensorFlow has each mutator twice: plain (CHECK on error) and `…WithStatus`. onebuffer has one, which throws.
 */
import { dataTypeName } from "@onebuffer/base";
import type { DataType } from "@onebuffer/base";
import type { PartialTensorShape, TensorShape } from "@onebuffer/shape";
import { toList, toSize } from "../args.ts";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import { HexPattern, gotWant, mismatch } from "../compare.ts";
import type { Matcher, State } from "../compare.ts";
import { toDataType, toShapeClass, toShapeOf } from "../literals.ts";
import type { ShapeClassName } from "../literals.ts";
import { isJsonArray, isJsonObject, RunnerError } from "../vector.ts";
import type { Json } from "../vector.ts";

/** A shape of either class. Both have all mutators. */
export type AnyShape = TensorShape | PartialTensorShape;

/** TensorFlow's names of the representations. */
const kRep: Readonly<Record<AnyShape["rep"], string>> = { REP16: "REP16", REP32: "REP32", REP_OUT_OF_LINE: "REP64" };

/** The sizes of the dimensions that a case lists as `{index: size}`. */
class SizesByIndex implements Matcher {
  readonly #shape: AnyShape;

  constructor(shape: AnyShape) {
    this.#shape = shape;
  }

  mismatch(expected: Json): string | null {
    if (!isJsonObject(expected)) return gotWant(this.#shape.dimSizes, expected);
    const sizes = Object.keys(expected).map((d) => [d, this.#shape.dimSize(toSize(d, "dim_size"))] as const);
    return mismatch(Object.fromEntries(sizes), expected);
  }
}

/** The keys that a case may expect of a shape. */
export function shapeState(shape: AnyShape): State {
  return {
    rank: () => shape.dims,
    dims: () => shape.dimSizes,
    shape: () => shape.dimSizes,
    dim_size: () => new SizesByIndex(shape),
    num_elements: () => shape.numElements,
    unknown_rank: () => shape.unknownRank,
    fully_defined: () => shape.isFullyDefined(),
    debug: () => shape.debugString(),
    rep: () => kRep[shape.rep],
    bytes: () => new HexPattern(shape.bytes()),
    dtype: () => dataTypeName(shape.dataType as DataType),
  };
}

/** A mutation. It returns a shape if the following steps must use that one instead. */
type Mutation = (shape: AnyShape, operands: readonly Json[], name: ShapeClassName) => AnyShape | void;

const kMutations: Readonly<Record<string, readonly [operands: number, mutate: Mutation]>> = {
  AddDim: [1, (shape, [size]) => shape.addDim(toSize(size, "AddDim"))],
  AppendShape: [1, (shape, [other], name) => shape.appendShape(toShapeOf(name, other))],
  InsertDim: [2, (shape, [d, size]) => shape.insertDim(toSize(d, "InsertDim"), toSize(size, "InsertDim"))],
  set_dim: [2, (shape, [d, size]) => shape.setDim(toSize(d, "set_dim"), toSize(size, "set_dim"))],
  SetDim: [2, (shape, [d, size]) => shape.setDim(toSize(d, "SetDim"), toSize(size, "SetDim"))],
  RemoveDim: [1, (shape, [d]) => shape.removeDim(toSize(d, "RemoveDim"))],
  RemoveLastDims: [1, (shape, [n]) => shape.removeLastDims(toSize(n, "RemoveLastDims"))],
  RemoveDimRange: [2, (shape, [begin, end]) => shape.removeDimRange(toSize(begin, "RemoveDimRange"), toSize(end, "RemoveDimRange"))],
  dim_size: [1, (shape, [d]) => void shape.dimSize(toSize(d, "dim_size"))],
  Clear: [0, (shape) => shape.clear()],
  assign: [1, (_, [init], name) => toShapeOf(name, init)],
  copy: [0, (shape) => shape.clone()],
  set_data_type: [1, (shape, [dtype]) => shape.setDataType(toDataType(dtype))],
};

function mutate(shape: AnyShape, step: Json, name: ShapeClassName): AnyShape {
  const [verb, ...operands] = isJsonArray(step) ? toList(step, "step") : [step];
  const plain = String(verb).replace(/WithStatus$/, "");
  const found = Object.hasOwn(kMutations, plain) ? kMutations[plain] : undefined;
  if (found === undefined) throw new RunnerError(`unknown step ${JSON.stringify(step)}`);
  const [count, apply] = found;
  if (operands.length !== count) throw new RunnerError(`step ${plain} has ${operands.length} operands`);
  return apply(shape, operands, name) ?? shape;
}

/** Builds the shape, runs the steps and returns the state. */
export function runShape(args: Args, scope: CaseScope): State {
  const name = toShapeClass(args.json("class"));
  let shape = toShapeOf(name, args.json("init"));
  for (const step of args.list("steps")) {
    scope.leave(shapeState(shape));
    shape = mutate(shape, step, name);
  }
  return shapeState(shape);
}
