// The gamma function has a pole at 0 and at each negative integer, which every float of a large absolute value is.
import { expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";

const poles: readonly number[] = [0, -1, -3, -(2 ** 53), -1e300, -3e305, -1.2e308, -Number.MAX_VALUE, -Infinity];

test("lgamma is Infinity at each pole, digamma NaN, in kernels and in the evaluator", () => {
  const x = tensorMap(
    "float64",
    Float64Array.from({ length: 288 }, (_, k) => poles[k % poles.length]!),
    [288],
  );
  const y = tensorMap("float64", new Float64Array(288), [288]);
  for (const [expression, value] of [
    [x.lgamma(), Infinity],
    [x.digamma(), Number.NaN],
  ] as const) {
    for (const compute of [() => y.assign(expression), () => assignByReference(y, expression)]) {
      compute();
      expect(new Set(y.data)).toEqual(new Set([value]));
    }
  }
});
