// Operations after a product are computed in place, where the product has been stored: both evaluators agree, the first time and when the
// plan is used again, and operands that overlap the target are read before it is written.
import { expect, test } from "@jest/globals";
import { convolve, tensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { linearMemory } from "@onebuffer/wasm";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaArray, arenaMap, Dice, ownScratch, scratchFrom, subject } from "./kernel-subjects.ts";

/** The operands here are made by functions of names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const small = (dice: Dice): number => dice.below(7) - 3;
const make = (dims: readonly number[], seed: number, dtype = "float32"): Any =>
  subject(dtype as "float32", dims, "dense", new Dice(seed), small);

/** Expects an assignment to give what the plain evaluator gives, three times. */
function agrees(expr: Any, out: Any = arenaMap(expr.dtype, expr.dimensions)): void {
  const wanted = arenaMap(expr.dtype, expr.dimensions) as Any;
  assignByReference(wanted, expr);
  const elements = [...wanted];
  for (let turn = 0; turn < 3; turn++) {
    out.assign(expr);
    expect([...out]).toEqual(elements);
  }
}

/** Returns a map like `make` does, in memory of its own, so that it lasts for all tests. */
function lasting(dims: readonly [number, number], seed: number): Any {
  const map = tensorMap("float32", arenaArray("float32", dims[0] * dims[1], 1024) as Float32Array, dims) as Any;
  map.copyFrom(make(dims, seed));
  return map;
}

const [a, b] = [lasting([20, 12], 1), lasting([12, 16], 2)];

test.each<[string, (product: Any) => Any]>([
  ["a bias", (p) => p.add(make([16], 3))],
  ["a bias and an activation", (p) => p.add(make([16], 3)).relu()],
  ["a scale", (p) => p.mul(0.5)],
  ["an accumulation", (p) => make([20, 16], 4).add(p)],
  ["a use in two places", (p) => p.mul(p.add(1))],
  ["a column that is broadcast", (p) => p.sub(make([20, 1], 5))],
  ["another product", (p) => p.add(a.mul(2).matMul(b))],
  ["elements of another order", (p) => p.add(p.reverse())],
  ["a reduction of rows", (p) => p.sub(p.max([1], { keepDims: true }))],
  ["a reduction", (p) => p.sum([1])],
  ["a reshape", (p) => p.reshape([4, 5, 16]).add(make([5, 1], 6))],
  ["a transposition", (p) => p.shuffle().add(1)],
  ["a cast", (p) => p.add(1).cast("int32")],
])("a product, then %s", (_, after) => {
  agrees(after(a.matMul(b)));
});

test("targets that are not dense, and targets outside the linear memory", () => {
  const expr = a.matMul(b).add(1);
  agrees(expr, subject("float32", [20, 16], "transposed", new Dice(1)));
  agrees(expr, subject("float32", [20, 16], "strided", new Dice(1)));
  agrees(expr, tensorMap("float32", new Float32Array(320), [20, 16]));
});

test("the operands may be where the result goes", () => {
  const square = make([16, 16], 7);
  const of = (x: Any, y: Any, z: Any): Any => x.matMul(y).add(z).relu();
  // The plan is kept for operands that are apart, and then meets those that are not.
  agrees(of(make([16, 16], 8), make([16, 16], 9), make([16, 16], 10)));
  for (const place of [0, 1, 2]) {
    const operands = [make([16, 16], 11), make([16, 16], 12), make([16, 16], 13)];
    const out = operands[place]!;
    const expr = of(operands[0], operands[1], operands[2]);
    const wanted = arenaMap("float32", [16, 16]) as Any;
    assignByReference(wanted, expr);
    out.assign(expr);
    expect([...out]).toEqual([...wanted]);
  }
  square.addAssign(square.matMul(square));
  const again = make([16, 16], 7);
  const wanted = arenaMap("float32", [16, 16]) as Any;
  assignByReference(wanted, again.add(again.matMul(again)));
  expect([...square]).toEqual([...wanted]);
});

