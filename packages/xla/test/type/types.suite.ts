// The static types of the public API: what calls return, and what the compiler refuses.
import { expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import type { Era, PaddingValue, PrimitiveType, PrimitiveTypeName, ShapeProto } from "@onebuffer/xla";
import {
  kUnboundedSize,
  Layout,
  LayoutUtil,
  parseLayout,
  parseShape,
  primitiveTypeToDType,
  Shape,
  ShapeUtil,
  shapeToProto,
  Tile,
} from "@onebuffer/xla";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const equal = <A, B>(same: Equal<A, B>): void => expect(same).toBe(true);

test("calls return the expected types", () => {
  const shape = parseShape("f32[2]");
  const letters = ShapeUtil.dimensionLetters(2);
  const proto = shapeToProto(shape);
  const dtype = primitiveTypeToDType("f32");
  const stopped = ShapeUtil.forEachIndex(shape, () => false);
  const layout = parseLayout("{0}");
  equal<typeof shape, Shape>(true);
  equal<typeof shape.layout, Layout | null>(true);
  equal<typeof shape.dimensions, readonly number[]>(true);
  equal<typeof letters, string[]>(true);
  equal<typeof proto, ShapeProto>(true);
  equal<typeof dtype, DType>(true);
  equal<typeof stopped, boolean>(true);
  equal<typeof layout, Layout>(true);
  equal<typeof PrimitiveType.F32, 11>(true);
  equal<typeof PaddingValue.ZERO_PAD, 1>(true);
  equal<Extract<PrimitiveTypeName, "opaque" | "opaque_type" | "f32">, "opaque" | "f32">(true);
  equal<Era, "2017" | "today">(true);
  expect(typeof kUnboundedSize).toBe("number");
});

test("invalid calls do not compile", () => {
  const check = (): void => {
    const shape = parseShape("f32[2]");
    // @ts-expect-error no such type
    ShapeUtil.makeShape("float32", [2]);
    // @ts-expect-error no type has this number
    ShapeUtil.makeShape(35, [2]);
    // @ts-expect-error sizes are numbers
    ShapeUtil.makeShape("f32", [2n]);
    // @ts-expect-error shapes are made by the static functions
    new Shape();
    // @ts-expect-error shapes are immutable
    shape.layout = null;
    // @ts-expect-error the lists of a shape are immutable
    shape.dimensions.push(3);
    // @ts-expect-error layouts are immutable
    new Layout([0]).memorySpace = 5;
    // @ts-expect-error tiles are immutable
    new Tile([2]).dimensions[0] = 3;
    // @ts-expect-error no such property
    new Layout([0], { tile: [[2]] });
    // @ts-expect-error no such option
    LayoutUtil.equal(new Layout([0]), new Layout([0]), { ignoreTile: true });
    // @ts-expect-error no such era
    shapeToProto(shape, "2018");
    // @ts-expect-error a list is not a layout
    LayoutUtil.minor([1, 0], 0);
  };
  expect(typeof check).toBe("function");
});
