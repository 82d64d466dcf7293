/**
 * The operations of xla.json as calls of the public exports. No arithmetic of its own: arguments are read, one function
 * is called, the answer is written as the vectors write it.
 */
import {
  bitWidth,
  byteWidth,
  commonFactors,
  composePermutations,
  elementStrides,
  IndexUtil,
  inversePermutation,
  Layout,
  type LayoutEqualOptions,
  layoutFromStrides,
  LayoutUtil,
  layoutView,
  parseLayout,
  parseShape,
  permute,
  permuteInverse,
  PrimitiveType,
  primitiveTypeFromName,
  primitiveTypeNumberIsValid,
  ProgramShape,
  relayout,
  Shape,
  type ShapeEqualOptions,
  type ShapeIndex,
  ShapeUtil,
  Tile,
  tiledElementCount,
  tiledLinearIndex,
} from "@onebuffer/xla";
import { type Args, operation, type Operation, type Operations } from "./vector-args.ts";
import { shapeLiteral, toBuffer, toDimension, toLayout, toShape, toTile, toValues } from "./xla-literals.ts";

const shapeOf = (args: Args, key = "shape"): Shape => toShape(args.json(key));
const orderOf = (args: Args): Layout => new Layout(args.sizes("minorToMajor"));

/** An operation on one shape. */
const ofShape = (run: (shape: Shape) => unknown): Operation => operation(["shape"], (args) => run(shapeOf(args)));
/** An operation that answers with a shape. */
const toOne = (names: readonly string[], run: (args: Args) => Shape): Operation => operation(names, (args) => shapeLiteral(run(args)));
/** An operation on two shapes. */
const ofPair = (run: (a: Shape, b: Shape, args: Args) => unknown, ...more: readonly string[]): Operation =>
  operation(["a", "b", ...more], (args) => run(shapeOf(args, "a"), shapeOf(args, "b"), args));
/** An operation on minor_to_major lists. */
const ofOrder = (run: (layout: Layout, args: Args) => unknown, ...more: readonly string[]): Operation => operation(["minorToMajor", ...more], (args) => run(orderOf(args), args));

/** The names of what may differ, as the options of Layout.equals and ShapeUtil.equal. */
const KNOBS: Readonly<Record<string, keyof ShapeEqualOptions>> = {
  layout: "ignoreLayout",
  elementType: "ignoreElementType",
  fpPrecision: "ignoreFpPrecision",
  dynamic: "ignoreDynamicDimension",
  dimensions: "ignoreDimensions",
  tiles: "ignoreTiles",
  elementSize: "ignoreElementSize",
  memorySpace: "ignoreMemorySpace",
  splitConfig: "ignoreSplitConfigs",
  tail: "ignoreTailPaddingAlignmentInElements",
  physicalShape: "ignorePhysicalShape",
  physical: "ignorePhysicalShape",
  minorToMajorOnly: "minorToMajorOnly",
};

function equalOptions(args: Args): ShapeEqualOptions & LayoutEqualOptions {
  if (!args.has("ignore")) return {};
  return Object.fromEntries(
    args.list("ignore").map((name) => {
      const knob = KNOBS[String(name)];
      if (knob === undefined) throw new Error(`unknown knob ${String(name)}`);
      return [knob, true];
    }),
  );
}

/** The visited indices, all or so many. */
function visited(args: Args, stopAfter: number): number[][] {
  const found: number[][] = [];
  ShapeUtil.forEachIndex(shapeOf(args), args.sizes("base"), args.sizes("count"), args.sizes("incr"), (index) => {
    found.push([...index]);
    return found.length < stopAfter;
  });
  return found;
}

function subshapeIndices(shape: Shape): ShapeIndex[] {
  const found: ShapeIndex[] = [];
  ShapeUtil.forEachSubshape(shape, (_, index) => void found.push([...index]));
  return found;
}

function bump(args: Args): unknown {
  const index = args.sizes("index");
  return { ok: IndexUtil.bumpIndices(shapeOf(args), index), index };
}

function layoutBuffer(args: Args): unknown {
  const shape = shapeOf(args);
  const view = layoutView(shape, toBuffer(shape));
  if (args.has("fill")) view.fillPadding(args.size("fill"));
  view.copyFrom(toValues(args.list("values")));
  return Array.from(view.data as Uint8Array);
}

