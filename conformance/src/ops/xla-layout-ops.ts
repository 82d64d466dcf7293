/**
 * The operations of xla.json on layouts.
 */
import { LayoutUtil, parseLayout, Tile } from "@onebuffer/xla";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { toLayout, toTile } from "../xla-literals.ts";
import { equalOptions, eraOptions, ofOrder, ofPair, ofShape, shapeOf, toOneShape } from "../xla-operation.ts";

/** The operations by name. */
export const xlaLayoutOps: Operations = {
  areDimensionsConsecutive: ofOrder((layout, args) => LayoutUtil.areDimensionsConsecutive(layout, args.sizes("dims")), "dims"),
  clearLayout: toOneShape(["shape"], (args) => LayoutUtil.clearLayout(shapeOf(args))),
  copyLayout: toOneShape(["src", "dst"], (args) => LayoutUtil.copyLayoutBetweenShapes(shapeOf(args, "src"), shapeOf(args, "dst"))),
  defaultLayout: operation(
    ["shape", "mode"],
    (args) =>
      LayoutUtil.getDefaultLayoutForShape(shapeOf(args), args.has("mode") ? (args.text("mode") as "major2minor") : undefined).minorToMajor,
  ),
  hasCustomElementSize: ofShape(LayoutUtil.hasCustomElementSizeInBits),
  hasLayout: operation(["shape"], (args, scope) => LayoutUtil.hasLayout(shapeOf(args), eraOptions(scope))),
  isMonotonicDim0Major: ofOrder((layout) => LayoutUtil.isMonotonicWithDim0Major(layout)),
  isMonotonicDim0Minor: ofOrder((layout) => LayoutUtil.isMonotonicWithDim0Minor(layout)),
  isPadded: ofShape(LayoutUtil.isPadded),
  isUntiledLayout: operation(["dims", "tiles"], (args) => LayoutUtil.isUntiledLayout(args.list("tiles").map(toTile), args.sizes("dims"))),
  layoutDeleteDimension: ofOrder((layout, args) => layout.deleteDimension(args.size("dim")).minorToMajor, "dim"),
  layoutEqual: operation(["a", "b", "ignore"], (args) =>
    LayoutUtil.equal(toLayout(args.json("a")), toLayout(args.json("b")), equalOptions(args)),
  ),
  layoutRoundTrip: operation(["text"], (args) => parseLayout(args.text("text")).toString()),
  layoutToString: operation(["layout"], (args) => toLayout(args.json("layout")).toString()),
  layoutsInShapesEqual: ofPair((a, b) => LayoutUtil.layoutsInShapesEqual(a, b)),
  major: ofOrder((layout, args) => LayoutUtil.major(layout, args.size("k")), "k"),
  minor: ofOrder((layout, args) => LayoutUtil.minor(layout, args.size("k")), "k"),
  makeAscendingLayout: operation(["n"], (args) => LayoutUtil.makeAscendingLayout(args.size("n")).minorToMajor),
  makeDescendingLayout: operation(["n"], (args) => LayoutUtil.makeDescendingLayout(args.size("n")).minorToMajor),
  makeLayoutFromMajorToMinor: operation(
    ["majorToMinor"],
    (args) => LayoutUtil.makeLayoutFromMajorToMinor(args.sizes("majorToMinor")).minorToMajor,
  ),
  makeLogicalToPhysical: ofOrder((layout) => LayoutUtil.makeLogicalToPhysical(layout)),
  maxElementsInPerSplit: ofShape(LayoutUtil.maxElementsInPerSplit),
  maxSplitSize: operation(["shape", "dim"], (args) => LayoutUtil.maxSplitSize(shapeOf(args), args.size("dim"))),
  moveDimToMajor: ofOrder((layout, args) => LayoutUtil.moveDimToMajor(layout, args.size("dim")).minorToMajor, "dim"),
  moveDimToMinor: ofOrder((layout, args) => LayoutUtil.moveDimToMinor(layout, args.size("dim")).minorToMajor, "dim"),
  setToDefaultLayout: toOneShape(["shape"], (args) => LayoutUtil.setToDefaultLayout(shapeOf(args))),
  tileToString: operation(["tile"], (args) => new Tile(toTile(args.list("tile"))).toString()),
};
