// Rare values among ordinary ones. The unrolled code does not handle them: a group that has one is computed again by other code,
// and all other elements must keep their results.
import { describe, expect, test } from "@jest/globals";
import { opTable } from "@onebuffer/eigen";
import { explain } from "@onebuffer/compiler/internal";
import { isLong } from "@onebuffer/test-support";
import { detectEngine, engine } from "@onebuffer/wasm/internal";
import { functions } from "../operation-records.ts";
import { arenaArray, arenaMap } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const rare = [
  Number.NaN,
  Infinity,
  -Infinity,
  0,
  -0,
  -1,
  1e-45,
  -1e-40,
  88.5,
  -88.5,
  104,
  -104,
  200,
  -200,
  710,
  -746,
  1e30,
  -3e38,
  65520,
  70000,
];

const unary = functions.filter((op) => opTable[op].class === "unary");
const bodies: readonly (readonly [string, (x: Any) => Any])[] = [
  ...unary.map((name) => [name, (x: Any) => x[name]()] as const),
  ["gelu", (x) => x.gelu({ approximate: true })],
  ["pow", (x) => x.pow(x.mul(0.5))],
  ["atan2", (x) => x.atan2(x.add(1))],
  ["exp of log", (x) => x.log().exp().add(x.sin())],
  ["cast to float16", (x) => x.cast("float16")],
  ["cast to bfloat16", (x) => x.cast("bfloat16")],
];

/** Returns the elements of a map; every NaN as the same value. */
function bits(map: Any): (string | number)[] {
  const { data } = map as { data: ArrayLike<number> & { readonly constructor: unknown } };
  return Array.from(data, (each) => (Number.isNaN(each) ? "NaN" : Object.is(each, -0) ? "-0" : each));
}

/** Returns the results of a body for all elements, computed in one kernel call. */
function together(dtype: "float32" | "float64", values: readonly number[], body: (x: Any) => Any, inPlace: boolean = false): Any {
  const x = arenaMap(dtype, [values.length]) as Any;
  values.forEach((value, i) => x.set(i, value));
  const expr = body(x);
  const out = inPlace ? x : (arenaMap(expr.dtype, [values.length]) as Any);
  out.assign(expr);
  return bits(out);
}

describe.each(["float32", "float64"] as const)("%s", (dtype) => {
  const count = 103;
  const ordinary = Array.from({ length: count }, (_, i) => 0.3 + i / 150);
  test.each(bodies)("%s: a rare value does not change the results of other elements", (name, body) => {
    // A sixth of the values, by turns of the bodies and dtypes.
    const turn = name.length + Number(dtype === "float64");
    const values = isLong ? rare : rare.filter((_, r) => (r + turn) % 6 === 0);
    const plain = together(dtype, ordinary, body);
    const alone = values.map((value) => together(dtype, [value], body)[0]);
    values.forEach((value, r) => {
      const at = (r * 37 + 11) % count;
      const mixed = ordinary.with(at, value);
      // Also in place: when a group is computed again, its operands must be unchanged.
      const inPlace = r % 2 === 0 && body(arenaMap(dtype, [1])).dtype === dtype;
      expect([value, at, together(dtype, mixed, body, inPlace)]).toEqual([value, at, plain.with(at, alone[r])]);
    });
    expect(together(dtype, values, body)).toEqual(alone);
  });
});

test("softmax of a row with a NaN of any payload is NaN, and other rows are unaffected", () => {
  for (const word of [0x7fc00001, 0x7f800001, 0xffffffff, 0xffc12345]) {
    const words = arenaArray("uint32", 256);
    const x = arenaMap("float32", [2, 100]) as Any;
    x.assign(1);
    new Uint32Array(words.buffer, x.data.byteOffset, 200)[17] = word;
    const out = arenaMap("float32", [2, 100]) as Any;
    out.assign(x.softmax());
    expect(Array.from(out.data as Float32Array)).toEqual(Array.from({ length: 200 }, (_, i) => (i < 100 ? Number.NaN : Math.fround(0.01))));
  }
});

test("softmax is 0 for elements far below the largest one", () => {
  const x = arenaMap("float32", [8]) as Any;
  [0, -87, -88, -104, -1e9, -3e38, -Infinity, 0].forEach((value, i) => x.set(i, value));
  const out = arenaMap("float32", [8]) as Any;
  out.assign(x.softmax());
  const [first, small, ...others] = Array.from(out.data as Float32Array);
  expect([first, ...others]).toEqual([0.5, 0, 0, 0, 0, 0, 0.5]);
  expect(small! / (Math.exp(-87) / 2)).toBeCloseTo(1, 5);
});

test("unrolled code has a test for special values only if its body needs one", () => {
  const x = arenaMap("float32", [1000]) as Any;
  for (const body of [x.tanh(), x.add(1)]) expect(explain(body).steps[0]!.listing).not.toContain("i32x4.max_u");
  for (const body of [x.exp(), x.log(), x.sin(), x.cast("bfloat16")]) expect(explain(body).steps[0]!.listing).toContain("i32x4.max_u");
});

test("detects the engine by the modules it accepts and the features it has", () => {
  expect(detectEngine(() => false, true)).toMatchObject({ simd: false, relaxed: false });
  expect(detectEngine((bytes) => !bytes.includes(0x85), false)).toMatchObject({ simd: true, relaxed: false });
  const [older, recent] = [detectEngine(() => true, false), detectEngine(() => true, true)];
  expect(recent.unroll.long).toBeGreaterThan(older.unroll.long);
  expect(engine()).toEqual(detectEngine());
});