function relayoutBuffer(args: Args): unknown {
  const source = shapeOf(args, "src");
  const shape = shapeOf(args, "dst");
  const data = toBuffer(shape);
  relayout({ shape: source, data: toBuffer(source, toValues(args.list("buffer"))) }, { shape, data });
  return Array.from(data as Uint8Array);
}

/** A view of row-major values in the shape's own layout. */
function viewOfValues(args: Args): ReturnType<typeof layoutView> {
  const shape = shapeOf(args);
  const view = layoutView(shape, toBuffer(shape));
  view.copyFrom(toValues(args.list("values")));
  return view;
}

function transposeValues(args: Args): unknown {
  const view = viewOfValues(args);
  // A transpose of dimensions and layout together: the same buffer, seen otherwise.
  const transposed = layoutView(ShapeUtil.permuteDimensions(args.sizes("mapping"), view.shape), view.data);
  return { dims: transposed.dimensions, values: transposed.toArray() };
}

function decompose(a: Shape, b: Shape): unknown {
  const steps = ShapeUtil.decomposeBitcast(a, b);
  if (steps === null || steps.kind === "reshape") return steps;
  if (steps.kind === "transpose") return { kind: steps.kind, transpose_dims: steps.transposeDims };
  const { transpose1Shape: first, reshapeShape: reshaped } = steps;
  return {
    kind: "trt",
    transpose1_dims: steps.transpose1Dims,
    transpose1_shape: { dims: first.dimensions, m2m: first.layout?.minorToMajor },
    reshape_shape: { dims: reshaped.dimensions, m2m: reshaped.layout?.minorToMajor },
    transpose2_dims: steps.transpose2Dims,
  };
}

function normalized(args: Args): unknown {
  const { dimensions, permutation } = ShapeUtil.getNormalizedLogicalTransposeShape(shapeOf(args, "output"), args.sizes("mapping"));
  return { dims: dimensions, permutation };
}

function programShape(args: Args): string {
  const params = args.list("params").map((shape) => toShape(shape));
  return new ProgramShape(params, shapeOf(args, "result"), args.list("names").map(String)).toString();
}

function forEachIndexCount(shape: Shape): number {
  let count = 0;
  ShapeUtil.forEachIndex(shape, () => void count++);
  return count;
}

function makeShape(args: Args): Shape {
  const dims = args.list("dims").map(toDimension);
  const type = primitiveTypeFromName(args.text("type"));
  return args.has("dynamic") ? ShapeUtil.makeShape(type, dims, args.list("dynamic").map(Boolean)) : ShapeUtil.makeShape(type, dims);
}

function validate(args: Args): boolean {
  if (args.flag("optionalLayout", false)) ShapeUtil.validateShapeWithOptionalLayout(shapeOf(args));
  else ShapeUtil.validateShape(shapeOf(args));
  return true;
}

const primitiveTypeNumber = (name: string): number => primitiveTypeFromName(name);

/** Element types, indices, sizes, buffers. */
const addressingOps: Operations = {
  bitWidth: operation(["type"], (args) => bitWidth(primitiveTypeFromName(args.text("type")))),
  byteSizeOfElementType: operation(["type"], (args) => byteWidth(primitiveTypeFromName(args.text("type")))),
  primitiveTypeNumber: operation(["type"], (args) => primitiveTypeNumber(args.text("type"))),
  primitiveTypeNumberIsValid: operation(["number"], (args) => primitiveTypeNumberIsValid(args.size("number"))),
  indexToLinear: operation(["shape", "index"], (args) => IndexUtil.multidimensionalIndexToLinearIndex(shapeOf(args), args.sizes("index"))),
  linearToIndex: operation(["shape", "linear"], (args) => IndexUtil.linearIndexToMultidimensionalIndex(shapeOf(args), args.size("linear"))),
  dimensionStride: operation(["shape", "dim"], (args) => IndexUtil.getDimensionStride(shapeOf(args), args.size("dim"))),
  elementStrides: ofShape((shape) => elementStrides(shape)),
  bumpIndices: operation(["shape", "index"], bump),
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
  byteStridesIsMajorToMinor: operation(["strides", "dims", "type"], (args) => LayoutUtil.byteStridesIsMajorToMinor(args.sizes("strides"), args.sizes("dims"), primitiveTypeFromName(args.text("type")))),
  layoutFromStrides: operation(["dims", "strides"], (args) => layoutFromStrides(args.sizes("dims"), args.sizes("strides"))),
  layoutBuffer: operation(["shape", "values", "fill"], layoutBuffer),
  readBuffer: operation(["shape", "buffer"], (args) => layoutView(shapeOf(args), toBuffer(shapeOf(args), toValues(args.list("buffer")))).toArray()),
  relayout: operation(["src", "dst", "buffer"], relayoutBuffer),
  sliceValues: operation(["shape", "values", "start", "limit", "stride"], (args) =>
    viewOfValues(args).sliceValues(args.sizes("start"), args.sizes("limit"), args.has("stride") ? args.sizes("stride") : undefined),
  ),
  transposeValues: operation(["shape", "values", "mapping"], transposeValues),
  forEachIndex: operation(["shape", "base", "count", "incr"], (args) => visited(args, Infinity)),
  forEachIndexStop: operation(["shape", "base", "count", "incr", "stopAfter"], (args) => visited(args, args.size("stopAfter"))),
  forEachIndexCount: ofShape(forEachIndexCount),
};

