// Tests the TypeScript types of packages/slice: the compiler checks these lines.
import { expect, test } from "@jest/globals";
import { TensorShape } from "@onebuffer/shape";
import type { ShapeAndSlice, SliceInfo, TensorNameSlice, TensorSliceProto } from "@onebuffer/slice";
import {
  TensorSlice,
  TensorSliceSet,
  copyDataFromTensorSliceToTensorSlice,
  decodeTensorNameSlice,
  encodeTensorNameSlice,
  parseShapeAndSlice,
} from "@onebuffer/slice";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const equal = <A, B>(same: Equal<A, B>): void => expect(same).toBe(true);

test("results have their types", () => {
  const slice = TensorSlice.parse("0,2");
  const set = new TensorSliceSet(new TensorShape([2]), "string");
  const queried = set.queryMeta(slice);
  const met = slice.intersect(slice);
  const code = encodeTensorNameSlice("w", slice);
  const decoded = decodeTensorNameSlice(code);
  const parsed = parseShapeAndSlice("4 0,2");
  equal<typeof met, TensorSlice | null>(true);
  equal<typeof queried, [slice: TensorSlice, tag: string][] | null>(true);
  equal<typeof set.slices, ReadonlyMap<string, SliceInfo>>(true);
  equal<typeof TensorSlice.kFullExtent, -1>(true);
  equal<typeof code, Uint8Array<ArrayBuffer>>(true);
  equal<typeof decoded, TensorNameSlice>(true);
  equal<typeof parsed, ShapeAndSlice>(true);
  const proto: TensorSliceProto = slice.asProto();
  expect(TensorSlice.build(proto).equals(slice)).toBe(true);
});

test("wrong arguments do not compile", () => {
  const check = (): void => {
    const shape = new TensorShape([1]);
    const slice = TensorSlice.full(1);
    // @ts-expect-error dims is read-only
    slice.dims = 3;
    // @ts-expect-error extents are pairs
    TensorSlice.fromExtents([[1, 2, 3]]);
    // @ts-expect-error a length is not a boolean
    TensorSlice.fromProto({ extent: [{ length: true }] });
    // @ts-expect-error no such dtype
    new TensorSliceSet(shape, "float");
    // @ts-expect-error plain and typed arrays do not mix
    copyDataFromTensorSliceToTensorSlice(shape, slice, slice, [1], new Float32Array(1));
    // @ts-expect-error elements take one slot or two
    copyDataFromTensorSliceToTensorSlice(shape, slice, slice, new Float32Array(3), new Float32Array(3), 3);
  };
  expect(typeof check).toBe("function");
});
