// Adds functions of patches and of values that each window, or each element of windows, has to a random tree: their gradients are sums over
// windows (expression/gradients/fold-by-windows.ts), some of whose terms have no window.
import type { Growth } from "@onebuffer/eigen/test/random-trees/growth";

const kUnary = ["abs", "square", "exp", "log", "sqrt", "sin", "reciprocal", "neg"];
const kBinary = ["mul", "add", "sub", "div", "atan2", "maximum", "squaredDifference", "pow", "xlogy"];

/** Adds patches of a node and functions of them; null if it could not. */
export function growPatches(g: Growth): number | null {
  const { dice } = g;
  const x = g.pick((i) => g.dtype(i) === "float64" && g.dims(i).length > 0 && !g.dims(i).includes(0));
  if (x === null) return null;
  const dims = g.dims(x);
  const axes = dims.map((_, d) => d).filter((d) => d === dims.length - 1 || dice.below(2) === 0);
  const sizes = axes.map((d) => 1 + dice.below(Math.min(4, dims[d] as number)));
  const strides = axes.map(() => 1 + dice.below(3));
  const patches = g.apply("extractPatches", [x], [sizes, { axes, strides, dilations: 1 }]);
  if (patches === null) return null;
  const [all, first] = [g.dims(patches), dims.length];
  const leafOf = (isOfWindow: boolean): number => g.leaf("float64", all.map((size, d) => (d >= first === isOfWindow ? 1 : size))); // biome-ignore format: one line
  let node: number | null = patches;
  for (let n = 1 + dice.below(3); n > 0 && node !== null; n--) {
    const other = dice.below(4) === 0 ? patches : leafOf(dice.below(3) > 0);
    node = dice.below(3) === 0 ? g.apply(dice.pick(kUnary), [node]) : g.apply(dice.pick(kBinary), dice.below(3) > 0 ? [node, other] : [other, node]); // biome-ignore format: one line
  }
  return node === null || dice.below(2) === 0 ? node : g.apply("mul", [node, leafOf(true)]);
}
