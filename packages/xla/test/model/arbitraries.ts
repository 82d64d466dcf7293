// Random shapes and layouts for property tests with fast-check.
import type { Era, LayoutOptions, PrimitiveTypeLike } from "@onebuffer/xla";
import {
  isArrayType,
  kCombineDimension,
  kUnboundedSize,
  Layout,
  PaddingValue,
  PrimitiveType,
  Shape,
  SplitConfig,
  Tile,
} from "@onebuffer/xla";
import fc from "fast-check";

/** All array types. */
export const arrayTypes: readonly PrimitiveType[] = Object.values(PrimitiveType).filter(isArrayType);

/** A random order of 0 … rank-1. */
export function orderOf(rank: number): fc.Arbitrary<number[]> {
  const identity = Array.from({ length: rank }, (_, i) => i);
  return fc.shuffledSubarray(identity, { minLength: rank, maxLength: rank });
}

/** The sizes of a small array. */
export function smallSizes(maxRank = 4, minSize = 0, maxSize = 4): fc.Arbitrary<number[]> {
  return fc.array(fc.integer({ min: minSize, max: maxSize }), { maxLength: maxRank });
}

/** A tile. Some entries combine dimensions, but never the last one. */
const anyTile: fc.Arbitrary<Tile> = fc
  .tuple(
    fc.array(
      fc.oneof({ weight: 1, arbitrary: fc.constant(kCombineDimension) }, { weight: 3, arbitrary: fc.integer({ min: 1, max: 300 }) }),
      { maxLength: 3 },
    ),
    fc.integer({ min: 1, max: 300 }),
  )
  .map(([entries, last]) => new Tile([...entries, last]));

/** `usual` two times out of three, else a value of `other`. */
const mostly = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

/** The fields of today's dense layouts, without the order. */
export const denseOptions: fc.Arbitrary<LayoutOptions> = fc.record({
  tiles: fc.array(anyTile, { maxLength: 3 }),
  elementSizeInBits: mostly(0, fc.integer({ min: 1, max: 64 })),
  memorySpace: mostly(0, fc.integer({ min: -3, max: 70_000 })),
  tailPaddingAlignmentInElements: mostly(1, fc.integer({ min: 1, max: 4096 })),
  splitConfigs: fc.array(
    fc.tuple(fc.nat(5), fc.array(fc.nat(500), { minLength: 1, maxLength: 3 })).map(([dim, indices]) => new SplitConfig(dim, indices)),
    { maxLength: 2 },
  ),
  dynamicShapeMetadataPrefixBytes: mostly(0, fc.nat(2 ** 40)),
});

/** A 2017 padding for these sizes. */
export function paddingFor(sizes: readonly number[]): fc.Arbitrary<LayoutOptions> {
  return fc.record({
    paddedDimensions: fc.tuple(...sizes.map((size) => fc.integer({ min: size, max: size + 3 }))),
    paddingValue: fc.constantFrom(...Object.values(PaddingValue)),
  });
}

/** A valid array shape of an era, with a layout. */
export function anyArray(era: Era = "today"): fc.Arbitrary<Shape> {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(1, 65_536)), { maxLength: 3 });
  return sizes.chain((dimensions) =>
    fc
      .record({
        type: fc.constantFrom<PrimitiveTypeLike>(...arrayTypes),
        order: orderOf(dimensions.length),
        options: era === "today" ? denseOptions : paddingFor(dimensions),
        dynamics: fc.tuple(...dimensions.map(() => fc.constantFrom("static", "static", "bounded", "unbounded"))),
      })
      .map(({ type, order, options, dynamics }) => {
        const layout = new Layout(order, options);
        if (era === "2017") return Shape.array(type, dimensions, { layout });
        const unbounded = dimensions.map((size, dim) => (dynamics[dim] === "unbounded" ? kUnboundedSize : size));
        return Shape.array(type, unbounded, { dynamicDimensions: dynamics.map((kind) => kind !== "static"), layout });
      }),
  );
}

/** A valid shape of any kind: arrays, tuples of them and of themselves, tokens, opaque values and, today, buffers. */
export function anyShape(era: Era = "today"): fc.Arbitrary<Shape> {
  const array = anyArray(era);
  const { shape } = fc.letrec<{ shape: Shape; leaf: Shape; tuple: Shape }>((tie) => ({
    shape: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("leaf"), tie("tuple")),
    leaf: fc.oneof(
      { weight: 4, arbitrary: array },
      fc.constant(Shape.token()),
      fc.constant(Shape.opaque()),
      era === "today" ? array.map(Shape.buffer) : array,
    ),
    tuple: fc.array(tie("shape"), { maxLength: 7 }).map((children) => Shape.tuple(children)),
  }));
  return shape;
}

/** A small valid array without padding, tiles or unbounded dimensions, so that brute force can visit every element. */
export function plainArray(maxRank = 4, minSize = 0, maxSize = 4): fc.Arbitrary<Shape> {
  return smallSizes(maxRank, minSize, maxSize).chain((dimensions) =>
    fc
      .record({ order: orderOf(dimensions.length), flags: fc.tuple(...dimensions.map(() => fc.boolean())) })
      .map(({ order, flags }) => Shape.array("f32", dimensions, { layout: new Layout(order), dynamicDimensions: flags })),
  );
}
