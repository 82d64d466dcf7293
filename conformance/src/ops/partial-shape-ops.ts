/**
 * The operations on partial shapes (tf-shape.json): concatenate, merge, compare.
 */
import { PartialTensorShape, PartialTensorShapeUtils } from "@onebuffer/shape";
import type { Args } from "../args.ts";
import type { State } from "../compare.ts";
import { toPartialShape, toShapeClass, toShapeOf } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import type { AnyShape } from "./shape-run.ts";
import { shapeState } from "./shape-run.ts";

/** Reads the second operand: a partial shape, or a shape of the class `b_class`. */
function second(args: Args): AnyShape {
  return toShapeOf(args.has("b_class") ? toShapeClass(args.json("b_class")) : "PartialTensorShape", args.json("b"));
}

/** Concatenates with a shape or with one size. TensorFlow has a function with and one without status; onebuffer has one. */
function concatenate(args: Args): State {
  const a = toPartialShape(args.json("a"));
  args.flag("with_status", false);
  return shapeState(args.has("size") ? a.concatenate(args.size("size")) : a.concatenate(second(args)));
}

function asTensorShape(args: Args): State {
  const shape = toPartialShape(args.json("shape")).asTensorShape();
  return { ok: () => shape !== null, dims: () => (shape === null ? null : shape.dimSizes) };
}

function mostSpecific(args: Args): State {
  const shape = toPartialShape(args.json("a")).mostSpecificCompatibleShape(toPartialShape(args.json("b")));
  return { ...shapeState(shape), shape: () => (shape.unknownRank ? null : shape.dimSizes) };
}

function lists(args: Args): [a: PartialTensorShape[], b: PartialTensorShape[]] {
  return [args.list("a").map(toPartialShape), args.list("b").map(toPartialShape)];
}

/** The operations by name. */
export const partialShapeOps: Operations = {
  "partial.concatenate": operation(["a", "b", "b_class", "size", "with_status"], concatenate),
  "partial.merge_with": operation(["a", "b", "b_class", "result_is_self"], (args, scope) => {
    const a = toPartialShape(args.json("a"));
    const result = args.flag("result_is_self", false) ? a : new PartialTensorShape();
    scope.leave(shapeState(result));
    return shapeState(a.mergeWith(second(args), result));
  }),
  "partial.is_identical": operation(["a", "b", "b_class"], (args) => toPartialShape(args.json("a")).isIdenticalTo(second(args))),
  "partial.is_compatible": operation(["a", "b", "b_class"], (args) => toPartialShape(args.json("a")).isCompatibleWith(second(args))),
  "partial.is_fully_defined": operation(["shape"], (args) => toPartialShape(args.json("shape")).isFullyDefined()),
  "partial.as_tensor_shape": operation(["shape"], asTensorShape, "ok"),
  "partial.are_compatible": operation(["a", "b"], (args) => PartialTensorShapeUtils.areCompatible(...lists(args))),
  "partial.are_identical": operation(["a", "b"], (args) => PartialTensorShapeUtils.areIdentical(...lists(args))),
  "partial.most_specific_compatible": operation(["a", "b"], mostSpecific),
};