/** Permutations, reshapes, transposes. */
const reshapeOps: Operations = {
  permute: operation(["input", "permutation"], (args) => permute(args.sizes("input"), args.sizes("permutation"))),
  permuteInverse: operation(["input", "permutation"], (args) => permuteInverse(args.sizes("input"), args.sizes("permutation"))),
  inversePermutation: operation(["permutation"], (args) => inversePermutation(args.sizes("permutation"))),
  composePermutations: operation(["a", "b"], (args) => composePermutations(args.sizes("a"), args.sizes("b"))),
  commonFactors: operation(["a", "b"], (args) => commonFactors(args.sizes("a"), args.sizes("b"))),
  dimensionsUnmodifiedByReshape: ofPair(ShapeUtil.dimensionsUnmodifiedByReshape),
  reshapeLeavesDimensionsUnmodified: ofPair((a, b, args) => ShapeUtil.reshapeLeavesDimensionsUnmodified(a, b, args.sizes("dims")), "dims"),
  insertedOrDeleted1SizedDimensions: ofPair(ShapeUtil.insertedOrDeleted1SizedDimensions),
  reshapeIsBitcast: ofPair((a, b, args) => ShapeUtil.reshapeIsBitcast(a, b, args.flag("ignoreElementType", false)), "ignoreElementType"),
  reshapeOrTransposeIsBitcast: ofPair((a, b, args) => ShapeUtil.isReshapeOrTransposeBitcast(a, b, args.flag("ignoreElementType", false)), "ignoreElementType"),
  transposeIsBitcast: ofPair((a, b, args) => ShapeUtil.transposeIsBitcast(a, b, args.sizes("mapping"), args.flag("ignoreElementType", false)), "mapping", "ignoreElementType"),
  transposeSharesBuffer: ofPair((a, b, args) => ShapeUtil.transposeSharesBuffer(a, b, args.sizes("mapping")), "mapping"),
  alignLayouts: ofPair((a, b) => ShapeUtil.alignLayouts(a, b)?.layout?.minorToMajor ?? null),
  deduceTransposeForBitcast: ofPair(ShapeUtil.deduceTransposeDimensionsForBitcast),
  decomposeBitcast: ofPair(decompose),
  isDecomposableBitcast: ofPair(ShapeUtil.isDecomposableBitcast),
  normalizedTranspose: operation(["output", "mapping"], normalized),
  permuteDimensions: toOne(["permutation", "shape"], (args) => ShapeUtil.permuteDimensions(args.sizes("permutation"), shapeOf(args))),
  permuteDimensionsIgnoringLayout: toOne(["permutation", "shape"], (args) => ShapeUtil.permuteDimensionsIgnoringLayout(args.sizes("permutation"), shapeOf(args))),
  reorderLogicalDimensions: toOne(["shape", "permutation"], (args) => ShapeUtil.reorderLogicalDimensions(shapeOf(args), args.sizes("permutation"))),
  descendingWithSamePhysical: toOne(["shape"], (args) => ShapeUtil.makeShapeWithDescendingLayoutAndSamePhysicalLayout(shapeOf(args))),
  appendMajorDimension: toOne(["bound", "shape"], (args) => ShapeUtil.appendMajorDimension(args.size("bound"), shapeOf(args))),
  appendMinorDimension: toOne(["bound", "shape"], (args) => ShapeUtil.appendMinorDimension(args.size("bound"), shapeOf(args))),
  prependMajorDimension: toOne(["bound", "shape"], (args) => ShapeUtil.prependMajorDimension(args.size("bound"), shapeOf(args))),
  insertDimensionsAt: toOne(["shape", "at", "sizes"], (args) => ShapeUtil.insertDimensionsAtIndex(shapeOf(args), args.size("at"), args.sizes("sizes"))),
  deleteDimensions: toOne(["shape", "dims"], (args) => ShapeUtil.deleteDimensions(args.sizes("dims"), shapeOf(args))),
  dropDegenerateDimensions: toOne(["shape"], (args) => ShapeUtil.dropDegenerateDimensions(shapeOf(args))),
  shapeMoveDimToMajor: toOne(["shape", "dim"], (args) => ShapeUtil.moveDimToMajor(shapeOf(args), args.size("dim"))),
};

