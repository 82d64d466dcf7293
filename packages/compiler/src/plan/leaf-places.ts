/**
 * leaf-places: the location of a leaf's elements in bytes (the pointer and the strides of an Eigen::TensorMap).
 *
 * A leaf is a map of this package or of another copy of it: any object with the method `rawPlaces`.
 */
import { InternalError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import type { RawPlaces } from "@onebuffer/storage";

/** Returns the location of a map's elements. Throws FAILED_PRECONDITION if the memory is freed, INTERNAL if the dtype has no bytes. */
export function leafPlaces(leaf: ExpressionTree): RawPlaces {
  const places = (leaf as ExpressionTree & { rawPlaces(): RawPlaces | null }).rawPlaces();
  if (places === null) throw new InternalError(`a ${leaf.dtype} map has no bytes`);
  return places;
}
