// updateTogether: what it computes is what all expressions give before anything is written, also if targets are operands of other pairs.
import { expect, test } from "@jest/globals";
import {
  assignTogether,
  constant,
  DefaultDevice,
  evaluate,
  statelessUniform,
  ThreadPoolDevice,
  tensorMap,
  updateTogether,
} from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { isLong } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, Dice } from "./kernel-subjects.ts";

/** Operands are drawn by number, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const kSize = 12;

/**
 * Maps of small integers, so that every sum and product is exact: matrices of an arena, two parts of one memory that overlap, one of
 * float64 and, if `isOutside`, one of an array.
 */
function drawMaps(dice: Dice, isOutside: boolean): Any[] {
  const whole = arenaMap("float32", [2 * kSize, kSize]) as Any;
  const half = (row: number): Any => tensorMap("float32", whole.data.subarray(row * kSize, (row + kSize) * kSize), [kSize, kSize]);
  const third = isOutside ? tensorMap("float32", new Float32Array(kSize * kSize), [kSize, kSize]) : arenaMap("float32", [kSize, kSize]);
  const matrices = [0, 1].map(() => arenaMap("float32", [kSize, kSize]));
  const maps: Any[] = [...matrices, third, half(0), half(kSize / 2), arenaMap("float64", [kSize, kSize])];
  for (const map of [...maps, whole]) {
    const { data } = map;
    for (let i = 0; i < data.length; i++) data[i] = dice.below(7) - 3;
  }
  return maps;
}

/** Some rows, one of them twice. */
const kIndices = tensorMap("int32", Int32Array.of(3, 0, 3, 7), [4]) as Any;

/** Rows of a matrix at their places among zeros. */
function rowsAt(matrix: Any): Any {
  return (constant("float32", 0, [kSize, kSize]) as Any).scatter(kIndices, matrix.gather(kIndices, 0), 0, { reduction: "add" });
}

/** An expression of a dtype over some maps; `shared` is part of several. */
function drawExpression(dice: Dice, maps: readonly Any[], shared: Any, dtype: string): Any {
  const [a, b] = [maps[dice.below(maps.length)], maps[dice.below(maps.length)]].map((map) => map.cast("float32"));
  const forms = [
    () => a.sub(shared),
    () => a.matMul(b),
    () => shared.matMul(a).add(b),
    () => a.transpose().add(b),
    () => a.mul(b).sub(a.sum([0])),
    () => shared,
    () => a,
    () => a.add(b.cumsum(0)),
    () => a.scatter(kIndices, b.gather(kIndices, 0), 0, { reduction: "add" }),
    () => a.sub(rowsAt(b).mul(2)),
    () => a.sub(rowsAt(shared)),
  ];
  return forms[dice.below(forms.length)]!().cast(dtype);
}

/**
 * Pairs of targets and expressions. The same seed gives the same structure, over other maps. If `isBounded`, elements are remainders, so
 * that those of later pairs stay exact.
 */
function drawPairs(seed: number, maps: readonly Any[], isBounded: boolean): (readonly [Any, Any])[] {
  const dice = new Dice(seed);
  const shared = maps[dice.below(2)].matMul(maps[dice.below(3)]).add(maps[3]);
  const targets = [...maps.keys()].filter(() => dice.below(3) > 0).map((k) => maps[k]);
  return targets.map((target) => {
    const expression = drawExpression(dice, maps, shared, target.dtype);
    return [target, isBounded ? expression.mod(8) : expression] as const;
  });
}

/** Assigns pairs in the ways that updateTogether and assignTogether stand for, by the evaluator. */
const references: Readonly<Record<string, (pairs: readonly (readonly [Any, Any])[]) => void>> = {
  updateTogether(pairs) {
    const results = pairs.map(([{ dtype }, expression]) => {
      const array = dtype === "float64" ? new Float64Array(kSize * kSize) : new Float32Array(kSize * kSize);
      const result = tensorMap(dtype, array as Any, [kSize, kSize]) as Any;
      assignByReference(result, expression);
      return result;
    });
    for (const [k, [target]] of pairs.entries()) assignByReference(target, results[k]);
  },
  assignTogether(pairs) {
    for (const [target, expression] of pairs) assignByReference(target, expression);
  },
};

