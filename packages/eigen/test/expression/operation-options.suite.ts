// Unknown options of operations are refused by name. The forms of before, in which options were arguments, compute the same and warn once.
import { expect, jest, test } from "@jest/globals";
import { evaluate, oneHot, statelessNormal, statelessUniform, tensorMap } from "@onebuffer/eigen";
import { refusal } from "@onebuffer/test-support";
import { setKernelHooks } from "@onebuffer/kernels/internal";

const map = tensorMap("float32", new Float32Array(4), [2, 2]);
const rows = tensorMap("int32", new Int32Array(2), [2]);

test.each<[string, () => unknown, string]>([
  ["matMul", () => map.matMul(map, { transposea: true } as object), 'matMul: unknown option "transposea", did you mean "transposeA"'],
  ["cumsum", () => map.cumsum(0, { exclude: true } as object), 'cumsum: unknown option "exclude", did you mean "exclusive"'],
  ["cumprod", () => map.cumprod(0, true as never), "cumprod: expected options such as { exclusive: … }, got true"],
  ["scatter", () => map.scatter(rows, map, 0, { reduce: "add" } as object), 'scatter: unknown option "reduce", did you mean "reduction"'],
  ["oneHot", () => oneHot(rows, 2, "int8", { of: 1 } as object), 'oneHot: unknown option "of"'],
  ["sort", () => map.sort(0, { descend: true } as object), 'sort: unknown option "descend", did you mean "descending"'],
  ["sort of a flag", () => map.sort(0, { descending: 1 as never }), "sort: descending must be true or false, got 1"],
  ["gelu", () => map.gelu({ approx: true } as object), 'gelu: unknown option "approx", did you mean "approximate"'],
  [
    "pad",
    () =>
      map.pad(
        [
          [0, 1],
          [0, 0],
        ],
        { constant: 1 } as object,
      ),
    'pad: unknown option "constant"',
  ],
  ["layerNorm", () => map.layerNorm({ gamma: 1 } as object), 'layerNorm: unknown option "gamma"'],
  ["layerNorm's epsilon", () => map.layerNorm({ epsilon: "1" as never }), 'layerNorm: epsilon must be a number, got "1"'],
  ["l2Normalize", () => map.l2Normalize(0, { eps: 1 } as object), 'l2Normalize: unknown option "eps", did you mean "epsilon"'],
  ["statelessNormal", () => statelessNormal("float32", [1], [1, 2], { std: 1 } as object), 'did you mean "stddev"'],
  ["statelessUniform", () => statelessUniform("float32", [1], [1, 2], { low: 1 } as object), 'did you mean "minval"'],
  ["setKernelHooks", () => setKernelHooks({ onFallBack: () => null } as object), 'did you mean "onFallback"'],
])("%s", (_, call, words) => {
  const error = refusal(call);
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", expect.stringContaining(words)]);
});

/** Programs that TypeScript does not check. */
type Any = ReturnType<typeof JSON.parse>;
const x: Any = tensorMap("float32", Float32Array.of(3, 1, 2, 4), [2, 2]);
const normal: Any = statelessNormal;
const uniform: Any = statelessUniform;

test.each<[string, () => Any, () => Any, string]>([
  ["sum", () => x.sum(0, true), () => x.sum(0, { keepDims: true }), "sum(axes, { keepDims: true })"],
  ["argmax", () => x.argmax(0, "int32"), () => x.argmax(0, { outputType: "int32" }), 'argmax(axis, { outputType: "int32" })'],
  ["sort", () => x.sort(true, 0), () => x.sort(0, { descending: true }), "sort(axis, { descending })"],
  ["argsort", () => x.argsort(true), () => x.argsort(-1, { descending: true }), "argsort(axis, { descending })"],
  ["gelu", () => x.gelu(true), () => x.gelu({ approximate: true }), "gelu({ approximate })"],
  ["l2Normalize", () => x.l2Normalize(0, 9), () => x.l2Normalize(0, { epsilon: 9 }), "l2Normalize(axes, { epsilon })"],
  [
    "pad",
    () =>
      x.pad(
        [
          [1, 0],
          [0, 1],
        ],
        "symmetric",
      ),
    () =>
      x.pad(
        [
          [1, 0],
          [0, 1],
        ],
        { mode: "symmetric" },
      ),
    "pad(paddings, { mode, value })",
  ],
  [
    "layerNorm",
    () => x.layerNorm(2, x, 1),
    () => x.layerNorm({ scale: 2, offset: x, epsilon: 1 }),
    "layerNorm({ scale, offset, epsilon })",
  ],
  [
    "statelessNormal",
    () => normal("float32", [3], [1, 2], 5, 2),
    () => normal("float32", [3], [1, 2], { mean: 5, stddev: 2 }),
    "{ mean, stddev }",
  ],
  [
    "statelessUniform",
    () => uniform("int32", [3], [1, 2], 5, 9),
    () => uniform("int32", [3], [1, 2], { minval: 5, maxval: 9 }),
    "{ minval, maxval }",
  ],
])("the old form of %s", (_, old, form, words) => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
  const results = [old(), old(), form()].map((each) => evaluate(each).toArray());
  expect([results[0], results[1]]).toEqual([results[2], results[2]]);
  expect(warn.mock.calls).toEqual([[expect.stringContaining("write ")]]);
  expect(warn.mock.calls[0]![0]).toContain(words);
  warn.mockRestore();
});
