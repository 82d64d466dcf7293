/** Finds the elements of an expression that are not zero: the first step of `where`, `nonzero` and `booleanMask`. */
import { InvalidArgumentError, UnimplementedError } from "@onebuffer/base";
import { evaluate } from "./evaluate.ts";
import { shownOperand } from "./expression/inference/broadcast-dims.ts";
import { castFields } from "./expression/inference/elementwise-inference.ts";
import { makeExpression } from "./expression/methods/expression-node.ts";
import type { ExpressionTree } from "./expression/tree/op-attributes.ts";
import { opTable } from "./expression/tree/op-table.ts";
import { product } from "./geometry/map-geometry.ts";

/** The largest number of elements: their places are int32 indices of `gather`, and the low words of int64 indices. */
const kMaxElements = 2 ** 31 - 1;

/**
 * Computes an expression and returns the row-major places of its elements that are not 0 or false, in ascending order. NaN is not 0.
 * Throws INVALID_ARGUMENT for dtypes that cannot be cast to bool, UNIMPLEMENTED for 2^31 elements and more, and as `evaluate` does.
 */
export function nonzeroPlaces(op: string, tree: ExpressionTree): Float64Array {
  if (!opTable.cast.dtypes.includes(tree.dtype)) {
    throw new InvalidArgumentError(`${op}(${shownOperand(tree)}): not defined for ${tree.dtype}`);
  }
  if (product(tree.dimensions) > kMaxElements) throw new UnimplementedError(`${op}(${shownOperand(tree)}): 2^31 elements or more`);
  const flags = evaluate(makeExpression<"bool", number>(castFields(tree, "bool", false))).data;
  let count = 0;
  for (let i = 0; i < flags.length; i++) count += flags[i] === 0 ? 0 : 1;
  const places = new Float64Array(count);
  let k = 0;
  for (let i = 0; k < count; i++) if (flags[i] !== 0) places[k++] = i;
  return places;
}
