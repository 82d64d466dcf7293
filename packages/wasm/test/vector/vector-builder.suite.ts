// VectorBuilder keeps the guarantees of VectorSchedule: the order of loads and stores, variables, branches, values that are computed once.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { WasmModule } from "../../src/assembler/assembler.ts";
import { functionText } from "../../src/assembler/assembler-listing.ts";
import type { Vector } from "../../src/vector/vector.ts";
import { VectorBuilder } from "../../src/vector/vector-builder.ts";
import { hasRelaxedSimd, instantiate, kernelOf, memoryImport, slot } from "@onebuffer/test-support";
import { compare } from "./compared-lanes.ts";

test.each([1, 2, 3, 4])("a long program gives the same results with %p copies", (copies) => {
  // Far more values than fit on the stack or in registers, some of which are used again much later.
  const program = (a: Vector, b: Vector): Vector => {
    const powers = [a];
    for (let i = 0; i < 20; i++) powers.push(powers[i]!.mul(b).add(i));
    return powers.reduce((sum, each) => sum.xor(each));
  };
  const expected = (a: number, b: number): number => {
    let power = a;
    let sum = a;
    for (let i = 0; i < 20; i++) {
      power = (Math.imul(power, b) + i) | 0;
      sum ^= power;
    }
    return sum;
  };
  compare("i32x4", "i32x4", program, expected as never, copies);
});

/** Makes a module with one function that `fill2` writes with a builder, and calls it with `args`. */
function withBuilder(fill2: (builder: VectorBuilder, param: (name: string) => number) => void, ...args: number[]): void {
  const module = new WasmModule(memoryImport);
  const target = module.function("run", { a: "i32", b: "i32" });
  fill2(new VectorBuilder(target), (name) => target.param(name));
  instantiate(module)["run"]!(...args);
}

describe("memory", () => {
  const ints = slot("i32x4", 0) as Int32Array;

  test("loads made before a store run before it, even if the two overlap", () => {
    ints.set([1, 2, 3, 4, 5, 6, 7, 8]);
    withBuilder((b, param) => {
      b.emit(1, () => {
        const [low, high] = [b.load("i32x4", param("a")), b.load("i32x4", param("a"), 16)];
        b.store(high, param("a"));
        b.store(low.add(10), param("a"), 16);
      });
    }, 0);
    expect([...ints.slice(0, 8)]).toEqual([5, 6, 7, 8, 11, 12, 13, 14]);
  });

  test("a load inside the tree of a stored value is not written twice", () => {
    const module = new WasmModule(memoryImport);
    const target = module.function("run", { a: "i32", b: "i32" });
    const [a, b] = [target.param("a"), target.param("b")];
    const builder = new VectorBuilder(target);
    builder.emit(2, () => {
      const sum = builder.load("f32x4", a).add(builder.load("f32x4", b));
      builder.store(sum.lowToF64().add(builder.load("f64x2", a, 64)), a, 64);
      builder.store(sum.highToF64(), a, 96);
    });
    expect(functionText(target).match(/v128\.load/g)).toHaveLength(6);
  });

  test("single elements, splats and lanes", () => {
    (slot("u8x16", 1) as Uint8Array).set([250, 3, 4, 5, 6, 7, 8, 9, 10]);
    (slot("f64x2", 2) as Float64Array).set([1.5, 2.5, 3.5]);
    const [bytes, doubles] = [1 << 20, 2 << 20];
    ints.fill(0, 0, 64);
    withBuilder(
      (b, param) => {
        const local = b.target.local("i32");
        const vector = b.target.local("v128");
        b.target.body.i32(-7).set(local).i32(9).op("i32x4.splat").set(vector);
        b.emit(1, () => {
          b.store(b.loadSplat("u8x16", param("b"), 1), param("a"), 16);
          b.store(b.splat("i32x4", local), param("a"), 32);
          b.store(b.fromLocal("i32x4", vector), param("a"), 48);
          b.storeLane(b.loadOne("f64x2", param("b"), doubles - bytes + 8), 0, param("a"), 64);
          b.store(b.loadLane(b.constant("f64x2", 0), 1, param("b"), doubles - bytes + 16), param("a"), 80);
          b.storeLane(b.loadOne("u8x16", param("b")), 0, param("a"), 96);
          b.storeLane(b.constants("i16x8", [1, 2, 3, 4, 5, 6, 7, 8]), 6, param("a"), 98);
        });
      },
      0,
      bytes,
    );
    const u16 = slot("u16x8", 0);
    expect([...slot("u8x16", 0).slice(16, 32)]).toEqual(Array(16).fill(3));
    expect([...ints.slice(8, 16)]).toEqual([...Array(4).fill(-7), ...Array(4).fill(9)]);
    expect([...slot("f64x2", 0).slice(8, 12)]).toEqual([2.5, 0, 0, 3.5]);
    expect([u16[48], u16[49], u16[50]]).toEqual([250, 7, 0]);
  });
});