/** The pairs of a seed over maps in several orders, so that plans meet operands and targets that overlap in other ways. */
function check(name: "updateTogether" | "assignTogether", seed: number, rounds: number): void {
  const dice = new Dice(seed);
  const drawn = drawMaps(dice, seed % 3 === 0);
  for (let round = 0; round < rounds; round++) {
    const turn = round % 5;
    const maps = [...drawn.slice(turn, 5), ...drawn.slice(0, turn), drawn[5]];
    const before = maps.map((map) => map.data.slice());
    const restore = (): void => maps.forEach((map, k) => map.data.set(before[k]));
    const draw = (): (readonly [Any, Any])[] => drawPairs(seed, maps, name === "assignTogether");
    references[name]!(draw());
    const expected = maps.map((map) => map.toArray());
    // Twice, by the plan that was made and by the one that is kept.
    for (let time = 0; time < 2; time++) {
      restore();
      ({ updateTogether, assignTogether })[name](draw());
      expect([seed, round, time, maps.map((map) => map.toArray())]).toEqual([seed, round, time, expected]);
    }
    // Elements stay small integers.
    restore();
  }
}

test("updates read what was there before all of them", () => {
  for (let seed = 1; seed <= (isLong ? 1000 : 4); seed++) check("updateTogether", seed, isLong ? 5 : 3);
});

test("of updates of memory in common outside the linear memory, the last one stays", () => {
  const memory = Float32Array.of(1, 2, 3);
  const part = (from: number, to: number): Any => tensorMap("float32", memory.subarray(from, to), [to - from]);
  // The first target is read, and so written at the end; the second one has only an element of the first in common.
  updateTogether([
    [part(0, 2), part(0, 1).broadcast([2])],
    [part(1, 3), constant("float32", 7, [2])],
  ]);
  expect([...memory]).toEqual([1, 7, 7]);
});

test.each(["float16", "bfloat16"] as const)("random %s in the place of an operand are those that another result reads", (dtype) => {
  const [x, y] = [arenaMap(dtype, [2, 4]), arenaMap(dtype, [2, 4])] as [Any, Any];
  const drawn = (): Any => statelessUniform(dtype, [2, 4], [323, 56]);
  x.copyFrom([1, 2, 3, 4, 5, 6, 7, 8]);
  const wanted = [drawn().sub(x), drawn()].map((each) => evaluate(each).toArray());
  const random = drawn();
  updateTogether([
    [y, random.sub(x)],
    [x, random],
  ]);
  expect([y.toArray(), x.toArray()]).toEqual(wanted);
});

test("groups of assignments are as if computed one after the other", () => {
  for (let seed = 1; seed <= (isLong ? 1000 : 4); seed++) check("assignTogether", seed, isLong ? 5 : 3);
});

test("a step of training is one plan, which is kept", () => {
  const [x, w1, w2] = [arenaMap("float32", [32, 16]), arenaMap("float32", [16, 16]), arenaMap("float32", [16, 4])] as Any[];
  for (const map of [x, w1, w2]) map.data.fill(0.01);
  const step = (): Any[] => {
    const h = x.matMul(w1).relu();
    const e = h.matMul(w2).sub(1);
    const g = e.matMul(w2.transpose()).mul(h.greater(0).cast("float32"));
    return [
      [w1, w1.sub(x.transpose().matMul(g).mul(0.1))],
      [w2, w2.sub(h.transpose().matMul(e).mul(0.1))],
    ];
  };
  for (let k = 0; k < 3; k++) updateTogether(step());
  const { planned } = kernelCounts();
  for (let k = 0; k < 3; k++) updateTogether(step());
  expect(kernelCounts().planned).toBe(planned);
});

test.each([
  ["the default device", (): Any => new DefaultDevice()],
  ["a pool", (): Any => new ThreadPoolDevice(1)],
])("%s updates alike", async (_, make) => {
  const [a, b] = [tensorMap("float32", Float32Array.of(1, 2), [2]), tensorMap("float32", Float32Array.of(3, 4), [2])];
  const device = make();
  await updateTogether(
    [
      [a, b.add(1)],
      [b, a],
    ],
    device,
  );
  expect([a.toArray(), b.toArray()]).toEqual([
    [4, 5],
    [1, 2],
  ]);
  await device.dispose?.();
});

test("nothing to update is no error", async () => {
  updateTogether([]);
  await updateTogether([], new DefaultDevice());
});

test("a device without updates refuses by name", async () => {
  const a = tensorMap("float32", Float32Array.of(1), [1]);
  const device = { name: "abacus", assign: async () => undefined };
  await expect(updateTogether([[a, a]], device)).rejects.toMatchObject({ code: "UNIMPLEMENTED", message: expect.stringMatching(/abacus/) });
});
