// The shaders of expressions: one text for all sizes, strides and constants; what the text must have against what compilers may change.
import { describe, expect, test } from "@jest/globals";
import { bincount, concatenate, iota, statelessUniform, tensorMap } from "@onebuffer/eigen";
import type { DType, RawDType } from "@onebuffer/base";
import type { OperandLike, TensorMap } from "@onebuffer/eigen";
import { typedArrayConstructor } from "@onebuffer/base";
import type { GpuExplanation, WebGpuDevice } from "@onebuffer/webgpu";
import { markedCumsum, scaledCumsum } from "@onebuffer/expression/internal";
import { isLong } from "@onebuffer/test-support";
import { fakeDevice } from "./fake-device.ts";

const map = <D extends RawDType, const S extends readonly number[]>(dtype: D, sizes: S): TensorMap<D, S["length"]> => {
  const slots = sizes.reduce((product, size) => product * size, dtype.startsWith("complex") ? 2 : 1);
  return tensorMap(dtype, new (typedArrayConstructor(dtype) as never as new (n: number) => never)(slots), sizes) as never;
};
const explained = async (expression: (device: WebGpuDevice) => OperandLike<DType, number>): Promise<GpuExplanation> => {
  const { device } = await fakeDevice();
  return device.explain(expression(device));
};
const codes = async (expression: OperandLike<DType, number>): Promise<readonly string[]> =>
  (await explained(() => expression)).steps.map(({ wgsl }) => wgsl);

