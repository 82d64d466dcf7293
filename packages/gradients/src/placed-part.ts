/** placed-part: the gradient of a part of a variable, put at its places in zeros of the variable's sizes. */
import { product } from "@onebuffer/storage/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { filled, made, placedAlong, places, repeated, reshaped, scatterFields, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { isDense } from "./variables.ts";
import type { VariablePart } from "./variables.ts";

/** Returns the gradient of the variable. Places that are read several times get the sum. */
export function placedPart(g: ExpressionTree, variable: ExpressionTree, { from, strides }: VariablePart): ExpressionTree {
  const [sizes, whole] = [sizesOf(g), sizesOf(variable)];
  const [count, all] = [product(sizes), product(whole)];
  if (isDense({ dims: sizes, strides })) {
    return reshaped(placedAlong(reshaped(g, [count]), 0, from, 1, all), whole);
  }
  // The number of each element's place: from + the sum of index times stride over the axes.
  let numbers: GradientValue = filled("int32", from, []);
  for (const [d, size] of sizes.entries()) {
    const line = places(
      sizes.map((_, e) => (e === d ? size : 1)),
      d,
    );
    numbers = numbers.add(line.mul(strides[d]!));
  }
  const flat = reshaped(repeated(numbers, sizes), [count]);
  return reshaped(made(scatterFields(filled(g.dtype, 0, [all]), flat, reshaped(g, [count]), 0, "add")), whole);
}
