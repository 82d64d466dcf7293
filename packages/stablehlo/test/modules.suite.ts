/** The tests of the text of modules. What the text computes is checked by JAX: `npm run interop -- --xla`. */
import { expect, test } from "@jest/globals";
import { constant, extractPatches, iota, opNames, opTable, select, statelessUniform, tensorMap } from "@onebuffer/eigen";
import { toStableHLO } from "@onebuffer/stablehlo";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

const vector = (count = 3) => tensorMap("float32", new Float32Array(count), [count]);
const integers = () => tensorMap("int32", new Int32Array(4), [4]);
/** The lines of the body of `main`, without locations. */
const bodyOf = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("    "))
    .map((line) => line.trim().replace(/ loc\("[^"]*"\)$/, ""));

test("a module has an argument per leaf and a result per expression", () => {
  const x = vector();
  const { text } = toStableHLO([x.mul(x)], { leaves: () => ({ name: "x" }), name: "a square" });
  expect(text.split("\n")).toEqual([
    "module @a_square {",
    '  func.func public @main(%x: tensor<3xf32> loc("x")) -> (tensor<3xf32>) {',
    '    %multiply.0 = stablehlo.multiply %x, %x : tensor<3xf32> loc("mul#1")',
    "    return %multiply.0 : tensor<3xf32>",
    "  }",
    "}",
    "",
  ]);
});

test("leaves are in the order of the arguments, each map once", () => {
  const [x, y] = [vector(), vector()];
  const { leaves, text } = toStableHLO([x.add(y).mul(x)]);
  expect(leaves.map(({ operand }) => operand)).toEqual([x, y]);
  expect(leaves[0]?.operand).toBe(x);
  expect(leaves.map(({ name, type }) => `${name} ${type}`)).toEqual(["arg0 tensor<3xf32>", "arg1 tensor<3xf32>"]);
  expect(text.includes("@main(%arg0: tensor<3xf32>")).toBe(true);
});

test("no leaves: the module has no arguments", () => {
  expect(toStableHLO([constant("int32", 7, [2])]).leaves).toEqual([]);
  expect(bodyOf(toStableHLO([constant("int32", 7, [2])]).text)).toEqual([
    "%c.0 = stablehlo.constant dense<7> : tensor<2xi32>",
    "return %c.0 : tensor<2xi32>",
  ]);
});

test("common subexpressions are written once, unused operations not at all", () => {
  const x = vector();
  const { text } = toStableHLO([x.exp().add(x.exp()), x.exp()]);
  expect(text.match(/stablehlo\.exponential/g)?.length).toBe(1);
  // The scalar constant is only written with the sizes of the operation.
  expect(toStableHLO([integers().add(5)]).text.match(/stablehlo\.constant/g)?.length).toBe(1);
});

test("every name is defined before it is used, and once", () => {
  const x = integers();
  const { text } = toStableHLO([x.pow(3).cumsum().sort().cast("float16").exp().cast("int8"), x.argmax(0)], { checks: true });
  const defined = new Set<string>();
  for (const line of text.split("\n")) {
    const [, left] = /^\s*(%[\w.]+)(?::\d+)? = /.exec(line) ?? [];
    const right = left === undefined ? line : line.slice(line.indexOf("=") + 1);
    const used = line.includes("^bb0") || line.includes("func.func") ? [] : (right.match(/%[\w.]+/g) ?? []);
    expect(used.filter((name) => !defined.has(name))).toEqual([]);
    if (left !== undefined && !left.startsWith("%r")) expect(defined.has(left)).toBe(false);
    for (const name of line.match(/%[\w.]+/g) ?? []) defined.add(name);
  }
});

test("names of leaves become identifiers, and distinct", () => {
  const [x, y] = [vector(), vector()];
  const { leaves } = toStableHLO([x.add(y)], { leaves: () => ({ name: "layer/1:w" }) });
  expect(leaves.map(({ name }) => name)).toEqual(["layer_1_w", "layer_1_w_"]);
  expect(toStableHLO([x], { leaves: () => ({ name: "3" }) }).leaves[0]?.name).toBe("_3");
});

test("locations are left out if asked", () => {
  expect(toStableHLO([vector().neg()], { locations: false }).text.includes("loc(")).toBe(false);
});

test("elements of constants are written exactly", () => {
  const written = (dtype: "float32" | "float64", value: number): string => bodyOf(toStableHLO([constant(dtype, value)]).text)[0] ?? "";
  expect(written("float32", 0.1)).toBe("%c.0 = stablehlo.constant dense<0.10000000149011612> : tensor<f32>");
  expect(written("float64", 1e300)).toBe("%c.0 = stablehlo.constant dense<1.0e+300> : tensor<f64>");
  expect(written("float64", 5e-324)).toBe("%c.0 = stablehlo.constant dense<5.0e-324> : tensor<f64>");
  expect(written("float32", -0)).toBe("%c.0 = stablehlo.constant dense<-0.0> : tensor<f32>");
  expect(written("float32", NaN)).toBe("%c.0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>");
  expect(written("float64", -Infinity)).toBe("%c.0 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>");
  expect(bodyOf(toStableHLO([constant("complex64", [1, -2.5])]).text)[0]).toBe(
    "%c.0 = stablehlo.constant dense<(1.0, -2.5)> : tensor<complex<f32>>",
  );
  expect(bodyOf(toStableHLO([constant("uint64", 2n ** 64n - 1n)]).text)[0]).toBe(
    "%c.0 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>",
  );
});

test("float16 is computed in f32, rounded when stored and before a cast", () => {
  const x = tensorMap("float16", new Uint16Array(2), [2]);
  const body = bodyOf(toStableHLO([x.add(x).cast("float32")]).text);
  expect(body[0]).toBe("%convert.0 = stablehlo.convert %arg0 : (tensor<2xf16>) -> tensor<2xf32>");
  // A conversion to f16 and back alone is dropped by compilers.
  expect(body.some((line) => line.includes("reduce_precision") && line.includes("format = e5m10 : tensor<2xf16>"))).toBe(true);
  expect(bodyOf(toStableHLO([x.cast("float32")]).text).some((line) => line.includes("e5m10"))).toBe(false);
});

test("signed products are unsigned: compilers take a signed square for not negative", () => {
  const x = integers();
  for (const e of [x.square(), x.mul(x), x.squaredDifference(1), x.prod(), x.cumprod(), x.pow(2)])
    expect(toStableHLO([e]).text).not.toMatch(/stablehlo\.multiply [^:]*: tensor<[\dx]*i32>/);
  expect(toStableHLO([x.abs()]).text).not.toContain("stablehlo.abs");
});

test("what compilers could rewrite is rounded or hidden", () => {
  const x = vector();
  // A division by a broadcast divisor would become a product with its reciprocal.
  expect(toStableHLO([x.div(3)]).text).toContain("optimization_barrier");
  expect(toStableHLO([x.div(vector())]).text).not.toContain("optimization_barrier");
  // An addend of 0 would be dropped, and the sign of -0 would stay.
  expect(toStableHLO([x.add(0)]).text).toContain("stablehlo.select");
  const y = vector();
  const pairs = [x.exp().log(), x.exp().mul(y.exp()), x.div(y).div(x), x.add(2).add(3), x.mul(2).mul(3), x.sqrt().mul(x.sqrt())];
  for (const e of [...pairs, x.exp().reverse().log()])
    expect(toStableHLO([e]).text).toMatch(/stablehlo\.reduce_precision %\w+\.\d+, format = e8m23/);
  // Other operations are not held: it takes time.
  for (const e of [x.mul(y).add(x), x.sub(y).exp(), x.exp().sum()]) expect(toStableHLO([e]).text).not.toContain("e8m23");
});

test("random numbers: Philox with the key and the counter of the node", () => {
  const { text } = toStableHLO([statelessUniform("float32", [5], [1, 2])]);
  expect(text).toContain("rng_algorithm = #stablehlo<rng_algorithm PHILOX>");
  expect(text).toContain("(tensor<3xui64>, tensor<8xui32>)");
});

test("the mesh and the shardings of leaves and results are written for Shardy", () => {
  const x = tensorMap("float32", new Float32Array(32), [8, 4]);
  const { text, leaves, results } = toStableHLO([x.neg()], {
    mesh: { rows: 4, columns: 2 },
    leaves: () => ({ sharding: ["rows", "columns"] }),
    results: [{ name: "y", sharding: [["rows", "columns"]] }],
  });
  expect(text).toContain("module @main attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {");
  expect(text).toContain('sdy.mesh @mesh = <["rows"=4, "columns"=2]>');
  expect(text).toContain('%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"rows"}, {"columns"}]>}');
  expect(text).toContain('-> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"rows", "columns"}, {}]>})');
  // Annotations of the older form are dropped without a message.
  expect(text).not.toContain("mhlo.sharding");
  expect([leaves[0]?.sharding, results[0]?.sharding]).toEqual([["rows", "columns"], [["rows", "columns"]]]);
});

test("checks: the errors that elements can cause become results", () => {
  const [x, y] = [integers(), integers()];
  const checksOf = (e: ReturnType<typeof x.div>): readonly string[] => toStableHLO([e], { checks: true }).checks;
  expect(checksOf(x.div(y))).toEqual(["divisionByZero"]);
  expect(checksOf(x.div(3))).toEqual([]);
  expect(checksOf(x.pow(y).add(x.mod(y)))).toEqual(["negativePower", "divisionByZero"]);
  expect(checksOf(x.gather(y))).toEqual(["indexOutOfRange"]);
  expect(checksOf(x.div(y).reverse().slice([0, 2]) as never)).toEqual(["divisionByZero"]);
  expect(checksOf(x.div(y).sum() as never)).toEqual(["divisionByZero"]);
  expect(toStableHLO([x.div(y)]).checks).toEqual([]);
  const { text } = toStableHLO([select(y.equal(0), 0, x.div(y))], { checks: true });
  expect(text).toMatch(/-> \(tensor<4xi32>, tensor<i1>\)/);
  expect(text).toContain("stablehlo.not");
});

test.each([31, 32, 33])("patches of %d elements are slices, or gathered if they are more than 32", (size) => {
  const patches = extractPatches(tensorMap("float32", new Float32Array(40), [40]), [size], { axes: [0] });
  const { text } = toStableHLO([patches as never]);
  const times = (op: string): number => bodyOf(text).filter((line) => new RegExp(`= "?stablehlo\\.${op}`).test(line)).length;
  expect([size, times("slice"), times("gather")]).toEqual(size <= 32 ? [size, size, 0] : [size, 0, 1]);
});

test("a deep tree needs no call stack", () => {
  const kDepth = isLong ? 5000 : 1500;
  let deep = vector().add(1);
  for (let k = 0; k < kDepth; k++) deep = deep.add(1);
  expect(toStableHLO([deep]).text.length).toBeGreaterThan(100 * kDepth);
});

test("every operation of the op table has a lowering, or is UNIMPLEMENTED by its name", () => {
  expect(opNames("generator").length + opNames("random").length).toBe(6);
  expect(toStableHLO([iota("float32", [3])]).text).toContain("stablehlo.iota");
  expect(opTable.erf.dtypes.length).toBe(4);
});
