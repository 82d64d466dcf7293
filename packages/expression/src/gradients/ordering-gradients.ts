/** ordering-gradients: the gradients of operations that choose elements by their order: each goes back to the place of its element. */
import { product } from "@onebuffer/storage/internal";
import { scatterFields } from "../inference/movement-inference.ts";
import { sortFields } from "../inference/reduction-inference.ts";
import type { GradientValue } from "../tree/gradient-rule.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ClassGradients } from "../tree/gradient-step.ts";
import { filled, joined, made, partAlong, places, reshaped } from "./gradient-nodes.ts";

/** The rules of orderings. */
export const orderingGradients: ClassGradients<"ordering"> = {
  sort({ node, inputs: [x], g, attributes: { descending } }) {
    // A sort may keep only the first elements.
    const order = made({ ...sortFields("argsort", x!, descending), dimensions: sizesOf(node) });
    return [putBack(x!, order, g)];
  },
  argsort: "none",
  nthElements({ inputs: [x], g, attributes }) {
    const order = made(sortFields("argsort", x!, false));
    const axis = sizesOf(x!).length - 1;
    const columns = attributes.places.map((place) => partAlong(order, axis, place, place + 1));
    return [columns.length === 0 ? filled(x!.dtype, 0, sizesOf(x!)) : putBack(x!, joined(columns, axis), g)];
  },
};

/** Returns zeros with each element of g at the place in its row that `order` has for it. */
function putBack(x: GradientValue, order: GradientValue, g: GradientValue): GradientValue {
  const sizes = sizesOf(x);
  const width = sizes.at(-1)!;
  const count = product(sizes);
  const rows = width === 0 ? 0 : count / width;
  const kept = sizesOf(order).at(-1)!;
  const flat = reshaped(order, [rows, kept]).add(places([rows, 1], 0).mul(width));
  const zeros = filled(g.dtype, 0, [count]);
  return reshaped(made(scatterFields(zeros, reshaped(flat, [rows * kept]), reshaped(g, [rows * kept]), 0, "update")), sizes);
}