test.each<[string, string, number]>([
  ["float32", "float32", 16],
  ["float64", "float64", 16],
  ["int32", "int32", 16],
  ["several blocks of k", "float32", 300],
  ["float16, which is rounded before it is added", "float16", 16],
])("a product is added to the target in place: %s", (_, dtype, inner) => {
  const [x, y, z] = [make([18, inner], 21, dtype), make([inner, 20], 22, dtype), make([18, 20], 23, dtype)];
  for (const of of [(t: Any) => t.add(x.matMul(y)), (t: Any) => x.matMul(y).add(t)]) {
    const out = make([18, 20], 23, dtype);
    // The first plan is for another target than the map, the others are for the map itself, or for a part of it.
    agrees(of(out));
    for (let turn = 0; turn < 3; turn++) {
      const wanted = arenaMap(dtype as "float32", [18, 20]) as Any;
      assignByReference(wanted, of(out));
      const { runs } = kernelCounts();
      out.assign(of(out));
      expect([...out]).toEqual([...wanted]);
      if (dtype !== "float16") expect(kernelCounts().runs - runs).toBe(1);
    }
    agrees(of(out));
  }
  z.addAssign(x.matMul(y));
  const wanted = arenaMap(dtype as "float32", [18, 20]) as Any;
  assignByReference(wanted, make([18, 20], 23, dtype).add(x.matMul(y)));
  expect([...z]).toEqual([...wanted]);
});

test("a product that reads its target is not added in place", () => {
  const square = make([16, 16], 24);
  const places: ((t: Any) => Any)[] = [
    (t) => t.add(t.matMul(t)),
    (t) => t.add(make([16, 16], 25).matMul(t.mul(2))),
    (t) => t.add(a.slice([0, 16]).matMul(t.slice([0, 12]))),
  ];
  for (const of of places) {
    const wanted = arenaMap("float32", [16, 16]) as Any;
    assignByReference(wanted, of(square));
    square.assign(of(square));
    expect([...square]).toEqual([...wanted]);
    square.assign(make([16, 16], 24));
  }
  const wide = make([32, 16], 26);
  const upper = wide.strided().slice([0, 16]);
  const wanted = arenaMap("float32", [16, 16]) as Any;
  const sum = upper.add(make([16, 16], 27).matMul(wide.slice([8, 24])));
  assignByReference(wanted, sum);
  upper.assign(sum);
  expect([...upper]).toEqual([...wanted]);
});

test("a product of which only a part is used is not stored in the smaller target", () => {
  const memory = tensorMap("float32", arenaArray("float32", 400) as Float32Array, [400]) as Any;
  memory.assign(-77);
  const expr = a.matMul(b).slice([0, 10]).add(1);
  agrees(expr, memory.strided().slice([0, 160]).reshape([10, 16]));
  expect([...memory].slice(160)).toEqual(new Array(240).fill(-77));
});

test("a product that another product reads, too, with the kept plan in another target", () => {
  const [c, first, second] = [make([16, 16], 14), arenaMap("float32", [20, 16]) as Any, arenaMap("float32", [20, 16]) as Any];
  const of = (x: Any): Any => {
    const p = x.matMul(b);
    return p.add(p.matMul(c));
  };
  agrees(of(a), first);
  agrees(of(make([20, 12], 15)), second);
  agrees(of(a), first);
});

test("integers: a division by 0 after a product throws, and the product is not lost", () => {
  const [x, y, divisors] = [make([9, 9], 1, "int32"), make([9, 9], 2, "int32"), make([9, 9], 3, "int32")];
  divisors.assign(2);
  const expr = x.matMul(y).div(divisors);
  agrees(expr);
  divisors.set(8, 8, 0);
  expect(() => arenaMap("int32", [9, 9]).assign(expr)).toThrow("division by zero");
});

test("a convolution, a bias and an activation", () => {
  const expr = convolve(make([2, 9, 8, 5], 1), make([3, 3, 5, 6], 2), { padding: "same" }) as Any;
  agrees(expr.add(make([6], 3)).relu());
});

test("no scratch memory is taken for the product, and the plan is kept", () => {
  const [x, y, bias] = [make([1024, 8], 1), make([8, 256], 2), make([256], 3)];
  const out = tensorMap("float32", arenaArray("float32", 1024 * 256) as Float32Array, [1024, 256]) as Any;
  const expr = x.matMul(y).add(bias).relu();
  expect(explain(expr).steps.map(({ by }) => by)).toEqual(["contraction", "map"]);
  let taken = 0;
  scratchFrom({
    reserve: (bytes) => {
      taken += bytes;
      return ownScratch.reserve(bytes);
    },
    release: ownScratch.release,
  });
  out.assign(expr);
  const { planned } = kernelCounts();
  out.assign(expr);
  scratchFrom(ownScratch);
  expect([kernelCounts().planned - planned, taken < 1024 * 256 * 4]).toEqual([0, true]);
  expect(linearMemory().isAvailable).toBe(true);
});
