// Tests the TypeScript types of the dtypes. The compiler does the tests; running them only shows that they compile.
import { expect, test } from "@jest/globals";
import { elementCodec, isObjectDType, isRawDType, typedArrayConstructor } from "@onebuffer/base";
import type {
  Complex,
  DType,
  DataType,
  ElementInput,
  ElementOf,
  Float8DType,
  ObjectDType,
  RawDType,
  StatusCode,
  TypedArray,
  TypedArrayOf,
} from "@onebuffer/base";

interface Handle {
  readonly device: string;
}

// Merges a type for resource, as @onebuffer/core does for ResourceHandle; variant has no merged type here.
declare module "@onebuffer/base" {
  interface ObjectElementTypes {
    resource: Handle;
  }
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T => true as T;

test("element types follow the dtype", () => {
  expect([
    holds<Equal<ElementOf<"float32">, number>>(),
    holds<Equal<ElementOf<"bfloat16">, number>>(),
    holds<Equal<ElementOf<"int4">, number>>(),
    holds<Equal<ElementOf<"int64">, bigint>>(),
    holds<Equal<ElementOf<"uint64">, bigint>>(),
    holds<Equal<ElementOf<"bool">, boolean>>(),
    holds<Equal<ElementOf<"complex64">, Complex>>(),
    holds<Equal<Complex, readonly [number, number]>>(),
    holds<Equal<ElementOf<"string">, Uint8Array<ArrayBufferLike>>>(),
    holds<Equal<ElementOf<"resource">, Handle>>(),
    holds<Equal<ElementOf<"variant">, unknown>>(),
    holds<Equal<ElementOf<RawDType>, number | bigint | boolean | Complex>>(),
  ]).not.toContain(false);
});

test("input types follow the dtype", () => {
  expect([
    holds<Equal<ElementInput<"string">, Uint8Array<ArrayBufferLike> | string>>(),
    holds<Equal<ElementInput<"float16">, number>>(),
    holds<Equal<ElementInput<"resource">, Handle>>(),
  ]).not.toContain(false);
});

test("array types follow the dtype", () => {
  expect([
    holds<Equal<TypedArrayOf<"float16">, Uint16Array<ArrayBufferLike>>>(),
    holds<Equal<TypedArrayOf<"bool">, Uint8Array<ArrayBufferLike>>>(),
    holds<Equal<TypedArrayOf<"complex128">, Float64Array<ArrayBufferLike>>>(),
    holds<Equal<TypedArrayOf<"int64">, BigInt64Array<ArrayBufferLike>>>(),
    holds<Equal<TypedArrayOf<"resource">, Handle[]>>(),
    holds<Equal<Extract<TypedArray, Handle[]>, never>>(),
  ]).not.toContain(false);
});

test("the unions of names have their members", () => {
  expect([
    holds<Equal<Exclude<DType, RawDType>, ObjectDType>>(),
    holds<Equal<Float8DType, "float8_e5m2" | "float8_e4m3fn" | "float8_e4m3fnuz" | "float8_e4m3b11fnuz" | "float8_e5m2fnuz">>(),
    holds<Equal<Extract<DataType, 0 | 1 | 32 | 33 | 34 | 100 | 101 | 133 | 134>, 0 | 1 | 32 | 33 | 101 | 133>>(),
  ]).not.toContain(false);
});

test("the types of functions follow the dtype", () => {
  const ints = new (typedArrayConstructor("int64"))(2);
  expect([holds<Equal<typeof ints, BigInt64Array<ArrayBufferLike>>>()]).toEqual([true]);
  const dtype: DType = "uint8" as DType;
  if (isRawDType(dtype)) expect(holds<Equal<typeof dtype, RawDType>>()).toBe(true);
  if (isObjectDType(dtype)) expect(holds<Equal<typeof dtype, ObjectDType>>()).toBe(true);
  const view = new DataView(new ArrayBuffer(16));
  elementCodec("int64").write(view, 0, 1n);
  const element = elementCodec("bool").read(view, 0);
  expect([holds<Equal<typeof element, boolean>>(), element]).toEqual([true, true]);
});

test("mistakes are compile errors", () => {
  // @ts-expect-error -- TensorFlow's name, not a dtype
  const word: DType = "float";
  // @ts-expect-error -- not a DataType number
  const number: DataType = 34;
  // @ts-expect-error -- not a code onebuffer throws
  const code: StatusCode = "ABORTED";
  const view = new DataView(new ArrayBuffer(8));
  const mistakes = [
    // @ts-expect-error -- int64 elements are bigint
    () => elementCodec("int64").write(view, 0, 1),
    // @ts-expect-error -- strings are not raw bytes
    () => elementCodec("string"),
    // @ts-expect-error -- objects have no typed array
    () => typedArrayConstructor("variant"),
  ];
  for (const mistake of mistakes) expect(mistake).toThrow();
  expect([word, number, code]).toEqual(["float", 34, "ABORTED"]);
});
