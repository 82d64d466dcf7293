/**
 * The advice for methods that tensors do not have: those of maps, and those of other libraries' tensors, that callers are most likely to
 * try. Not `set`, whose presence tells a writable map from other values.
 */

/** Methods of maps. */
const kMapMethods = "abs add argmax at cast div exp gather matMul max mean min mul pow softmax sqrt sub sum transpose".split(" ");

/** Methods of other libraries' tensors, and what to write in place of a call. VIEW stands for the view of the tensor's rank. */
const kOtherNames: Readonly<Record<string, string>> = {
  arraySync: "tensor.toArray() returns nested arrays",
  dataSync: "tensor.flat().data is the elements as a typed array",
  fill: "tensor.assign(value) sets all elements",
  print: "console.log(tensor) prints it",
  toFloat: 'tensorOf(tensor.VIEW.cast("float32")) converts',
};

/** The views of low ranks. */
const kViews: readonly string[] = ["scalar()", "vec()", "matrix()"];

/** The methods that a Tensor refuses with the text of `adviceFor`. */
export const kRefusedMethods: readonly string[] = [...kMapMethods, ...Object.keys(kOtherNames)];

/** Returns the message for a call of one of kRefusedMethods on a tensor of this rank: what to write in its place. */
export function adviceFor(rank: number, name: string): string {
  const view = kViews[rank] ?? `tensor(${rank})`;
  const advice = kOtherNames[name] ?? `take a map of it: tensor.VIEW.${name}(…)`;
  return `a Tensor has no ${name}, ${advice.replace("VIEW", view)}`;
}
