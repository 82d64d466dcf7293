// Strided maps whose elements are contiguous take the short ways of dense maps (elementwise-fast-path.ts, assign-kept.ts), as targets and as
// operands: the results are the evaluator's, also where target and operands overlap, and other strides keep to the general way.
import { describe, expect, test } from "@jest/globals";
import { tensorMap, unique } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { kCode } from "@onebuffer/expression/internal";
import { arenaMap } from "./kernel-subjects.ts";

type Any = ReturnType<typeof JSON.parse>;

const counted = (dtype: "float32" | "int32" | "uint8", dims: readonly number[]): Any => {
  const map = arenaMap(dtype, dims) as Any;
  for (let i = 0; i < map.data.length; i++) map.data[i] = (i * 7) % 23;
  return map;
};

/** Views of a map of [4, 3, 2, 5], and whether their elements are contiguous. */
const views: readonly [string, boolean][] = [
  ["...", true],
  ["1:3", true],
  ["1:3, 1:2, 0:1, 1:4", false],
  ["1", true],
  ["1, 2", true],
  ["1, 2, 0", true],
  ["1, 2, 0, 2:4", true],
  ["1, 2, 0, 4:3:-1", true],
  ["1, 2, 0, 3", true],
  ["1, :, 0", false],
  ["1, 2, 0, ::2", false],
  ["1, 2, 0, ::-1", false],
  [":, 1", false],
  ["..., 1:3", false],
  ["1:1", true],
];

describe("contiguous views", () => {
  test.each(views)("%s has the code of a dense map exactly if its elements are contiguous", (text, isContiguous) => {
    const whole = counted("float32", [4, 3, 2, 5]);
    const view = whole.strided(text);
    expect([view.isContiguous(), view[kCode] === whole[kCode]]).toEqual([isContiguous, isContiguous]);
    for (let turn = 0; turn < 3; turn++) {
      const [kernels, evaluated] = [counted("float32", [4, 3, 2, 5]), counted("float32", [4, 3, 2, 5])];
      kernels.strided(text).assign(view.mul(2).add(1));
      assignByReference(evaluated.strided(text), view.mul(2).add(1));
      kernels.strided(text).assign(view.sub(kernels.strided(text).mean()));
      assignByReference(evaluated.strided(text), view.sub(evaluated.strided(text).mean()));
      expect(kernels.toArray()).toEqual(evaluated.toArray());
    }
  });

  test("results that overlap their operands in part are those of copies", () => {
    for (const shift of [-3, -1, 0, 1, 3]) {
      for (let turn = 0; turn < 3; turn++) {
        const [kernels, evaluated] = [counted("float32", [80]), counted("float32", [80])];
        const from = (map: Any): Any => map.strided().slice([10, 60]);
        const to = (map: Any): Any => map.strided().slice([10 + shift, 60 + shift]);
        to(kernels).assign(from(kernels).mul(2));
        assignByReference(to(evaluated), from(evaluated).mul(2));
        to(kernels).assign(from(kernels).cumsum(0));
        assignByReference(to(evaluated), from(evaluated).cumsum(0));
        expect([...kernels]).toEqual([...evaluated]);
      }
    }
  });

  test("views of arrays outside the linear memory, and of none", () => {
    const outside = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [6]) as Any;
    for (let turn = 0; turn < 3; turn++)
      outside
        .strided()
        .slice([1, 3])
        .assign(
          outside
            .strided()
            .slice([4, 6])
            .add(outside.strided().slice([3, 5])),
        );
    expect([...outside]).toEqual([1, 9, 11, 4, 5, 6]);
    outside
      .strided()
      .slice([2, 2])
      .assign(outside.strided().slice([3, 3]).mul(2));
    expect([...outside]).toEqual([1, 9, 11, 4, 5, 6]);
  });

  test("unique of a contiguous view of int32 reads its elements", () => {
    const numbers = tensorMap("int32", Int32Array.of(9, 9, 4, 7, 4, 9), [6]);
    expect([...unique(numbers.strided().slice([2, 5])).values]).toEqual([4, 7]);
  });
});