describe("variables", () => {
  test("have a value for each copy and are all assigned at once at the end", () => {
    const ints = slot("i32x4", 0) as Int32Array;
    ints.fill(0, 0, 32);
    withBuilder((b, param) => {
      const x = b.variable("i32x4", 2, "x");
      const y = b.variable("i32x4", 2, "y");
      const z = b.variable("i32x4", 2, "z");
      b.emit(2, () => {
        b.assign(x, b.read(x).add(1));
        b.assign(y, b.read(x).add(10));
        b.assign(z, b.read(y).add(b.read(x)));
      });
      // 1, 11, 12 are rotated by one: each variable gets the old value of another.
      b.emit(2, () => {
        const [oldX, oldY, oldZ] = [b.read(x), b.read(y), b.read(z)];
        b.assign(x, oldY);
        b.assign(y, oldZ);
        b.assign(z, oldX);
      });
      b.emit(2, () => {
        b.store(b.read(x), param("a"), 0, 32);
        b.store(b.read(y), param("a"), 16, 32);
        b.store(b.read(z), param("a"), 64, 16);
      });
    }, 0);
    expect([0, 4, 8, 12, 16, 20].map((at) => [...ints.slice(at, at + 4)])).toEqual([11, 12, 11, 12, 1, 1].map((v) => Array(4).fill(v)));
  });
});

describe("when", () => {
  const program = (a: Vector, b: Vector): Vector => {
    const sum = a.add(b);
    return a.source.when(a.lt(0), sum, () => {
      const product = sum.mul(3);
      const inner = a.source.when(b.lt(0), product, () => b.lt(0).select(product.sub(sum).add(100), product));
      return a.lt(0).select(inner, sum);
    });
  };
  const expected = (a: number, b: number): number => {
    const sum = (a + b) | 0;
    if (a >= 0) return sum;
    const product = Math.imul(sum, 3);
    return b < 0 ? (product - sum + 100) | 0 : product;
  };

  test.each([1, 2, 4])("runs the branch if a bit of the mask is set, also nested, with %p copies", (copies) => {
    compare("i32x4", "i32x4", program, expected as never, copies);
  });

  test("a branch can return a value from outside", () => {
    compare("i32x4", "i32x4", (a, b) => a.source.when(a.or(1), a, () => b), ((a: number, b: number) => (a === a ? b : a)) as never);
  });
});

test("computes equal values once and unused values not at all", () => {
  const size = (program: (b: VectorBuilder, x: Vector) => Vector): number => {
    const target = new WasmModule().function("f", { a: "i32" });
    const builder = new VectorBuilder(target);
    builder.emit(1, () => builder.store(program(builder, builder.load("f32x4", 0)), 0));
    return target.body.length;
  };
  expect(size((_, x) => x.mul(x).add(x.mul(x)))).toBe(size((_, x) => ((y) => y.add(y))(x.mul(x))));
  expect(
    size((_, x) => {
      x.sqrt().div(3);
      return x.neg();
    }),
  ).toBe(size((_, x) => x.neg()));
});

