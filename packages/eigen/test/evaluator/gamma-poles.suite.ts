// The gamma function has a pole at 0 and at each negative integer, which every float of a large absolute value is.
import { expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { polygamma } from "@onebuffer/expression/src/scalars/gamma";

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

test("polygamma of high orders, and of orders and arguments to which 1 cannot be added", () => {
  // The first five as mpmath gives them with 500 digits.
  const cases: readonly (readonly [n: number, x: number, value: number])[] = [
    [104, 0.2, -2.538903647644341e239],
    [256, 70.05672617815435, -4.6166518686399963e32],
    [269, 12.36777778063138, 2.9750651574074885e243],
    [746, 151, -1.6686235264476984e193],
    [2, -0.5001076430864683, -0.8496158190676746],
    [5.319372648326541e255, 1e22, Infinity],
    [1, 1e307, 1e-307],
    [1, 1.7e308, 1 / 1.7e308],
    [3, Number.MAX_VALUE, 0],
  ];
  const column = (k: 0 | 1) =>
    tensorMap(
      "float64",
      Float64Array.from(cases, (row) => row[k]),
      [cases.length],
    );
  const y = tensorMap("float64", new Float64Array(cases.length), [cases.length]);
  const expression = column(0).polygamma(column(1));
  for (const compute of [() => y.assign(expression), () => assignByReference(y, expression)]) {
    compute();
    cases.forEach(([n, x, value], k) => {
      const units = y.data[k] === value ? 0 : Math.abs(y.data[k]! / value - 1) / 2 ** -53;
      // Near the middle between two poles, where the derivative is 0, most digits cancel.
      expect([n, x, units < (n === 2 ? 2000 : 80)]).toEqual([n, x, true]);
    });
  }
});

test("polygamma of orders whose factorial is a number, and of larger ones", () => {
  for (const n of [150, 170, 171, 172, 200]) {
    for (const x of [60, 75.5, 100]) {
      // n! / x^(n + 1), times the sum of (x / (x + k))^(n + 1).
      let scale = 1 / x;
      for (let k = 1; k <= n; k++) scale *= k / x;
      let sum = 0;
      for (let k = 0; k < 200; k++) sum += (x / (x + k)) ** (n + 1);
      const wanted = (n % 2 === 0 ? -1 : 1) * scale * sum;
      expect(Math.abs(polygamma(n, x) / wanted - 1)).toBeLessThan(1e-12);
    }
  }
});
