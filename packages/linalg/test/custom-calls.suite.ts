// Nodes that carry the record of their operation: everything that computes, describes or differentiates expressions goes by the record.
import { beforeEach, expect, test } from "@jest/globals";
import { InvalidArgumentError } from "@onebuffer/base";
import { evaluateInto } from "@onebuffer/evaluator/internal";
import { assignTogether, evaluate, tensorMap } from "@onebuffer/eigen";
import { checkTree, joined, made, makeCustomCall, partAlong, sizesOf, sliceFields } from "@onebuffer/expression/internal";
import type { CustomRecord } from "@onebuffer/expression/internal";
import { treeOf } from "@onebuffer/expression";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { explain, leafPlaces } from "@onebuffer/compiler/internal";
import { Tensor } from "@onebuffer/core";
import { gradients } from "@onebuffer/gradients";
import { linearMemory } from "@onebuffer/wasm";
import { toStableHLO } from "@onebuffer/stablehlo";

/** How often the record's functions were called. */
const calls = { evaluate: 0, kernel: 0, run: 0 };
beforeEach(() => {
  calls.evaluate = calls.kernel = calls.run = 0;
});

/** The record of `scale` times the sum and the difference of two elements: two results in one tensor. A negative first element is refused. */
function recordNamed(name: string, factor: number): CustomRecord<{ readonly scale: number }> {
  const resultsOf = (x: number, y: number, scale: number): [number, number] => {
    if (x < 0) throw new InvalidArgumentError(`${name}: element 0 is ${x}`);
    return [factor * scale * (x + y), factor * scale * (x - y)];
  };
  return {
    name,
    dtypes: ["float64"],
    tensorflow: null,
    numpy: null,
    infer([x]) {
      if (sizesOf(x!).join() !== "2") throw new InvalidArgumentError(`${name}: two elements, not ${sizesOf(x!)}`);
      return { dtype: x!.dtype, dimensions: [2] };
    },
    flops: () => 4,
    evaluate({ attributes: { scale } }, [read], write) {
      calls.evaluate++;
      resultsOf(read!(0) as number, read!(1) as number, scale).forEach((value, i) => write(i, value));
    },
    kernel({ attributes: { scale } }) {
      calls.kernel++;
      return (target, [from]) => {
        calls.run++;
        const memory = (address: number): Float64Array => new Float64Array(linearMemory().buffer, address, 2);
        const [x, y] = memory(from!);
        memory(target).set(resultsOf(x!, y!, scale));
        return true;
      };
    },
    gradient({ g, attributes: { scale } }) {
      const [sum, difference] = [partAlong(g, 0, 0, 1), partAlong(g, 0, 1, 2)];
      return [joined([sum.add(difference), sum.sub(difference)], 0).mul(factor * scale)];
    },
    stableHLO: ({ dtype }, [x], b) =>
      b.operation("stablehlo.custom_call", [x!], `call_target_name = "${name}"`, [{ dtype, dimensions: [2] }])[0]!,
  };
}

const once = recordNamed("sumAndDifference", 1);
const tenfold = recordNamed("sumAndDifference", 10);

function sumAndDifference(
  x: OperandLike<"float64", 1>,
  scale = 1,
  record = once,
): { sum: Expression<"float64", 1>; difference: Expression<"float64", 1> } {
  const both = makeCustomCall(record, [checkTree("sumAndDifference", x)], { scale });
  const part = (k: number): Expression<"float64", 1> => made(sliceFields(both, [[k, k + 1]])) as unknown as Expression<"float64", 1>;
  return { sum: part(0), difference: part(1) };
}

test("kernel and evaluator compute it, of maps and of computed operands", () => {
  using x = Tensor.from([5, 3], { dtype: "float64" });
  const map = x.vec() as never as OperandLike<"float64", 1>;
  const { sum } = sumAndDifference(map, 2);
  expect(evaluate(sum).toArray()).toEqual([16]);
  expect([calls.run > 0, calls.evaluate]).toEqual([true, 0]);
  const out = tensorMap("float64", new Float64Array(1), [1]);
  evaluateInto(leafPlaces(treeOf(out)), treeOf(sum));
  expect([out.at(0), calls.evaluate]).toEqual([16, 1]);
  const twice = sumAndDifference(x.vec().add(1) as never);
  expect(evaluate(twice.difference.add(twice.sum)).toArray()).toEqual([12]);
});

