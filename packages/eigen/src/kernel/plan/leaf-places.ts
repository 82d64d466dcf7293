/**
 * leaf-places: where a leaf's elements are, told as bytes (the pointer and the strides behind an Eigen::TensorMap).
 *
 * A leaf is a map of this package or of another copy of it; everything with a `rawPlaces` will do.
 */
import { InternalError } from "@onebuffer/base";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";

/** The bytes of a map. Throws FAILED_PRECONDITION if they are gone. */
export function leafPlaces(leaf: ExpressionTree): RawPlaces {
  const places = (leaf as ExpressionTree & { rawPlaces(): RawPlaces | null }).rawPlaces();
  if (places === null) throw new InternalError(`a ${leaf.dtype} map has no bytes`);
  return places;
}
