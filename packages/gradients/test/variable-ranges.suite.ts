// Which variables a leaf belongs to: all whose memory it reads, however many there are and however they overlap.
import { expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import { gradients } from "@onebuffer/gradients";
import { Variables } from "../src/variables.ts";
import { isLong, stopwatch } from "@onebuffer/test-support";

/** Parts of arrays as nodes, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const kElements = 40;

test("a leaf belongs to all variables that have its elements", () => {
  let state = 1;
  const below = (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  for (let round = 0; round < (isLong ? 2000 : 30); round++) {
    const arrays = [new Float32Array(kElements), new Float32Array(kElements)];
    const variables = Array.from({ length: below(12) }, () => {
      const [array, from] = [below(2), below(kElements)];
      return { array, from, end: from + below(kElements - from + 1) };
    });
    const found = new Variables(
      variables.map(({ array, from, end }) => tensorMap("float32", arrays[array]!.subarray(from, end), [end - from]) as Any),
    );
    for (let at = 0; at < kElements; at += 3) {
      const leaf = tensorMap("float32", arrays[1]!.subarray(at, at + 1), [1]) as Any;
      const expected = [...variables.keys()].filter((k) => {
        const { array, from, end } = variables[k]!;
        return array === 1 && from <= at && at < end;
      });
      expect(found.find(leaf).map(({ variable }) => variable)).toEqual(expected);
    }
  }
});

test("the time of gradients grows with the number of variables, not with its square", () => {
  const timeOf = (count: number): number => {
    const maps = Array.from({ length: count }, () => tensorMap("float32", Float32Array.of(1, 2), [2]) as Any);
    const loss = maps.reduce((sum, map) => sum.add(map.square()), maps[0]).sum();
    const milliseconds = stopwatch();
    gradients(loss, maps as never);
    return milliseconds();
  };
  timeOf(100);
  expect(timeOf(isLong ? 8000 : 1000)).toBeLessThan(60 * timeOf(isLong ? 800 : 100) + 200);
});
