// Unknown options of operations are refused by name.
import { expect, test } from "@jest/globals";
import { oneHot, tensorMap } from "@onebuffer/eigen";
import { setKernelHooks } from "@onebuffer/compiler/internal";
import { refusal } from "@onebuffer/test-support";

const map = tensorMap("float32", new Float32Array(4), [2, 2]);
const rows = tensorMap("int32", new Int32Array(2), [2]);

test.each<[string, () => unknown, string]>([
  ["matMul", () => map.matMul(map, { transposea: true } as object), 'matMul: unknown option "transposea", did you mean "transposeA"'],
  ["cumsum", () => map.cumsum(0, { exclude: true } as object), 'cumsum: unknown option "exclude", did you mean "exclusive"'],
  ["cumprod", () => map.cumprod(0, true as never), "cumprod: expected options such as { exclusive: … }, got true"],
  ["scatter", () => map.scatter(rows, map, 0, { reduce: "add" } as object), 'scatter: unknown option "reduce", did you mean "reduction"'],
  ["oneHot", () => oneHot(rows, 2, "int8", { of: 1 } as object), 'oneHot: unknown option "of"'],
  ["setKernelHooks", () => setKernelHooks({ onFallBack: () => null } as object), 'did you mean "onFallback"'],
])("%s", (_, call, words) => {
  const error = refusal(call);
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", expect.stringContaining(words)]);
});
