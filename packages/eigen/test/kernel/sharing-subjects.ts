// Chains of expressions in which each level uses the level below in two ways: one chain for each class of sharing that a single
// kernel cannot compute.
import { concatenate, iota, select } from "@onebuffer/eigen";
import { arenaMap, Dice } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns a map with small values. */
export function small(dtype: string, dims: readonly number[], seed: number): Any {
  const dice = new Dice(seed * 7919 + 1);
  const map = arenaMap(dtype as "int32", dims) as Any;
  const { data } = map;
  for (let i = 0; i < data.length; i++) data[i] = dtype.includes("int") ? dice.below(9) - 4 : Math.fround(dice.unit() - 0.5);
  return map;
}

/** A class of chains: the dtype and sizes of the leaf, and a function that puts a level on top of another. */
export interface Chain {
  readonly name: string;
  readonly dtype: string;
  readonly dims: readonly number[];
  readonly level: (e: Any, x: Any, k: number) => Any;
}

const integers = (name: string, level: Chain["level"], dims: readonly number[] = [4, 4]): Chain => ({ name, dtype: "int32", dims, level });
const floats = (name: string, level: Chain["level"], dtype: string = "float32"): Chain => ({ name, dtype, dims: [3, 6], level });
const rows = (count: number): Any => {
  const map = arenaMap("int32", [count]) as Any;
  const { data } = map;
  for (let i = 0; i < count; i++) data[i] = (i * 3 + 1) % count;
  return map;
};

/** The classes. Integers are exact; each level keeps floats small. */
export const chains: readonly Chain[] = [
  integers("plain", (e, x, k) => e.mul(k % 3).add(x)),
  integers("the level multiplied by itself", (e) => e.mul(e).add(1)),
  integers("reverse", (e) => e.add(e.reverse([1]))),
  integers("reverse there and back", (e) => e.add(e.reverse([1]).reverse([1]))),
  integers("shuffle", (e) => e.sub(e.transpose())),
  integers("roll", (e) => e.add(e.roll(1, 1))),
  integers("slice and pad", (e, x) =>
    e
      .add(
        e.slice([1, 4], [1, 4]).pad([
          [1, 0],
          [0, 1],
        ]),
      )
      .add(x),
  ),
  integers("chip", (e) => e.add(e.chip(1, 0)).sub(e.chip(2, 1).expandDims(1))),
  integers("reshape between moves", (e) => e.add(e.reverse([1]).reshape([2, 8]).reverse([0]).reshape([4, 4]))),
  integers("concatenate", (e) => (concatenate([e.slice([2, 4]), e.slice([0, 2])], 0) as Any).add(e)),
  integers("only moves", (e, _, k) => (k % 2 === 0 ? e.reverse([1]) : e.transpose())),
  integers("gather", (e) => e.add(e.gather(rows(4), 0))),
  integers("scatter", (e, x) => e.add(e.scatter(rows(4), x, 0, { reduction: "add" }))),
  integers("cumsum", (e) => e.add(e.cumsum(1))),
  integers("cumprod and cumsum", (e) => e.cumprod(0).add(e.cumsum(1, { reverse: true }))),
  integers("sort", (e) => e.add(e.sort())),
  integers("argsort", (e) => e.add(e.argsort().cast("int32"))),
  integers("sums over alternating axes", (e, _, k) => e.add(e.sum([k % 2], { keepDims: true }))),
  integers("argmax", (e, _, k) => e.sub(e.argmax(k % 2, { outputType: "int32" }).expandDims(k % 2))),
  integers("broadcast", (e) => e.add(e.slice(null, [0, 1]).add(e.slice([0, 1])))),
  integers("matMul", (e, x) => e.add(e.matMul(x))),
  integers("matMul with itself", (e) => e.matMul(e, { transposeB: true }).sub(e)),
  integers("select", (e) => select(e.greater(0), e.reverse([0]), e.add(iota("int32", [4, 4], 1) as Any))),
  integers("division", (e) => e.add(e.reverse([1]).div(3)).bitwiseAnd(1023)),
  floats("softmax over rows", (e) => e.add(e.softmax(1)).mul(0.5)),
  floats("softmax over columns", (e) => e.add(e.softmax(0)).mul(0.5)),
  floats("layerNorm", (e) => e.add(e.layerNorm()).mul(0.5)),
  floats("means over alternating axes", (e, x, k) =>
    e
      .sub(e.mean([k % 2], { keepDims: true }))
      .add(x)
      .mul(0.5),
  ),
  floats("an expensive function", (e) =>
    e
      .tanh()
      .add(e.tanh().reverse([0]))
      .mul(0.5),
  ),
  floats(
    "float16",
    (e, x) =>
      e
        .add(e.cumsum(1).reverse([1]))
        .mul(0.125)
        .add(x.cast("float16")),
    "float16",
  ),
  floats("complex numbers", (e) => e.mul(0.5).add(e.reverse([0]).mul(0.25)), "complex64"),
  floats("a narrow dtype in the middle", (e) => e.add(e.reverse([1]).cast("float8_e5m2").cast("float32")).mul(0.5)),
  floats("a mix of operations", (e, x, k) => {
    const moved = [e.softmax(0), e.cumsum(1), e.reverse([0]), e.sort(), e.matMul(x.transpose()).matMul(x), e.roll(2, 1)][k % 6];
    return e.add(moved).mul(0.4);
  }),
];

/** Returns an expression of `levels` levels of a chain. */
export function chainOf({ dtype, dims, level }: Chain, levels: number): Any {
  const x = small(dtype === "complex64" || dtype === "float16" ? "float32" : dtype, dims, 2);
  let e = small(dtype === "complex64" || dtype === "float16" ? "float32" : dtype, dims, 1);
  e = dtype === "complex64" || dtype === "float16" ? e.cast(dtype) : e.add(0);
  for (let k = 0; k < levels; k++) e = level(e, x, k);
  return e;
}