test("a constant has one local in the whole function", () => {
  const target = new WasmModule().function("f", { a: "i32" });
  const builder = new VectorBuilder(target);
  for (let i = 0; i < 3; i++) builder.emit(2, () => builder.store(builder.load("f32x4", 0).add(1.25).mul(1.25), 0));
  expect(functionText(target).match(/v128\.const/g)).toHaveLength(1);
});

describe("mistakes", () => {
  const messageOf = (act: (b: VectorBuilder, x: Vector) => unknown): string => {
    const target = new WasmModule().function("f", { a: "i32" });
    const builder = new VectorBuilder(target);
    try {
      builder.emit(1, () => act(builder, builder.load("f32x4", 0)));
    } catch (error) {
      if (isStatusError(error)) return `${error.code}: ${error.message}`;
      throw error;
    }
    return "nothing thrown";
  };
  let leaked: Vector | null = null;

  test.each<[string, (b: VectorBuilder, x: Vector) => unknown, string]>([
    ["two kinds", (b, x) => x.add(b.constant("i32x4", 1)), "INTERNAL: an operand is i32x4, the other f32x4"],
    ["select between kinds", (b, x) => x.lt(0).select(x, b.constant("i32x4", 1)), "INTERNAL: select between f32x4 and i32x4"],
    ["an instruction that is not there", (_, x) => x.as("i64x2").addSat(1), "INTERNAL: i64x2 has no instruction i64x2.add_sat_s"],
    ["a root of integers", (_, x) => x.as("i32x4").sqrt(), "INTERNAL: sqrt is for floats, not i32x4"],
    ["bytes made narrower", (_, x) => x.as("u8x16").wrap(x), "INTERNAL: u8x16 has no narrower integers"],
    ["emit inside emit", (b) => b.emit(1, () => undefined), "INTERNAL: emit inside emit"],
    ["when with two kinds", (b, x) => b.when(x, x, () => x.as("i32x4")), "INTERNAL: the two results of when are i32x4 and f32x4"],
    [
      "a store inside when",
      (b, x) =>
        b.when(x, x, () => {
          b.store(x, 0);
          return x;
        }),
      "INTERNAL: a store or an assignment inside when",
    ],
    [
      "a value that a branch has kept to itself",
      (b, x) => {
        b.when(x, x, () => (leaked = x.sqrt()));
        return leaked!.neg();
      },
      "INTERNAL: a vector is used where it has no value",
    ],
    ["a variable of another kind", (b, x) => b.assign(b.variable("i32x4", 1), x), "INTERNAL: a variable is i32x4, its new value f32x4"],
  ])("%s", (_, act, message) => expect(messageOf(act)).toBe(message));

  test("a vector outside of emit", () => {
    const builder = new VectorBuilder(new WasmModule().function("f", {}));
    expect(() => builder.constant("f32x4", 1)).toThrow("vectors are made inside emit");
  });
});

test("uses relaxed instructions only if they are allowed", () => {
  const listing = (relaxed: boolean): string => {
    const target = new WasmModule().function("f", { a: "i32" });
    const builder = new VectorBuilder(target, { relaxed });
    builder.emit(1, () => {
      const x = builder.load("f32x4", 0);
      builder.store(x.lt(0).select(x.madd(x, 1), x.nmadd(x, 2)), 0);
    });
    return functionText(target);
  };
  expect(listing(true).match(/relaxed_\w+/g)).toEqual(["relaxed_madd", "relaxed_nmadd", "relaxed_laneselect"]);
  expect(listing(false)).not.toContain("relaxed");
  if (!hasRelaxedSimd()) return;
  slot("f32x4", 1).set([1, -2, 3, -4]);
  kernelOf(["f32x4"], (x) => x.lt(0).select(x.madd(x, 1), x.nmadd(x, 2)), 1, true)(16);
  expect([...slot("f32x4", 0).slice(0, 4)]).toEqual([1, 5, -7, 17]);
});
