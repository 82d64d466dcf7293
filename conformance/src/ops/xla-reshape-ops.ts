/**
 * The operations of xla.json on permutations, reshapes, transposes and bitcasts.
 */
import { commonFactors, composePermutations, inversePermutation, permute, permuteInverse, ShapeUtil } from "@onebuffer/xla";
import type { Shape } from "@onebuffer/xla";
import { toSizes } from "../args.ts";
import type { Args } from "../args.ts";
import { gotWant } from "../compare.ts";
import type { Matcher } from "../compare.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import type { Json } from "../vector.ts";
import { SameShape } from "../xla-literals.ts";
import { ofPair, shapeOf, toOneShape } from "../xla-operation.ts";

function decompose(a: Shape, b: Shape): unknown {
  const steps = ShapeUtil.decomposeBitcast(a, b);
  if (steps === null || steps.kind === "reshape") return steps;
  if (steps.kind === "transpose") return { kind: steps.kind, transpose_dims: steps.transposeDims };
  return {
    kind: steps.kind,
    transpose1_dims: steps.transpose1Dims,
    transpose1_shape: new SameShape(steps.transpose1Shape),
    reshape_shape: new SameShape(steps.reshapeShape),
    transpose2_dims: steps.transpose2Dims,
  };
}

/**
 * A minor-to-major order, to compare with one of 2018. AlignLayouts then put dimensions of size 1 at other places, which changes the
 * position of no element. So only the order of the other dimensions is compared, and that both orders have all dimensions.
 */
class OrderOf2018 implements Matcher {
  readonly #order: readonly number[];
  readonly #sizes: readonly number[];

  constructor(order: readonly number[], sizes: readonly number[]) {
    this.#order = order;
    this.#sizes = sizes;
  }

  mismatch(expected: Json): string | null {
    const want = toSizes(expected, "minor_to_major");
    const wide = (order: readonly number[]): string => order.filter((d) => this.#sizes[d] !== 1).join();
    const same = wide(want) === wide(this.#order) && want.toSorted().join() === this.#order.toSorted().join();
    return same ? null : gotWant(this.#order, expected);
  }
}

function normalized(args: Args): unknown {
  const { dimensions, permutation } = ShapeUtil.getNormalizedLogicalTransposeShape(shapeOf(args, "output"), args.sizes("mapping"));
  return { dims: dimensions, permutation };
}

/** The operations by name. */
export const xlaReshapeOps: Operations = {
  permute: operation(["input", "permutation"], (args) => permute(args.sizes("input"), args.sizes("permutation"))),
  permuteInverse: operation(["input", "permutation"], (args) => permuteInverse(args.sizes("input"), args.sizes("permutation"))),
  inversePermutation: operation(["permutation"], (args) => inversePermutation(args.sizes("permutation"))),
  composePermutations: operation(["a", "b"], (args) => composePermutations(args.sizes("a"), args.sizes("b"))),
  commonFactors: operation(["a", "b"], (args) => commonFactors(args.sizes("a"), args.sizes("b"))),
  dimensionsUnmodifiedByReshape: ofPair(ShapeUtil.dimensionsUnmodifiedByReshape),
  reshapeLeavesDimensionsUnmodified: ofPair((a, b, args) => ShapeUtil.reshapeLeavesDimensionsUnmodified(a, b, args.sizes("dims")), "dims"),
  insertedOrDeleted1SizedDimensions: ofPair(ShapeUtil.insertedOrDeleted1SizedDimensions),
  reshapeIsBitcast: ofPair((a, b, args) => ShapeUtil.reshapeIsBitcast(a, b, args.flag("ignoreElementType", false)), "ignoreElementType"),
  reshapeOrTransposeIsBitcast: ofPair(
    (a, b, args) => ShapeUtil.isReshapeOrTransposeBitcast(a, b, args.flag("ignoreElementType", false)),
    "ignoreElementType",
  ),
  transposeIsBitcast: ofPair(
    (a, b, args) => ShapeUtil.transposeIsBitcast(a, b, args.sizes("mapping"), args.flag("ignoreElementType", false)),
    "mapping",
    "ignoreElementType",
  ),
  transposeSharesBuffer: ofPair((a, b, args) => ShapeUtil.transposeSharesBuffer(a, b, args.sizes("mapping")), "mapping"),
  alignLayouts: ofPair((a, b, _, { era }) => {
    const order = ShapeUtil.alignLayouts(a, b)?.layout?.minorToMajor ?? null;
    return era === "2018" && order !== null ? new OrderOf2018(order, b.dimensions) : order;
  }),
  deduceTransposeForBitcast: ofPair(ShapeUtil.deduceTransposeDimensionsForBitcast),
  decomposeBitcast: ofPair(decompose),
  isDecomposableBitcast: ofPair(ShapeUtil.isDecomposableBitcast),
  normalizedTranspose: operation(["output", "mapping"], normalized),
  permuteDimensions: toOneShape(["permutation", "shape"], (args) => ShapeUtil.permuteDimensions(args.sizes("permutation"), shapeOf(args))),
  permuteDimensionsIgnoringLayout: toOneShape(["permutation", "shape"], (args) =>
    ShapeUtil.permuteDimensionsIgnoringLayout(args.sizes("permutation"), shapeOf(args)),
  ),
  reorderLogicalDimensions: toOneShape(["shape", "permutation"], (args) =>
    ShapeUtil.reorderLogicalDimensions(shapeOf(args), args.sizes("permutation")),
  ),
  descendingWithSamePhysical: toOneShape(["shape"], (args) => ShapeUtil.makeShapeWithDescendingLayoutAndSamePhysicalLayout(shapeOf(args))),
  appendMajorDimension: toOneShape(["bound", "shape"], (args) => ShapeUtil.appendMajorDimension(args.size("bound"), shapeOf(args))),
  appendMinorDimension: toOneShape(["bound", "shape"], (args) => ShapeUtil.appendMinorDimension(args.size("bound"), shapeOf(args))),
  prependMajorDimension: toOneShape(["bound", "shape"], (args) => ShapeUtil.prependMajorDimension(args.size("bound"), shapeOf(args))),
  insertDimensionsAt: toOneShape(["shape", "at", "sizes"], (args) =>
    ShapeUtil.insertDimensionsAtIndex(shapeOf(args), args.size("at"), args.sizes("sizes")),
  ),
  deleteDimensions: toOneShape(["shape", "dims"], (args) => ShapeUtil.deleteDimensions(args.sizes("dims"), shapeOf(args))),
  dropDegenerateDimensions: toOneShape(["shape"], (args) => ShapeUtil.dropDegenerateDimensions(shapeOf(args))),
  shapeMoveDimToMajor: toOneShape(["shape", "dim"], (args) => ShapeUtil.moveDimToMajor(shapeOf(args), args.size("dim"))),
};
