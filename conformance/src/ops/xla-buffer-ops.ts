/**
 * The operations of xla.json on element types, indices, sizes and buffers. Each reads its arguments and calls one function.
 */
import {
  bitWidth,
  byteWidth,
  elementStrides,
  IndexUtil,
  layoutFromStrides,
  LayoutUtil,
  layoutView,
  primitiveTypeNumberIsValid,
  relayout,
  ShapeUtil,
  tiledElementCount,
  tiledLinearIndex,
} from "@onebuffer/xla";
import type { LayoutElement, Shape } from "@onebuffer/xla";
import type { Args } from "../args.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { toBuffer, toValue, toValues, Values, viewOfValues } from "../xla-buffers.ts";
import { ofShape, shapeOf, typeOf } from "../xla-operation.ts";

/** Returns the indices that forEachIndex visits, at most `stopAfter`. */
function visited(args: Args, stopAfter: number): number[][] {
  const found: number[][] = [];
  ShapeUtil.forEachIndex(shapeOf(args), args.sizes("base"), args.sizes("count"), args.sizes("incr"), (index) => {
    found.push([...index]);
    return found.length < stopAfter;
  });
  return found;
}

function forEachIndexCount(shape: Shape): number {
  let count = 0;
  ShapeUtil.forEachIndex(shape, () => void count++);
  return count;
}

function bump(args: Args): unknown {
  const index = args.sizes("index");
  return { ok: IndexUtil.bumpIndices(shapeOf(args), index), index };
}

function layoutBuffer(args: Args): Values {
  const shape = shapeOf(args);
  const view = layoutView<LayoutElement>(shape, toBuffer(shape));
  if (args.has("fill")) view.fillPadding(toValue(shape.elementType, args.json("fill") ?? null));
  else view.fillPadding();
  view.copyFrom(toValues(shape, args.json("values")));
  return Values.ofCells(view);
}

function readBuffer(args: Args): Values {
  const shape = shapeOf(args);
  return new Values(shape, layoutView<LayoutElement>(shape, toBuffer(shape, toValues(shape, args.json("buffer")))).toArray());
}

function relayoutBuffer(args: Args): Values {
  const source = shapeOf(args, "src");
  const shape = shapeOf(args, "dst");
  const data = toBuffer(shape);
  relayout({ shape: source, data: toBuffer(source, toValues(source, args.json("buffer"))) }, { shape, data });
  return Values.ofCells(layoutView<LayoutElement>(shape, data));
}

function sliceValues(args: Args): Values {
  const shape = shapeOf(args);
  const view = viewOfValues(shape, toValues(shape, args.json("values")));
  return new Values(
    shape,
    view.sliceValues(args.sizes("start"), args.sizes("limit"), args.has("stride") ? args.sizes("stride") : undefined),
  );
}

/** Transposes dimensions and layout together, so that the buffer stays the same. */
function transposeValues(args: Args): unknown {
  const shape = shapeOf(args);
  const { data } = viewOfValues(shape, toValues(shape, args.json("values")));
  const transposed = layoutView<LayoutElement>(ShapeUtil.permuteDimensions(args.sizes("mapping"), shape), data);
  return { dims: transposed.dimensions, values: new Values(shape, transposed.toArray()) };
}

/** The operations by name. */
export const xlaBufferOps: Operations = {
  bitWidth: operation(["type"], (args) => bitWidth(typeOf(args))),
  byteSizeOfElementType: operation(["type"], (args) => byteWidth(typeOf(args))),
  primitiveTypeNumber: operation(["type"], (args): number => typeOf(args)),
  primitiveTypeNumberIsValid: operation(["number"], (args) => primitiveTypeNumberIsValid(args.size("number"))),
  indexToLinear: operation(["shape", "index"], (args) => IndexUtil.multidimensionalIndexToLinearIndex(shapeOf(args), args.sizes("index"))),
  linearToIndex: operation(["shape", "linear"], (args) => IndexUtil.linearIndexToMultidimensionalIndex(shapeOf(args), args.size("linear"))),
  dimensionStride: operation(["shape", "dim"], (args) => IndexUtil.getDimensionStride(shapeOf(args), args.size("dim"))),
  elementStrides: ofShape((shape) => elementStrides(shape)),
  bumpIndices: operation(["shape", "index"], bump, "ok"),
  indexInBounds: operation(["shape", "index"], (args) => IndexUtil.indexInBounds(shapeOf(args), args.sizes("index"))),
  compareIndices: operation(["a", "b"], (args) => IndexUtil.compareIndices(args.sizes("a"), args.sizes("b"))),
  tiledLinearIndex: operation(["shape", "index"], (args) => tiledLinearIndex(shapeOf(args), args.sizes("index"))),
  tiledElementCount: ofShape(tiledElementCount),
  elementsIn: ofShape(ShapeUtil.elementsIn),
  byteSizeOf: operation(["shape", "pointerSize"], (args) => ShapeUtil.byteSizeOf(shapeOf(args), args.optionalSize("pointerSize"))),
  arraySize: ofShape(ShapeUtil.arraySize),
  arrayDataSize: ofShape(ShapeUtil.arrayDataSize),
  byteStrides: ofShape(ShapeUtil.byteStrides),
  unpackedByteStrides: ofShape(ShapeUtil.unpackedByteStrides),
  byteStridesIsMajorToMinor: operation(["strides", "dims", "type"], (args) =>
    LayoutUtil.byteStridesIsMajorToMinor(args.sizes("strides"), args.sizes("dims"), typeOf(args)),
  ),
  layoutFromStrides: operation(["dims", "strides"], (args) => layoutFromStrides(args.sizes("dims"), args.sizes("strides"))),
  layoutBuffer: operation(["shape", "values", "fill"], layoutBuffer),
  readBuffer: operation(["shape", "buffer"], readBuffer),
  relayout: operation(["src", "dst", "buffer"], relayoutBuffer),
  sliceValues: operation(["shape", "values", "start", "limit", "stride"], sliceValues),
  transposeValues: operation(["shape", "values", "mapping"], transposeValues),
  forEachIndex: operation(["shape", "base", "count", "incr"], (args) => visited(args, Infinity)),
  forEachIndexStop: operation(["shape", "base", "count", "incr", "stopAfter"], (args) => visited(args, args.size("stopAfter"))),
  forEachIndexCount: ofShape(forEachIndexCount),
};
