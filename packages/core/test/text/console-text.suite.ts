/** The text of tensors, maps and expressions in consoles, and their JSON. */
import { inspect, isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { tensorMap } from "@onebuffer/eigen";
import { thrown } from "@onebuffer/test-support";

const kRows = [
  [1, 2.5],
  [3, 4],
];

/** Calls Deno's hook as Deno does: with its options, in which the indentation tells whether the object is inside another. */
function inDeno(object: object, indentationLvl: number): string {
  const hook = Reflect.get(object, Symbol.for("Deno.customInspect")) as (inspect: unknown, options: object) => string;
  return hook.call(object, null, { indentationLvl });
}

describe("console.log", () => {
  test("of tensors, maps and expressions: a line that names them, then NumPy's layout", () => {
    using t = Tensor.from(kRows);
    const map = t.matrix();
    expect(inspect(t)).toBe("Tensor<type: float shape: [2,2]>\n[[1.  2.5]\n [3.  4. ]]");
    expect(inspect(map)).toBe("TensorMap<float32, [2, 2]>\n[[1.  2.5]\n [3.  4. ]]");
    expect(`${map} ${map.strided().transpose()}`).toBe("[[1.  2.5]\n [3.  4. ]] [[1.  3. ]\n [2.5 4. ]]");
    expect([map.toString({ threshold: 3, edgeItems: 1 }), `${map}`]).toEqual([t.toString({ threshold: 3, edgeItems: 1 }), t.toString()]);
    expect(inspect(map.asConst())).toBe("ConstTensorMap<float32, [2, 2]>\n[[1.  2.5]\n [3.  4. ]]");
    expect(inspect(map.strided().transpose())).toBe("StridedMap<float32, [2, 2], strides [1, 2], offset 0>\n[[1.  3. ]\n [2.5 4. ]]");
    expect(inspect(map.mul(2).add(map))).toBe("Expression<add, float32, [2, 2]>\nadd(mul(x0, 2), x0)  x0: float32[2,2]");
    expect(inspect(t.flat().sum())).toBe("Expression<sum, float32, []>\nsum(x0)  x0: float32[4]");
  });
  test("inside other objects: one line, at any depth", () => {
    using t = Tensor.from(kRows);
    const map = t.matrix();
    expect(inspect([t])).toBe("[ Tensor<type: float shape: [2,2]> [[1.  2.5] [3.  4. ]] ]");
    expect(inspect({ map, sum: map.sum() })).toBe(
      "{\n  map: TensorMap<float32, [2, 2]> [[1.  2.5] [3.  4. ]],\n  sum: Expression<sum, float32, []>\n}",
    );
    expect(inspect({ a: { map } }, { depth: 1 })).toContain("map: TensorMap<float32, [2, 2]> [[1.  2.5] [3.  4. ]]");
    using big = Tensor.zeros([40, 40]);
    expect(inspect(new Map([[1, big]]))).toBe("Map(1) { 1 => Tensor<type: float shape: [40,40]> }");
    for (const object of [t, map, map.strided()]) expect(inDeno(object, 2)).toBe(inspect([object]).slice(2, -2).trim());
    for (const object of [t, map, map.mul(2)]) expect(inDeno(object, 0)).toBe(inspect(object));
  });
  test("reads only what it shows, and never throws", () => {
    const endless = tensorMap("int8", Int8Array.of(7), [1])
      .strided()
      .broadcast([2 ** 20, 2 ** 20]);
    expect(inspect(endless)).toContain("[[7 7 7 ... 7 7 7]");
    const t = Tensor.from(kRows);
    const map = t.matrix();
    t.dispose();
    expect(inspect(t)).toBe("Tensor<disposed>");
    expect(inspect(map)).toMatch(/^TensorMap<float32, \[2, 2\]>\n<.*freed.*>$/);
    expect(inspect([map])).toBe("[ TensorMap<float32, [2, 2]> ]");
    expect([String(map), String(map.asConst())]).toEqual(["TensorMap<float32, [2, 2]>", "ConstTensorMap<float32, [2, 2]>"]);
    using moved = Tensor.from(kRows);
    using target = moved.move();
    expect(inspect(moved)).toBe("Tensor<type: float shape: [2,2]>\n<uninitialized>");
    expect(target.numElements).toBe(4);
    let deep = tensorMap("float32", new Float32Array(1), [1]).add(1);
    for (let i = 0; i < 15_000; i++) deep = deep.add(1);
    expect(inspect(deep).length).toBeLessThan(200);
  });
});

describe("all fields of an object", () => {
  test("have no memory, whose gigabytes an assertion that fails would print", () => {
    using t = Tensor.from(kRows);
    using part = t.slice(1, 2);
    using names = Tensor.from(["a"]);
    // As node:assert prints two objects that differ, but for the limit of elements, which there is none of.
    const printed = inspect([t, part, names, t.matrix(), t.matrix().add(1)], { customInspect: false, depth: 1000, maxArrayLength: 9 });
    expect(printed).toContain("rootBuffer");
    expect(printed).not.toMatch(/ArrayBuffer|byteLength/);
  });
  test("differ between two tensors, so that no assertion takes them for equal", () => {
    using t = Tensor.from(kRows);
    using same = Tensor.from(kRows);
    expect(isDeepStrictEqual(t, t)).toBe(true);
    expect(isDeepStrictEqual(t, same)).toBe(false);
  });
});

describe("JSON.stringify", () => {
  test("of a tensor or map is its dtype, shape and values", () => {
    using t = Tensor.from(kRows);
    const json = { dtype: "float32", shape: [2, 2], values: kRows };
    expect(JSON.parse(JSON.stringify({ t, map: t.matrix(), strided: t.strided() }))).toEqual({ t: json, map: json, strided: json });
    expect(t.strided("::-1, 0").toJSON()).toEqual({ dtype: "float32", shape: [2], values: [3, 1] });
    using one = Tensor.from(5);
    expect(one.toJSON()).toEqual({ dtype: "float32", shape: [], values: 5 });
    using empty = Tensor.zeros([2, 0]);
    expect([empty.toJSON().values, empty.flat().toJSON().values]).toEqual([[[], []], []]);
  });
  test("writes 64-bit integers and numbers that are not finite as strings, complex numbers as pairs, strings as text", () => {
    const cases: [Tensor, unknown][] = [
      [Tensor.from([2n ** 63n - 1n, -1n]), ["9223372036854775807", "-1"]],
      [Tensor.from([2n ** 64n - 1n], { dtype: "uint64" }), ["18446744073709551615"]],
      [Tensor.from([NaN, Infinity, -Infinity, 0.5]), ["NaN", "Infinity", "-Infinity", 0.5]],
      [Tensor.from([[1, NaN]], { dtype: "complex64", shape: [1] }), [[1, "NaN"]]],
      [Tensor.from([true, false]), [true, false]],
      [Tensor.from(["é", ""]), ["é", ""]],
      [Tensor.from([1.5], { dtype: "bfloat16" }), [1.5]],
    ];
    for (const [t, values] of cases) {
      expect((JSON.parse(JSON.stringify(t)) as { values: unknown }).values).toEqual(values);
      expect(t.flat().toJSON()).toEqual(t.toJSON());
      t.dispose();
    }
  });
  test("refuses more than a million elements, elements without a JSON form, and tensors without data", () => {
    const many = tensorMap("int8", Int8Array.of(7), [1]).strided().broadcast([1001, 1000]);
    const message: unknown = expect.stringContaining("1001000 elements are more than 1000000");
    expect(thrown(() => JSON.stringify(many))).toMatchObject({ code: "INVALID_ARGUMENT", message });
    using t = Tensor.zeros([1001, 1000], { dtype: "bool" });
    expect(thrown(() => JSON.stringify(t))).toMatchObject({ code: "INVALID_ARGUMENT", message });
    using variants = Tensor.zeros([1], { dtype: "variant" });
    expect(thrown(() => variants.toJSON())).toMatchObject({ code: "INVALID_ARGUMENT" });
    using bytes = Tensor.from([new Uint8Array([255])], { dtype: "string" });
    expect(thrown(() => bytes.toJSON())).toMatchObject({ code: "FAILED_PRECONDITION" });
    const gone = Tensor.from([1]);
    const map = gone.vec();
    gone.dispose();
    expect(thrown(() => gone.toJSON())).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(thrown(() => map.toJSON())).toMatchObject({ code: "FAILED_PRECONDITION" });
  });
});
