/** Finds the elements of an expression that are not zero: the first step of `where`, `nonzero` and `booleanMask`. */
import { InvalidArgumentError, UnimplementedError } from "@onebuffer/base";
import { findNonzero } from "./assign/assign.ts";
import { evaluate } from "./evaluate.ts";
import { castFields, makeExpression, shownOperand } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
import { freshArray, product } from "@onebuffer/storage/internal";

/** The largest number of elements: their places are int32 indices of `gather`, and the low words of int64 indices. */
const kMaxElements = 2 ** 31 - 1;

/**
 * Computes an expression and returns the row-major places of its elements that are not 0 or false, in ascending order. NaN is not 0.
 * Throws INVALID_ARGUMENT for dtypes that cannot be cast to bool, UNIMPLEMENTED for 2^31 elements and more, and as `evaluate` does.
 */
export function nonzeroPlaces(op: string, tree: ExpressionTree): Int32Array<ArrayBuffer> {
  if (!opTable.cast.dtypes.includes(tree.dtype)) {
    throw new InvalidArgumentError(`${op}(${shownOperand(tree)}): not defined for ${tree.dtype}`);
  }
  if (product(tree.dimensions) > kMaxElements) throw new UnimplementedError(`${op}(${shownOperand(tree)}): 2^31 elements or more`);
  const flags = makeExpression<"bool", number>(castFields(tree, "bool", false));
  return findNonzero(flags) ?? placesOf(evaluate(flags).data);
}

/** Returns the places of the bytes that are not 0. */
function placesOf(bytes: Uint8Array): Int32Array<ArrayBuffer> {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) count += bytes[i] === 0 ? 0 : 1;
  const places = freshArray("int32", count, () => "nonzero") as Int32Array<ArrayBuffer>;
  let k = 0;
  for (let i = 0; k < count; i++) if (bytes[i] !== 0) places[k++] = i;
  return places;
}
