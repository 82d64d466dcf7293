// Compares the columns of the table of dtypes with each other and with the codecs.
import { expect, test } from "@jest/globals";
import { allDTypes, dtypeSize, elementCodec, isRawDType, typedArrayConstructor } from "@onebuffer/base";
import { dtypeRows, dtypesOfClass, isSmallDType } from "@onebuffer/base/internal";
import type { RawDType } from "@onebuffer/base";

const raw = allDTypes.filter((dtype): dtype is RawDType => isRawDType(dtype));

/** Returns the numbers of all bit patterns of a float of 16 bits or less, sorted. */
function numbersOf(dtype: RawDType): readonly number[] {
  const view = new DataView(new ArrayBuffer(2));
  return Array.from({ length: 2 ** dtypeRows[dtype].bits }, (_, pattern) => {
    view.setUint16(0, pattern, true);
    return elementCodec(dtype).read(view, 0) as number;
  })
    .filter((x) => Number.isFinite(x))
    .sort((a, b) => a - b);
}

test("the numbers are those of TensorFlow from 1 on, without gaps", () => {
  expect(allDTypes.map((dtype) => dtypeRows[dtype].number)).toEqual(allDTypes.map((_, i) => i + 1));
});

test("a class has its dtypes in the order of the table", () => {
  expect(dtypesOfClass("smallUint", "bool")).toEqual(["bool", "uint4", "uint2"]);
});

test.each(raw)("%s fills the slots of its array, unless it is small", (dtype) => {
  const { class: kind, bits } = dtypeRows[dtype];
  const slots = kind === "complex" ? 2 : 1;
  const ofArray = typedArrayConstructor(dtype).BYTES_PER_ELEMENT * slots;
  expect([dtypeSize(dtype), elementCodec(dtype).bytes]).toEqual([ofArray, ofArray]);
  expect(isSmallDType(dtype) ? bits <= 8 : bits === ofArray * 8).toBe(true);
});

test.each(raw.filter((dtype) => dtypeRows[dtype].float !== undefined && dtypeRows[dtype].bits <= 16))(
  "the format of %s is that of its codec",
  (dtype) => {
    const numbers = numbersOf(dtype);
    const [significandBits, minExponent, largest] = dtypeRows[dtype].float!;
    const ofOne = numbers.filter((x) => x >= 1 && x < 2);
    expect([2 ** (significandBits - 1), 2 ** minExponent, largest]).toEqual([ofOne.length, numbers.find((x) => x > 0), numbers.at(-1)]);
  },
);

test("the formats of float32, float64 and of complex parts are those of JavaScript", () => {
  const single = [24, Math.log2(new Float32Array(Uint32Array.of(1).buffer)[0]!), new Float32Array(Uint32Array.of(0x7f7fffff).buffer)[0]!];
  const double = [53, Math.log2(Number.MIN_VALUE), Number.MAX_VALUE];
  const { float32, float64, complex64, complex128 } = dtypeRows;
  expect([float32.float, complex64.float, float64.float, complex128.float]).toEqual([single, single, double, double]);
});

test("only floats and complex numbers have a format", () => {
  const has = Object.keys(dtypeRows).filter((dtype) => dtypeRows[dtype as RawDType].float !== undefined);
  expect(has).toEqual(dtypesOfClass("float", "complex", "smallFloat"));
});
