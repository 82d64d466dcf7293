// updateTogether: what it computes is what all expressions give before anything is written, also if targets are operands of other pairs.
import { expect, test } from "@jest/globals";
import { kernelCounts } from "@onebuffer/compiler/internal";
import { DefaultDevice, ThreadPoolDevice, tensorMap, updateTogether } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { isLong } from "@onebuffer/test-support";
import { arenaMap, Dice } from "./kernel-subjects.ts";

/** Operands are drawn by number, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const kSize = 12;

/** Maps of small integers, so that every sum and product is exact: matrices of an arena and of an array, and two halves of one memory. */
function drawMaps(dice: Dice): Any[] {
  const whole = arenaMap("float32", [2 * kSize, kSize]) as Any;
  const half = (row: number): Any => tensorMap("float32", whole.data.subarray(row * kSize, (row + kSize) * kSize), [kSize, kSize]);
  const maps: Any[] = [
    arenaMap("float32", [kSize, kSize]),
    arenaMap("float32", [kSize, kSize]),
    tensorMap("float32", new Float32Array(kSize * kSize), [kSize, kSize]),
    half(0),
    half(kSize / 2),
    arenaMap("float64", [kSize, kSize]),
  ];
  for (const map of [...maps, whole]) {
    const [rows, columns] = map.dimensions;
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) map.set(i, j, dice.below(7) - 3);
  }
  return maps;
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
  ];
  return forms[dice.below(forms.length)]!().cast(dtype);
}

function check(seed: number, rounds: number): void {
  const dice = new Dice(seed);
  const maps = drawMaps(dice);
  const shared = maps[dice.below(2)].matMul(maps[dice.below(3)]).add(maps[3]);
  const targets = [...maps.keys()].filter(() => dice.below(3) > 0).map((k) => maps[k]);
  const pairs = targets.map((target) => [target, drawExpression(dice, maps, shared, target.dtype)] as const);
  for (let round = 0; round < rounds; round++) {
    const before = maps.map((map) => map.toArray());
    const expected = pairs.map(([target, expression]) => {
      const result = tensorMap(
        target.dtype,
        target.dtype === "float64" ? new Float64Array(kSize * kSize) : new Float32Array(kSize * kSize),
        [kSize, kSize],
      ) as Any;
      assignByReference(result, expression);
      return result.toArray();
    });
    updateTogether(pairs);
    const written = maps.map((map) => map.toArray());
    // The same again one after the other, from the results: targets may have bytes in common.
    for (const [k, map] of maps.entries()) restore(map, before[k]);
    for (const [k, [target]] of pairs.entries()) restore(target, expected[k]);
    expect(maps.map((map) => map.toArray())).toEqual(written);
    // Elements stay small integers.
    for (const map of maps) restore(map, before[maps.indexOf(map)]);
  }
}

function restore(map: Any, rows: number[][]): void {
  for (const [i, row] of rows.entries()) for (const [j, element] of row.entries()) map.set(i, j, element);
}

test("updates read what was there before all of them", () => {
  for (let seed = 1; seed <= (isLong ? 2000 : 60); seed++) check(seed, 3);
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
