/**
 * The operations of xla.json on shapes and tuples: construction, comparison, queries, text.
 */
import { shapeProtoCodec } from "@onebuffer/proto";
import { parseShape, ProgramShape, shapeToProto, ShapeUtil } from "@onebuffer/xla";
import type { Shape, ShapeIndex } from "@onebuffer/xla";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import { toHex } from "../compare.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { RunnerError } from "../vector.ts";
import { toDimension, toDynamicFlags, toXlaShape } from "../xla-literals.ts";
import { equalOptions, eraOptions, ofPair, ofShape, shapeOf, toOneShape, typeOf } from "../xla-operation.ts";

function subshapeIndices(shape: Shape): ShapeIndex[] {
  const found: ShapeIndex[] = [];
  ShapeUtil.forEachSubshape(shape, (_, index) => void found.push([...index]));
  return found;
}

function programShape(args: Args): string {
  const params = args.list("params").map((shape) => toXlaShape(shape));
  return new ProgramShape(params, shapeOf(args, "result"), args.list("names").map(String)).toString();
}

function makeShape(args: Args): Shape {
  const dims = args.list("dims").map(toDimension);
  return args.has("dynamic")
    ? ShapeUtil.makeShape(typeOf(args), dims, toDynamicFlags(args.json("dynamic")))
    : ShapeUtil.makeShape(typeOf(args), dims);
}

function validate(args: Args, scope: CaseScope): boolean {
  if (args.flag("optionalLayout", false)) ShapeUtil.validateShapeWithOptionalLayout(shapeOf(args));
  else ShapeUtil.validateShape(shapeOf(args), eraOptions(scope));
  return true;
}

/** The operations by name. */
export const xlaShapeOps: Operations = {
  changeElementTypeElementSize: operation(
    ["shape", "type"],
    (args) => ShapeUtil.changeElementType(shapeOf(args), typeOf(args)).layout?.elementSizeInBits,
  ),
  compatible: ofPair((a, b) => ShapeUtil.compatible(a, b)),
  compatibleIgnoringElementType: ofPair((a, b) => ShapeUtil.compatibleIgnoringElementType(a, b)),
  compatibleIgnoringFpPrecision: ofPair((a, b) => ShapeUtil.compatibleIgnoringFpPrecision(a, b)),
  deviceShapeIsHostShape: ofShape(ShapeUtil.deviceShapeIsHostShape),
  deviceShapeToHostShape: toOneShape(["shape"], (args) => ShapeUtil.deviceShapeToHostShape(shapeOf(args))),
  dimensionLetters: operation(["rank"], (args) => ShapeUtil.dimensionLetters(args.size("rank"))),
  equal: ofPair((a, b, args, scope) => ShapeUtil.equal(a, b, { ...equalOptions(args), ...eraOptions(scope) }), "ignore"),
  equalIgnoringElementType: ofPair((a, b) => ShapeUtil.equalIgnoringElementType(a, b)),
  equalIgnoringFpPrecision: ofPair((a, b) => ShapeUtil.equalIgnoringFpPrecision(a, b)),
  getDimension: operation(["shape", "dim"], (args) => ShapeUtil.getDimension(shapeOf(args), args.size("dim"))),
  getSubshape: toOneShape(["shape", "index"], (args) => ShapeUtil.getSubshape(shapeOf(args), args.sizes("index"))),
  hasDegenerateDimensions: ofShape(ShapeUtil.hasDegenerateDimensions),
  hasPrimitiveType: operation(["shape", "type"], (args) => ShapeUtil.hasPrimitiveType(shapeOf(args), typeOf(args))),
  indexIsValid: operation(["shape", "index"], (args) => ShapeUtil.indexIsValid(shapeOf(args), args.sizes("index"))),
  isEffectivelyMostMajor: operation(["shape", "dim"], (args) => ShapeUtil.isEffectivelyMostMajorDimension(shapeOf(args), args.size("dim"))),
  isEmptyTuple: ofShape(ShapeUtil.isEmptyTuple),
  isLeafIndex: operation(["shape", "index"], (args) => ShapeUtil.isLeafIndex(shapeOf(args), args.sizes("index"))),
  isNestedTuple: ofShape(ShapeUtil.isNestedTuple),
  isZeroElementArray: ofShape(ShapeUtil.isZeroElementArray),
  lastDimIsMinorMost: ofShape(ShapeUtil.lastDimIsMinorMost),
  leafIndices: ofShape((shape) => ShapeUtil.getLeafShapes(shape).map(({ index }) => index)),
  makeShape: toOneShape(["type", "dims", "dynamic"], makeShape),
  parseShape: toOneShape(["text"], (args) => parseShape(args.text("text"))),
  programShapeToString: operation(["params", "result", "names"], programShape),
  reprint: operation(["text"], (args) => parseShape(args.text("text")).toString(true)),
  sameDimensions: ofPair((a, b) => ShapeUtil.sameDimensions(a, b)),
  shapeToString: operation(["shape", "withLayout"], (args) => shapeOf(args).toString(args.flag("withLayout", false))),
  shapeProtoHex: operation(["shape", "era"], (args) => {
    const era = args.text("era");
    if (era !== "current" && era !== "r1.3") throw new RunnerError(`unknown era ${era}`);
    return toHex(shapeProtoCodec.encode(shapeToProto(shapeOf(args), era === "r1.3" ? "2017" : "today")));
  }),
  subshapeIndices: ofShape(subshapeIndices),
  trueRank: ofShape(ShapeUtil.trueRank),
  validate: operation(["shape", "optionalLayout"], validate),
};