test("several results are computed once", () => {
  using x = Tensor.from([5, 3], { dtype: "float64" });
  using target = Tensor.zeros([3], { dtype: "float64" });
  const out = target.vec() as never as { chip(k: number): never } & ReturnType<typeof tensorMap<"float64", [number]>>;
  const { sum, difference } = sumAndDifference(x.vec() as never);
  using a = Tensor.zeros([1], { dtype: "float64" });
  using b = Tensor.zeros([1], { dtype: "float64" });
  assignTogether([
    [a, sum],
    [b, difference],
  ] as never);
  expect([a.toArray(), b.toArray(), calls.run]).toEqual([[8], [2], 1]);
  out.assign(sum.mul(difference));
  expect([target.toArray(), calls.run]).toEqual([[16, 16, 16], 2]);
});

test("plans are kept by the record, its attributes and the sizes", () => {
  using x = Tensor.from([5, 3], { dtype: "float64" });
  using y = Tensor.from([7, 1], { dtype: "float64" });
  using target = Tensor.zeros([1], { dtype: "float64" });
  const out = target.vec();
  const results = (scale: number, record = once): unknown[] =>
    [x, y].map((each) => {
      out.assign(
        sumAndDifference(each.vec() as never, scale, record).sum.mul(
          sumAndDifference(each.vec() as never, scale, record).difference,
        ) as never,
      );
      return target.toArray();
    });
  for (let round = 0; round < 4; round++) {
    expect(results(1)).toEqual([[16], [48]]);
    expect(results(3)).toEqual([[144], [432]]);
    expect(results(1, tenfold)).toEqual([[1600], [4800]]);
    if (round === 1) calls.kernel = 0;
  }
  // Kept plans ask for no kernel again.
  expect(calls.kernel).toBe(0);
});

test("invalid elements end in the record's error, and the target stays as it was", () => {
  using x = Tensor.from([-5, 3], { dtype: "float64" });
  using target = Tensor.from([1, 2], { dtype: "float64" });
  const node = makeCustomCall(once, [treeOf(x.vec())], { scale: 1 });
  for (let round = 0; round < 3; round++) {
    expect(() => target.vec().assign(node as never)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(/element 0 is -5/) }),
    );
    expect(target.toArray()).toEqual([1, 2]);
  }
  expect(() => evaluate(sumAndDifference(x.vec() as never).sum.add(1))).toThrow(/element 0 is -5/);
  // The kernel's refusal is the answer: nothing is computed a second time.
  expect([calls.run, calls.evaluate]).toEqual([4, 0]);
});

test("an operand in the place of the target is read before it is written", () => {
  using x = Tensor.from([5, 3], { dtype: "float64" });
  x.vec().assign(makeCustomCall(once, [treeOf(x.vec())], { scale: 1 }) as never);
  expect(x.toArray()).toEqual([8, 2]);
});

test("its name is shown, and what it does not compute is refused", () => {
  const x = tensorMap("float64", Float64Array.of(5, 3), [2]);
  const { sum } = sumAndDifference(x);
  const { steps } = explain(sum);
  expect(steps.map(({ by, flops }) => [by, flops])).toContainEqual(["loops", 4]);
  expect(explain(sum).toString()).toMatch(/sumAndDifference\(x0\)/);
  expect(String(makeCustomCall(once, [treeOf(x)], { scale: 1 }))).toBe("Expression<sumAndDifference, float64, [2]>");
  const whole = tensorMap("int32", Int32Array.of(5, 3), [2]);
  expect(() => makeCustomCall(once, [treeOf(whole)], { scale: 1 })).toThrow(
    /sumAndDifference\(int32 \[2\]\): not defined for int32, but for float64/,
  );
});

test("its gradient is the record's", () => {
  const x = tensorMap("float64", Float64Array.of(5, 3), [2]);
  const { sum, difference } = sumAndDifference(x, 2);
  const y = sum.mul(difference).sum();
  // (2 (a + b)) (2 (a - b)) = 4 a^2 - 4 b^2.
  expect(evaluate(gradients(y, [x])[0]).toArray()).toEqual([40, -24]);
});

test("StableHLO has what the record writes, or its reason", () => {
  const x = tensorMap("float64", Float64Array.of(5, 3), [2]);
  const { sum } = sumAndDifference(x);
  expect(toStableHLO([sum]).text).toMatch(
    /stablehlo.custom_call"\(%\w+\) <\{call_target_name = "sumAndDifference"\}> : \(tensor<2xf64>\) -> \(tensor<2xf64>\)/,
  );
  const none = sumAndDifference(x, 1, { ...once, stableHLO: "it takes turns" }).sum;
  expect(() => toStableHLO([none])).toThrow(
    expect.objectContaining({
      code: "UNIMPLEMENTED",
      message: "toStableHLO: sumAndDifference, of float64 [2], has no form in StableHLO: it takes turns",
    }),
  );
});
