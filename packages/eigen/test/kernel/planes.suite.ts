// Movements that make planes of interleaved elements, as channels of an image (form/kernel-tile.ts): blocks with fewer rows than a vector has
// elements. Numbers of planes and lengths on both sides of the limits, elements of every size, further operands, maps between poison.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { explain } from "@onebuffer/compiler/internal";
import { isLong } from "@onebuffer/test-support";
import { listDifference } from "./difference.ts";
import { computed, filler, reference } from "./filled-maps.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The trees here are built from tables of names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** An image [height, width, channels] as planes, and a further operand that runs along the planes, across them or along nothing. */
const kForms: readonly (readonly [
  name: string,
  build: (image: Any, other: (dims: readonly number[]) => Any, sizes: readonly number[]) => Any,
])[] = [
  ["the planes", (image) => image.shuffle([2, 0, 1])],
  ["the planes of a part", (image, _, [height, width]) => image.strided(`1:${height}, 0:${width! - 1}, :`).shuffle([2, 0, 1])],
  ["the planes backwards", (image) => image.reverse([1]).shuffle([2, 0, 1])],
  ["the planes plus planes", (image, other, [h, w, c]) => image.shuffle([2, 0, 1]).add(other([c!, h!, w!]))],
  ["the planes plus numbers", (image, other, [h, w, c]) => image.shuffle([2, 0, 1]).add(other([c!, 1, 1]).broadcast([c!, h!, w!]))],
  ["the planes plus images", (image, other, [h, w, c]) => image.add(other([h!, w!, c!])).shuffle([2, 0, 1])],
];

const kSizes: readonly (readonly [height: number, width: number])[] = [
  [15, 17],
  [16, 16],
  [19, 41],
];

const kDTypes: readonly RawDType[] = ["float32", "uint8", "int16", "float64", "int32", "float16"];

test.each(kDTypes)("planes of %s agree with the evaluator", (dtype) => {
  const fill = filler(dtype.length, 0, 100);
  const operand = (dims: readonly number[]): Any => fill(arenaMap(dtype, dims));
  const d = kDTypes.indexOf(dtype);
  for (const [c, channels] of (isLong ? [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17] : [2, 3, 7]).entries())
    for (const [height, width] of isLong ? kSizes : [kSizes[channels % 3]!])
      for (const [k, [name, build]] of kForms.entries()) {
        // Every second form, by turns of the numbers of channels and the dtypes.
        if (!isLong && (k + c + d) % 2 !== 0) continue;
        const sizes = [height, width, channels];
        const expression = build(operand(sizes), operand, sizes);
        expect([name, sizes, listDifference(computed(expression), reference(expression))]).toEqual([name, sizes, null]);
      }
});

test("planes are made in blocks if they are long enough for a second kernel for the edge", () => {
  const forms = (dims: readonly number[]): readonly string[] =>
    explain((arenaMap("float32", dims) as Any).shuffle([2, 0, 1])).steps.map(({ by }) => by);
  expect(forms([16, 16, 3])).toEqual(["tile"]);
  expect(forms([15, 17, 3])).toEqual(["map"]);
  expect(forms([3, 3, 4])).toEqual(["tile", "map"]);
});

test("planes are stored in their places alone", () => {
  const image = filler(7, 0, 9)(arenaMap("int32", [20, 20, 3])) as Any;
  const around = arenaMap("int32", [5, 22, 22]) as Any;
  around.data.fill(-1);
  const target = around.strided("1:4, 1:21, 1:21");
  target.assign(image.shuffle([2, 0, 1]));
  expect([...target].map(Number)).toEqual(reference(image.shuffle([2, 0, 1])));
  expect([...around].filter((value) => value === -1)).toHaveLength(5 * 22 * 22 - 1200);
});