/** Layouts. */
const layoutOps: Operations = {
  areDimensionsConsecutive: ofOrder((layout, args) => LayoutUtil.areDimensionsConsecutive(layout, args.sizes("dims")), "dims"),
  clearLayout: toOne(["shape"], (args) => LayoutUtil.clearLayout(shapeOf(args))),
  copyLayout: toOne(["src", "dst"], (args) => LayoutUtil.copyLayoutBetweenShapes(shapeOf(args, "src"), shapeOf(args, "dst"))),
  defaultLayout: operation(["shape", "mode"], (args) => LayoutUtil.getDefaultLayoutForShape(shapeOf(args), args.has("mode") ? (args.text("mode") as "major2minor") : undefined).minorToMajor),
  hasCustomElementSize: ofShape(LayoutUtil.hasCustomElementSizeInBits),
  hasLayout: ofShape((shape) => LayoutUtil.hasLayout(shape)),
  isMonotonicDim0Major: ofOrder((layout) => LayoutUtil.isMonotonicWithDim0Major(layout)),
  isMonotonicDim0Minor: ofOrder((layout) => LayoutUtil.isMonotonicWithDim0Minor(layout)),
  isPadded: ofShape(LayoutUtil.isPadded),
  isUntiledLayout: operation(["dims", "tiles"], (args) => LayoutUtil.isUntiledLayout(args.list("tiles").map(toTile), args.sizes("dims"))),
  layoutDeleteDimension: ofOrder((layout, args) => layout.deleteDimension(args.size("dim")).minorToMajor, "dim"),
  layoutEqual: operation(["a", "b", "ignore"], (args) => LayoutUtil.equal(toLayout(args.json("a")), toLayout(args.json("b")), equalOptions(args))),
  layoutRoundTrip: operation(["text"], (args) => parseLayout(args.text("text")).toString()),
  layoutToString: operation(["layout"], (args) => toLayout(args.json("layout")).toString()),
  layoutsInShapesEqual: ofPair((a, b) => LayoutUtil.layoutsInShapesEqual(a, b)),
  major: ofOrder((layout, args) => LayoutUtil.major(layout, args.size("k")), "k"),
  minor: ofOrder((layout, args) => LayoutUtil.minor(layout, args.size("k")), "k"),
  makeAscendingLayout: operation(["n"], (args) => LayoutUtil.makeAscendingLayout(args.size("n")).minorToMajor),
  makeDescendingLayout: operation(["n"], (args) => LayoutUtil.makeDescendingLayout(args.size("n")).minorToMajor),
  makeLayoutFromMajorToMinor: operation(["majorToMinor"], (args) => LayoutUtil.makeLayoutFromMajorToMinor(args.sizes("majorToMinor")).minorToMajor),
  makeLogicalToPhysical: ofOrder((layout) => LayoutUtil.makeLogicalToPhysical(layout)),
  maxElementsInPerSplit: ofShape(LayoutUtil.maxElementsInPerSplit),
  maxSplitSize: operation(["shape", "dim"], (args) => LayoutUtil.maxSplitSize(shapeOf(args), args.size("dim"))),
  moveDimToMajor: ofOrder((layout, args) => LayoutUtil.moveDimToMajor(layout, args.size("dim")).minorToMajor, "dim"),
  moveDimToMinor: ofOrder((layout, args) => LayoutUtil.moveDimToMinor(layout, args.size("dim")).minorToMajor, "dim"),
  setToDefaultLayout: toOne(["shape"], (args) => LayoutUtil.setToDefaultLayout(shapeOf(args))),
  tileToString: operation(["tile"], (args) => new Tile(toTile(args.list("tile"))).toString()),
};

