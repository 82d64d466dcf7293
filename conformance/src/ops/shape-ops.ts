/**
 * The operations on shapes (tf-shape.json), except those on partial shapes: validity, building, TensorShapeUtils.
 */
import { tensorShapeProtoCodec } from "@onebuffer/proto";
import { PartialTensorShape, PartialTensorShapeUtils, TensorShape, TensorShapeUtils } from "@onebuffer/shape";
import { toExactInteger, toSizes, toText } from "../args.ts";
import type { Args } from "../args.ts";
import { Ok, toHex } from "../compare.ts";
import type { State } from "../compare.ts";
import { toPartialShape, toShape, toShapeClass, toShapeOf, toShapeProto } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { RunnerError } from "../vector.ts";
import { runShape, shapeState } from "./shape-run.ts";

/** Returns the shape class that the argument `class` names. */
function classOf(args: Args): typeof TensorShape | typeof PartialTensorShape {
  return toShapeClass(args.json("class")) === "TensorShape" ? TensorShape : PartialTensorShape;
}

/** BuildTensorShape and BuildPartialTensorShape, from a list of dimensions or a message. */
function build(args: Args): Ok {
  const source = args.has("proto") ? toShapeProto(args.json("proto")) : args.sizes("dims");
  return new Ok(shapeState(classOf(args).build(source)));
}

/** Returns the dimensions as elements of an int32 or int64 tensor. */
function toInts(args: Args): Int32Array | BigInt64Array {
  const intType = args.has("int_type") ? args.text("int_type") : "int64";
  if (intType === "int32") return Int32Array.from(args.sizes("dims"));
  if (intType === "int64") return BigInt64Array.from(args.list("dims"), (size) => toExactInteger(size, "dims"));
  throw new RunnerError(`unknown int_type ${intType}`);
}

/** TensorShapeUtils::MakeShape, or MakePartialShape for the partial class. */
function makeShape(args: Args): State {
  const ints = toInts(args);
  return shapeState(
    toShapeClass(args.json("class")) === "TensorShape" ? TensorShapeUtils.makeShape(ints) : PartialTensorShape.makePartialShape(ints),
  );
}

function eigenDSizes(args: Args): readonly number[] {
  const shape = toShape(args.json("dims"));
  args.flag("with_status", false);
  return args.flag("padding", false) ? shape.asEigenDSizesWithPadding(args.size("ndims")) : shape.asEigenDSizes(args.size("ndims"));
}

/** The predicates of TensorShapeUtils by their TensorFlow names. */
const kPredicates: Readonly<Record<string, (shape: TensorShape) => boolean>> = {
  IsScalar: (shape) => TensorShapeUtils.isScalar(shape),
  IsVector: (shape) => TensorShapeUtils.isVector(shape),
  IsVectorOrHigher: (shape) => TensorShapeUtils.isVectorOrHigher(shape),
  IsMatrix: (shape) => TensorShapeUtils.isMatrix(shape),
  IsSquareMatrix: (shape) => TensorShapeUtils.isSquareMatrix(shape),
  IsMatrixOrHigher: (shape) => TensorShapeUtils.isMatrixOrHigher(shape),
};

function predicate(args: Args): boolean {
  const name = toText(args.json("name"), "name");
  const holds = Object.hasOwn(kPredicates, name) ? kPredicates[name] : undefined;
  if (holds === undefined) throw new RunnerError(`unknown predicate ${name}`);
  return holds(toShape(args.json("shape")));
}

function listString(args: Args): string {
  const shapes = args.list("shapes");
  return toShapeClass(args.json("class") ?? "TensorShape") === "TensorShape"
    ? TensorShapeUtils.shapeListString(shapes.map(toShape))
    : PartialTensorShapeUtils.partialShapeListString(shapes.map(toPartialShape));
}

function toProto(args: Args): State {
  const proto = toShapeOf(toShapeClass(args.json("class")), args.json("init")).asProto();
  return {
    // "unknown_rank" is present only if it is true, as in the vectors.
    proto: () => ({ dim: (proto.dim ?? []).map(({ size }) => size), ...(proto.unknownRank === true ? { unknown_rank: true } : {}) }),
    wire: () => toHex(tensorShapeProtoCodec.encode(proto)),
  };
}

/** The operations by name. */
export const shapeOps: Operations = {
  "shape.run": operation(["class", "init", "steps"], runShape),
  "shape.is_valid_proto": operation(["class", "proto"], (args) => classOf(args).isValid(toShapeProto(args.json("proto")))),
  "shape.is_valid_shape": operation(["class", "proto"], (args) => {
    classOf(args).isValidShape(toShapeProto(args.json("proto")));
    return new Ok();
  }),
  "shape.is_valid": operation(["class", "init"], (args) => toShapeOf(toShapeClass(args.json("class")), args.json("init")).isValid()),
  "shape.to_proto": operation(["class", "init"], toProto),
  "shape.build": operation(["class", "dims", "proto"], build),
  "shape.from_proto": operation(["class", "proto"], (args) => shapeState(classOf(args).fromProto(toShapeProto(args.json("proto"))))),
  "shape.make_shape": operation(["class", "dims", "int_type"], makeShape),
  "shape.num_elements": operation(["dims"], (args) => TensorShapeUtils.numElements(toSizes(args.json("dims"), "dims"))),
  "shape.eigen_dsizes": operation(["dims", "ndims", "padding", "with_status"], eigenDSizes),
  "shape.proto_debug": operation(["proto"], (args) => TensorShape.debugString(toShapeProto(args.json("proto")))),
  "shape.starts_with": operation(["shape", "prefix"], (args) =>
    TensorShapeUtils.startsWith(toShape(args.json("shape")), toShape(args.json("prefix"))),
  ),
  "shape.ends_with": operation(["shape", "suffix"], (args) =>
    TensorShapeUtils.endsWith(toShape(args.json("shape")), toShape(args.json("suffix"))),
  ),
  "shape.same_size": operation(["a", "b"], (args) => toShape(args.json("a")).isSameSize(toShape(args.json("b")))),
  "shape.list_string": operation(["class", "shapes"], listString),
  "shape.predicate": operation(["name", "shape"], predicate),
};
