// Linear interpolations by one pass (array-loops/blended-rows.ts) agree bit for bit with the evaluator: images of any number of channels,
// larger and smaller, along one axis and two, in plans that are kept, between elements that stay.
import { expect, test } from "@jest/globals";
import { iota, resize } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, Dice } from "./kernel-subjects.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

/** `npm run long` compares more and larger images. */
const kRounds = isLong ? 500 : 8;

type Any = ReturnType<typeof JSON.parse>;

/** Returns an image of numbers, some of them rare. */
function image(dims: readonly number[], dice: Dice): Any {
  const map = arenaMap("float32", dims) as Any;
  const rare = dice.below(3) === 0;
  const { data } = map;
  for (let i = 0; i < data.length; i++)
    data[i] = rare && dice.below(40) === 0 ? dice.pick([NaN, Infinity, -Infinity, -0, 3e38]) : dice.unit() - 0.5;
  return map;
}

/** Returns the number of elements with other bits than the evaluator's. */
function differences(expression: Any, out: Any): number {
  const wanted = arenaMap("float32", expression.dimensions) as Any;
  assignByReference(wanted, expression);
  const values = [...out];
  return [...wanted].filter((value, k) => !Object.is(value, values[k])).length;
}

test("images of any size and number of channels are resized as by the evaluator", () => {
  const dice = new Dice(1771);
  for (let turn = 0; turn < kRounds; turn++) {
    const channels = dice.pick([1, 2, 3, 4, 5, 7, 8, 16, 17, 20, 33, 128]);
    const most = channels > 20 ? 5 : isLong ? 12 : 8;
    const [batch, height, width] = [1 + dice.below(3), 1 + (turn % 2) + dice.below(most), 1 + dice.below(most)];
    // Sometimes a size stays: then there is one axis to interpolate along, or none.
    const size = [height, width].map((each) => (dice.below(4) === 0 ? each : 1 + dice.below(2 * most))) as [number, number];
    // Images of at most half the height are interpolated along both axes at once.
    if (turn % 2 === 1) size[0] = 1 + dice.below(Math.max(1, height >> 1));
    const x = image([batch, height, width, channels], dice);
    const expression = resize(x, size) as Any;
    const around = arenaMap("float32", [expression.size + 32]) as Any;
    around.data.fill(5);
    const inner = around.strided(`16:${expression.size + 16}`);
    const out = arenaMap("float32", expression.dimensions) as Any;
    out.assign(expression);
    inner.assign(expression.reshape([expression.size]));
    const shown = { turn, channels, batch, height, width, size };
    expect({ ...shown, different: differences(expression, out) }).toEqual({ ...shown, different: 0 });
    const { data } = out;
    expect([...inner].every((value, k) => Object.is(value, data[k]))).toBe(true);
    expect([...around.data.subarray(0, 16), ...around.data.subarray(-16)].every((value) => value === 5)).toBe(true);
    const twice = expression.mul(2);
    out.assign(twice);
    expect(differences(twice, out)).toBe(0);
  }
});

test("narrow images of few channels are made smaller without a byte behind them", () => {
  const dice = new Dice(17);
  for (const channels of [1, 2, 3]) {
    for (const [height, width] of [
      [1, 1],
      [1, 3],
      [2, 1],
      [3, 1],
      [5, 1],
      [2, 2],
      [4, 3],
      [3, 4],
    ] as const) {
      const x = image([2, 2 * height, 2 * width + 1, channels], dice);
      const expression = resize(x, [height, width]) as Any;
      const around = arenaMap("float32", [expression.size + 8]) as Any;
      around.data.fill(5);
      around.strided(`0:${expression.size}`).assign(expression.reshape([expression.size]));
      const out = arenaMap("float32", expression.dimensions) as Any;
      out.data.set(around.data.subarray(0, expression.size));
      const shown = { channels, height, width };
      expect({ ...shown, different: differences(expression, out) }).toEqual({ ...shown, different: 0 });
      expect([shown, ...around.data.subarray(-8)]).toEqual([shown, 5, 5, 5, 5, 5, 5, 5, 5]);
    }
  }
});

test("resizing is one step after its tables, and an equal call compiles nothing", () => {
  const dice = new Dice(3);
  const [x, y] = [image([2, 6, 7, 3], dice), image([2, 6, 7, 3], dice)];
  const steps = explain(resize(x, [9, 5])).steps;
  expect(steps.filter(({ by }) => by === "loops")).toHaveLength(1);
  expect(steps.at(-1)!.by).toBe("loops");
  const out = arenaMap("float32", [2, 9, 5, 3]) as Any;
  for (let turn = 0; turn < 3; turn++) out.assign(resize(x, [9, 5]));
  const { compiled, planned, fallbackReasons } = kernelCounts();
  for (const each of [y, x]) {
    const expression = resize(each, [9, 5]);
    out.assign(expression);
    expect(differences(expression, out)).toBe(0);
  }
  expect(kernelCounts()).toMatchObject({ compiled, planned, fallbackReasons });
});

test("a result over its own operand, and one whose elements are apart", () => {
  const dice = new Dice(5);
  const x = image([1, 6, 5, 4], dice);
  const expression = resize(x, [6, 9]) as Any;
  const wanted = arenaMap("float32", [1, 6, 9, 4]) as Any;
  assignByReference(wanted, expression);
  const apart = (arenaMap("float32", [1, 6, 9, 9]) as Any).strided(":, :, :, 1:9:2");
  apart.assign(expression);
  expect([...apart]).toEqual([...wanted]);
  const same = resize(x, [3, 5]) as Any;
  const half = arenaMap("float32", [1, 3, 5, 4]) as Any;
  assignByReference(half, same);
  const over = x.strided(":, 0:3");
  over.assign(same);
  expect([...over]).toEqual([...half]);
});

test("an index outside its axis is refused, as by gather", () => {
  const x = image([4, 5], new Dice(7));
  const low = iota("int32", 3);
  const first = x.gather(low, 0);
  const expression = first.add(
    x
      .gather(low.add(2), 0)
      .sub(first)
      .mul(iota("float32", [3, 1], 0)),
  );
  const out = arenaMap("float32", [3, 5]) as Any;
  expect(() => out.assign(expression)).toThrow("gather: indices[2] = 4 is not in [0, 4)");
});