/** Shapes: making, comparing, asking, text. */
const shapeOps: Operations = {
  changeElementTypeElementSize: operation(["shape", "type"], (args) => ShapeUtil.changeElementType(shapeOf(args), primitiveTypeFromName(args.text("type"))).layout?.elementSizeInBits),
  compatible: ofPair((a, b) => ShapeUtil.compatible(a, b)),
  compatibleIgnoringElementType: ofPair((a, b) => ShapeUtil.compatibleIgnoringElementType(a, b)),
  compatibleIgnoringFpPrecision: ofPair((a, b) => ShapeUtil.compatibleIgnoringFpPrecision(a, b)),
  deviceShapeIsHostShape: ofShape(ShapeUtil.deviceShapeIsHostShape),
  deviceShapeToHostShape: toOne(["shape"], (args) => ShapeUtil.deviceShapeToHostShape(shapeOf(args))),
  dimensionLetters: operation(["rank"], (args) => ShapeUtil.dimensionLetters(args.size("rank"))),
  equal: ofPair((a, b, args) => ShapeUtil.equal(a, b, equalOptions(args)), "ignore"),
  equalIgnoringElementType: ofPair((a, b) => ShapeUtil.equalIgnoringElementType(a, b)),
  equalIgnoringFpPrecision: ofPair((a, b) => ShapeUtil.equalIgnoringFpPrecision(a, b)),
  getDimension: operation(["shape", "dim"], (args) => ShapeUtil.getDimension(shapeOf(args), args.size("dim"))),
  getSubshape: toOne(["shape", "index"], (args) => ShapeUtil.getSubshape(shapeOf(args), args.sizes("index"))),
  hasDegenerateDimensions: ofShape(ShapeUtil.hasDegenerateDimensions),
  hasPrimitiveType: operation(["shape", "type"], (args) => ShapeUtil.hasPrimitiveType(shapeOf(args), PrimitiveType[args.text("type").toUpperCase() as keyof typeof PrimitiveType])),
  indexIsValid: operation(["shape", "index"], (args) => ShapeUtil.indexIsValid(shapeOf(args), args.sizes("index"))),
  isEffectivelyMostMajor: operation(["shape", "dim"], (args) => ShapeUtil.isEffectivelyMostMajorDimension(shapeOf(args), args.size("dim"))),
  isEmptyTuple: ofShape(ShapeUtil.isEmptyTuple),
  isLeafIndex: operation(["shape", "index"], (args) => ShapeUtil.isLeafIndex(shapeOf(args), args.sizes("index"))),
  isNestedTuple: ofShape(ShapeUtil.isNestedTuple),
  isZeroElementArray: ofShape(ShapeUtil.isZeroElementArray),
  lastDimIsMinorMost: ofShape(ShapeUtil.lastDimIsMinorMost),
  leafIndices: ofShape((shape) => ShapeUtil.getLeafShapes(shape).map(({ index }) => index)),
  makeShape: toOne(["type", "dims", "dynamic"], makeShape),
  parseShape: toOne(["text"], (args) => parseShape(args.text("text"))),
  programShapeToString: operation(["params", "result", "names"], programShape),
  reprint: operation(["text"], (args) => parseShape(args.text("text")).toString(true)),
  sameDimensions: ofPair((a, b) => ShapeUtil.sameDimensions(a, b)),
  shapeToString: operation(["shape", "withLayout"], (args) => shapeOf(args).toString(args.flag("withLayout", false))),
  subshapeIndices: ofShape(subshapeIndices),
  trueRank: ofShape(ShapeUtil.trueRank),
  validate: operation(["shape", "optionalLayout"], validate),
};

/** Every operation of xla.json but `shapeProtoHex`, whose bytes are another package's matter. */
export const xlaOps: Operations = { ...addressingOps, ...reshapeOps, ...layoutOps, ...shapeOps };