describe("the text of a shader", () => {
  test("is the same for other sizes and constants", async () => {
    const of = (sizes: readonly [number, number], constant: number): Promise<readonly string[]> => {
      const a = map("float32", sizes);
      return codes(a.mul(constant).add(a.max([1], { keepDims: true })) as never);
    };
    expect(await of([40, 50], 2)).toEqual(await of([7, 1000], -0.5));
  });

  test("is another one for another operation, another layout of loops and other forms of rows", async () => {
    const a = map("float32", [64, 64]);
    const texts = await Promise.all(
      [a.mul(2), a.add(2), a.transpose().add(2), a.sum([1]), map("float32", [64, 8]).sum([1])].map((e) => codes(e as never)),
    );
    expect(new Set(texts.map(String)).size).toBe(5);
  });

  test("keeps sums apart, tests NaN on bits, and has no infinite literal", async () => {
    const [text] = await codes(map("float32", [8]).exp());
    expect(text).toContain("keep(");
    expect(text).not.toMatch(/(\w+) != \1\b/);
    const [largest] = await codes(map("float32", [8, 100]).max([1]));
    expect(largest).toContain("bitcast<f32>(4286578688u | zero)");
  });

  test("has a short body once for each word of an invocation, without its code for rare values, and whole in a loop", async () => {
    const a = map("float32", [5000]);
    const stores = (text: string): number => text.split("] = ").length - 1;
    const [plain] = await codes(a.square());
    expect(stores(plain!)).toBe(5);
    expect(plain).not.toContain("rare");
    const [exp] = await codes(a.exp());
    expect(stores(exp!)).toBe(5);
    expect(exp!.split("rare = rare | c").length - 1).toBe(4);
    expect(exp).toMatch(/\} else \{\s+rare = true;\s+\}\s+if \(rare\) \{\s+for /);
    expect(exp!.split("if (c").length - 1).toBe(1);
  });

  test("has a long body in the loop alone", async () => {
    const a = map("float32", [5000]);
    const [text] = await codes(a.exp().add(a.exp2()).add(a.expm1()).add(a.tanh()).add(a.erf()));
    expect(text!.split("] = ").length - 1).toBe(1);
    expect(text).not.toContain("rare");
  });

  test("has functions of pairs of floats where kernels compute in float64, and those that they call", async () => {
    const a = map("float32", [8]);
    const [text] = await codes(a.sin().pow(a.rsqrt()).mod(a));
    for (const name of ["f_sin", "f_pow", "f_rsqrt", "f_mod", "f_rem", "reduce_angle", "two_product"])
      expect(text).toContain(`fn ${name}(`);
    expect(text).not.toContain("fn f_tan(");
  });

  test.each([
    ["bool", "4", "select(0u, 1u"],
    ["uint8", "4", "& 255u"],
    ["float16", "2", "float_to_half("],
    ["bfloat16", "2", "float_to_bfloat16("],
  ] as const)("stores elements of %s by words of %s", async (dtype, perWord, bits) => {
    const [text] = await codes(map("float32", [9]).cast(dtype));
    expect(text).toContain(`e < ${perWord};`);
    expect(text).toContain(bits);
  });

  test("adds small elements of rows to words that were cleared", async () => {
    const { steps } = await explained(() => map("float16", [5, 100]).max([1]));
    expect(steps.map(({ form }) => form)).toEqual(["clear", "rows"]);
    expect(steps[1]!.wgsl).toContain("atomicOr(&b0");
  });

  test("marks a division of integers by 0 in a word that was cleared", async () => {
    const a = map("int32", [5]);
    const { steps } = await explained(() => a.div(a));
    expect(steps.map(({ form }) => form)).toEqual(["clear", "map"]);
    expect(steps[1]!.wgsl).toMatch(/if \(\w+ == i32\(0\)\) \{ atomicOr/);
  });
});

describe("integers of other widths than a word", () => {
  test.each([
    ["int8", /let (v\d+) = v\d+ \* v\d+;\s+let v\d+ = extractBits\(\1, 0u, 8u\);/],
    ["uint16", /let (v\d+) = .* \* .*;\s+let v\d+ = \(bitcast<u32>\(\1\) & 65535u\);/],
  ] as const)("of %s are computed as words, whose lowest bits are kept", async (dtype, kept) => {
    const a = map(dtype, [9]);
    expect((await codes(a.mul(a).less(3)))[0]).toMatch(kept);
  });

  test("a product of matrices of any size has a form", async () => {
    const forms = async (m: number, n: number): Promise<readonly string[]> =>
      (await explained(() => map("int8", [m, 20]).matMul(map("int8", [20, n])))).steps.map(({ form }) => form);
    expect(await forms(1, 30)).toEqual(["clear", "lines"]);
    expect(await forms(30, 30)).toEqual(["clear", "product"]);
  });

  test("of 64 bits are pairs of words", async () => {
    const a = map("int64", [5, 40]);
    const [text] = await codes(a.add(1n).sum([1]));
    expect(text).toContain("fn l_add(");
    expect(text).toContain("vec2<u32>");
    expect((await codes(map("uint64", [5]).less(7n)))[0]).toContain("l_less_u(");
  });

  test("equal and notEqual of bool are those of conditions", async () => {
    const a = map("bool", [5]);
    expect((await codes(a.equal(a.logicalNot())))[0]).toMatch(/= c\d+ == c\d+;/);
  });
});

describe("long rows", () => {
  const formsOf = async (expression: OperandLike<DType, number>): Promise<readonly string[]> =>
    (await explained(() => expression)).steps.map(({ form }) => form);

  test("of more than 32,768 elements are computed in blocks if they are at most 64", async () => {
    expect(await formsOf(map("float32", [2, 32768]).sum([1]))).toEqual(["rows"]);
    expect(await formsOf(map("float32", [2, 32769]).sum([1]))).toEqual(["blocks", "joins", "lines"]);
    expect(await formsOf(map("int8", [64, 32769]).max([1]))).toEqual(["clear", "blocks", "joins", "lines"]);
    expect(await formsOf(map("int8", [65, 32769]).max([1]))).toEqual(["clear", "rows"]);
    expect(await formsOf(map("float32", [3, 40000]).softmax())).toEqual(["blocks", "joins", "blocks", "joins", "rows"]);
  });

  test("have blocks of 16,384 elements, and one text for all lengths", async () => {
    const of = (rows: number, columns: number): Promise<GpuExplanation> => explained(() => map("float32", [rows, columns]).mean([1]));
    const [long, longer] = await Promise.all([of(2, 32769), of(3, 90000)]);
    expect(long.steps[0]!.workgroups[0]).toBe(2 * 3);
    expect(longer.steps[0]!.workgroups[0]).toBe(3 * 6);
    expect(long.steps.map(({ wgsl }) => wgsl)).toEqual(longer.steps.map(({ wgsl }) => wgsl));
  });

  test("bind at most eight buffers", async () => {
    const maps = Array.from({ length: 7 }, () => map("float32", [40000]));
    const sum = maps.map((each) => each.neg()).reduce((a, b) => a.add(b));
    const { steps } = await explained(() => sum.sub(sum.mean()));
    expect(Math.max(...steps.map(({ buffers }) => buffers.length))).toBeLessThanOrEqual(8);
  });
});

describe("operations on whole arrays", () => {
  test("a gather marks indices out of range, and has one text for all sizes", async () => {
    const of = (rows: number, count: number): Promise<readonly string[]> =>
      codes(map("float32", [rows, 3]).gather(map("int32", [count])) as never);
    const texts = await of(5, 4);
    expect(texts[1]).toContain("atomicOr(&b3[0], 1u)");
    expect(await of(70, 9)).toEqual(texts);
  });

  test("a scan is one dispatch for lines of up to 1,024 elements, and three for longer ones", async () => {
    const forms = async (count: number): Promise<readonly string[]> =>
      (await explained(() => map("float32", [count]).cumsum())).steps.map(({ form }) => form);
    expect(await forms(1024)).toEqual(["scan"]);
    expect(await forms(1025)).toEqual(["scan", "scan starts", "scan"]);
    expect((await codes(map("float32", [9]).cumprod()))[0]).toMatch(/select\(keep\((s\d+)\.x \+ \1l\), \1\.x, \1l == 0\.0f\)/);
    const [totals, starts] = (await explained(() => map("float32", [2, 1030]).cumsum(1))).steps;
    expect([totals!.buffers.length, starts!.buffers]).toEqual([2, [2 * 5 * 2 * 4]]);
  });
});

describe("scans of three operands", () => {
  test("are one dispatch; a result in float16 is added to words that were cleared", async () => {
    const forms = async (dtype: "float32" | "float16"): Promise<readonly string[]> => {
      const a = map(dtype, [5, 30]) as never;
      return (await explained(() => scaledCumsum(a, a, a, 1, {}) as never)).steps.map(({ form }) => form);
    };
    expect(await forms("float32")).toEqual(["scan"]);
    expect(await forms("float16")).toEqual(["clear", "scan"]);
  });

  test("bind one operand once, and test factors of 0 on their bits", async () => {
    const [a, x] = [map("float32", [5]) as never, map("float32", [5]) as never];
    const { steps } = await explained(() => markedCumsum(a, x, x, 0, {}) as never);
    expect(steps[0]!.buffers.length).toBe(3);
    expect((await explained(() => scaledCumsum(a, x, x, 0, {}) as never)).steps[0]!.wgsl).toContain("& 0x7fffffffu) == 0u");
  });
});

describe("orders, scatters and random numbers", () => {
  const formsOf = async (expression: OperandLike<DType, number>): Promise<readonly string[]> =>
    (await explained(() => expression)).steps.map(({ form }) => form);

  test("blocks of 1,024 elements are sorted in one dispatch; exchanges across blocks are dispatches of the same text", async () => {
    expect(await formsOf(map("float32", [2, 1024]).sort())).toEqual(["sort keys", "sort", "pick"]);
    expect(await formsOf(map("float32", [1025]).sort())).toEqual(["sort keys", "sort", "exchange", "sort", "pick"]);
    const steps = (await explained(() => map("float32", [5000]).sort())).steps;
    expect(new Set(steps.filter(({ form }) => form === "exchange").map(({ wgsl }) => wgsl)).size).toBe(1);
    expect(new Set(steps.filter(({ form }) => form === "sort").map(({ wgsl }) => wgsl)).size).toBe(1);
  });

  test("a scatter sorts its rows, whatever it does with equal ones", async () => {
    const [a, indices, updates] = [map("float32", [5]), map("int32", [9]), map("float32", [9])];
    for (const reduction of ["update", "add", "min"] as const)
      expect(await formsOf(a.scatter(indices, updates, 0, { reduction }))).toEqual(["clear", "scatter rows", "sort", "scatter"]);
  });

  test("indices that are too large are no errors where they are skipped, negative ones are", async () => {
    const [text] = (await codes(bincount(map("int32", [9]), 5) as never)).filter((each) => each.includes("atomicOr"));
    expect(text).toMatch(/if \(!c\d+ && !\(!\(\([^;]* & 0x80000000u\) != 0u\)\)\) \{ atomicOr/);
  });

  test("updates of float16 are rounded once, when all are combined", async () => {
    const a = map("float16", [5]);
    const [text] = (await codes(a.scatter(map("int32", [9]), map("float16", [9]), 0, { reduction: "add" }))).slice(-1);
    expect(text).toContain("float_to_half(");
    expect(text).not.toContain("half_to_float(float_to_half(");
  });

  test("the one number of a ramp over an axis of one element is none that compilers know", async () => {
    const [text] = await codes(map("float32", [1, 5]).mul(iota("float32", [1, 5], 0)));
    expect(text).toMatch(/= f32\(v\d+ \| bitcast<i32>\(zero\)\);/);
  });

  test("random numbers of other seeds and ranges have the same text", async () => {
    const uniform = (seed: number, maxval: number): Promise<readonly string[]> =>
      codes(statelessUniform("int32", [20], [seed, 2], { minval: 0, maxval }) as never);
    expect(await uniform(1, 10)).toEqual(await uniform(7, 1000));
    expect((await uniform(1, 10))[0]).toContain("fn philox(");
  });
});

describe("the commands of an expression", () => {
  test("a softmax keeps its powers where the result will be; a result of other bytes does not", async () => {
    const [text] = await codes(map("float32", [16, 128]).softmax());
    expect(text!.split("* 0xb8aa3bp-23f").length - 1).toBe(1);
    expect(text).toMatch(/let (v\d+) = b0\[(v\d+)\];\s+let (v\d+) = bitcast<f32>\(\1\) \* v\d+;\s+b0\[\2\] = bitcast<u32>\(\3\);/);
    const [half] = (await explained(() => map("float16", [16, 128]).softmax())).steps.filter(({ wgsl }) => wgsl !== "");
    expect(half!.wgsl.split("* 0xb8aa3bp-23f").length - 1).toBe(2);
  });

  test("softmax is one dispatch of rows; a node that is read moved and unmoved is stored once", async () => {
    const a = map("float32", [16, 128]);
    expect((await explained(() => a.softmax())).steps.map(({ form }) => form)).toEqual(["rows"]);
    const b = map("float32", [128, 128]);
    const e = b.exp().log().tanh();
    const { steps, scratchBytes } = await explained(() => e.add(e.transpose()));
    expect(steps.map(({ form }) => form)).toEqual(["map", "map"]);
    expect(scratchBytes).toBe(128 * 128 * 4);
  });

  test("a concatenation computes each operand at its place; reductions are stored first", async () => {
    const [a, b] = [map("float32", [4, 6]), map("float32", [4, 3])];
    const steps = (await explained(() => concatenate([a.mul(2), b, a.sum([1], { keepDims: true })], 1))).steps;
    expect(steps.map(({ form, buffers }) => [form, buffers[0]])).toEqual([
      ["lines", 16],
      ["map", 160],
      ["map", 160],
      ["map", 160],
    ]);
  });

  test("more operands than buffers that can be bound are copied side by side", async () => {
    const maps = Array.from({ length: 12 }, (_, k) => map("float32", [2 + k]));
    const sum = maps.map((each) => each.slice([1, 2])).reduce((a, b) => a.add(b) as never);
    const { steps } = await explained(() => sum);
    expect(steps.map(({ form }) => form)).toEqual([...Array(6).fill("copy"), "map"]);
    expect(steps.at(-1)!.buffers.length).toBe(8);
  });

  test("a product is one dispatch with what follows element by element; another user makes it a stage", async () => {
    const [a, b] = [map("float32", [20, 30]), map("float32", [30, 20])];
    const forms = async (e: OperandLike<DType, number>): Promise<readonly string[]> =>
      (await explained(() => e)).steps.map(({ form }) => form);
    expect(
      await forms(
        a
          .matMul(b)
          .add(map("float32", [20]))
          .maximum(0),
      ),
    ).toEqual(["product"]);
    const product = a.matMul(b);
    expect(await forms(product.add(product.transpose()))).toEqual(["product", "map"]);
    expect(await forms(map("float32", [3, 30]).matMul(b))).not.toContain("product");
  });

  test("a product's shader is the same for other sizes, and another one for an operand that lies otherwise", async () => {
    const of = (m: number, k: number, n: number): Promise<readonly string[]> =>
      codes(map("float32", [m, k]).matMul(map("float32", [k, n])) as never);
    expect(await of(20, 30, 40)).toEqual(await of(33, 17, 9));
    expect(
      await codes(
        map("float32", [30, 20])
          .transpose()
          .matMul(map("float32", [30, 40])) as never,
      ),
    ).not.toEqual(await of(20, 30, 40));
  });

  test("a chain of thousands of stages is planned without recursion", async () => {
    let e = map("float32", [2, 2]).add(1);
    // A stage with exp has a long shader.
    for (let k = 0; k < 300; k++) e = (isLong ? e.exp() : e.neg()).sum([0], { keepDims: true }).add(e) as never;
    expect((await explained(() => e)).steps.length).toBeGreaterThan(100);
  });

  test("explain shows forms, workgroups and, if asked, shaders", async () => {
    const explanation = await explained(() => map("float32", [10]).add(1));
    expect(String(explanation)).toBe("map  add(x0, 1)  x0: float32[10], 1 workgroups, buffers of 40, 40 bytes");
    expect(explanation.toString({ wgsl: true })).toContain("@compute");
  });
});
