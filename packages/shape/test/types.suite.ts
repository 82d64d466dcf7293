// Tests the TypeScript types: the compiler checks these lines.
import { expect, test } from "@jest/globals";
import { PartialTensorShape, TensorShape, TensorShapeUtils } from "@onebuffer/shape";
import type { RepTag, TensorShapeBase, TensorShapeProto } from "@onebuffer/shape";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const equal = <A, B>(same: Equal<A, B>): void => expect(same).toBe(true);

test("results have their types", () => {
  const shape = new TensorShape([2, 3]);
  equal<typeof shape.rep, RepTag>(true);
  equal<ReturnType<typeof shape.asProto>, TensorShapeProto>(true);
  equal<ReturnType<PartialTensorShape["asTensorShape"]>, TensorShape | null>(true);
  equal<ReturnType<typeof shape.seal>, TensorShape>(true);
  const any: TensorShapeBase = shape;
  expect([...any]).toEqual([2, 3]);
});

test("a tuple or a frozen list is a list of sizes", () => {
  expect(new TensorShape([2, 3] as const).dims).toBe(2);
});

test("a PartialTensorShape is not assignable to a TensorShape", () => {
  const partial = new PartialTensorShape([2, 3]);
  // @ts-expect-error a size may be unknown
  expect(TensorShapeUtils.isMatrix(partial)).toBe(true);
  // @ts-expect-error the words are protected
  expect(typeof partial.w0).toBe("number");
  // @ts-expect-error sizes are numbers here; bigints belong to messages and makeShape
  expect(() => new TensorShape([2n])).toThrow();
  expect(() => {
    // @ts-expect-error the count follows from the sizes
    partial.numElements = 7;
  }).toThrow();
});
