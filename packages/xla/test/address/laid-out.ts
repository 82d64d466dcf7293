// Random arrays for property tests, with every kind of layout and small enough for naive-layout.ts.
import type { LayoutOptions } from "@onebuffer/xla";
import { kCombineDimension, Layout, PaddingValue, Shape } from "@onebuffer/xla";
import fc from "fast-check";
import { orderOf, smallSizes } from "../model/arbitraries.ts";

const entry = fc.integer({ min: 1, max: 5 });

/** Small tiles, a third of them with combined dimensions. */
export const smallTiles: fc.Arbitrary<number[][]> = fc.array(
  fc
    .tuple(
      fc.array(fc.oneof({ weight: 1, arbitrary: fc.constant(kCombineDimension) }, { weight: 3, arbitrary: entry }), { maxLength: 2 }),
      entry,
    )
    .map(([more, last]) => [...more, last]),
  { minLength: 1, maxLength: 2 },
);

function optionsFor(sizes: readonly number[]): fc.Arbitrary<LayoutOptions> {
  const padding = fc.record({
    paddedDimensions: fc.tuple(...sizes.map((size) => fc.integer({ min: size, max: size + 2 }))),
    paddingValue: fc.constantFrom(...Object.values(PaddingValue)),
  });
  return fc.oneof(fc.constant<LayoutOptions>({}), padding, fc.record({ tiles: smallTiles }));
}

/** A small array with a plain, padded or tiled layout. */
export function laidOut(type: Parameters<typeof Shape.array>[0] = "s32", maxRank = 4): fc.Arbitrary<Shape> {
  return smallSizes(maxRank).chain((dimensions) =>
    fc
      .record({ order: orderOf(dimensions.length), options: optionsFor(dimensions) })
      .map(({ order, options }) => Shape.array(type, dimensions, { layout: new Layout(order, options) })),
  );
}

/** The same array with two random layouts. */
export function twoLayouts(type: Parameters<typeof Shape.array>[0]): fc.Arbitrary<[Shape, Shape]> {
  return laidOut(type).chain((a) =>
    fc
      .record({ order: orderOf(a.rank), options: optionsFor(a.dimensions) })
      .map(({ order, options }): [Shape, Shape] => [a, Shape.array(type, a.dimensions, { layout: new Layout(order, options) })]),
  );
}
