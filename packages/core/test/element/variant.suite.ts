/** Tests of Variant and VariantTensorData: holding, copying, encoding, and the registry of decode functions. */
import { describe, expect, test } from "@jest/globals";
import type { VariantTensorData, VariantValue } from "@onebuffer/core";
import {
  decodeUnaryVariant,
  disposeVariantTensorData,
  encodeVariant,
  newVariantTensorData,
  registerUnaryVariantDecodeFunction,
  Tensor,
  Variant,
  variantTensorDataDebugString,
  getVariantMetadata,
  setVariantMetadata,
} from "@onebuffer/core";
import { thrown, expectStatus } from "@onebuffer/test-support";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

/** A user-defined variant value: a list of numbers, encoded with eight bytes each. */
class NumberList implements VariantValue {
  static live = 0;
  readonly typeName = "NumberList";
  numbers: number[];
  constructor(numbers: number[]) {
    this.numbers = numbers;
    NumberList.live += 1;
  }
  debugString(): string {
    return `[${this.numbers.join(" ")}]`;
  }
  clone(): NumberList {
    return new NumberList([...this.numbers]);
  }
  dispose(): void {
    NumberList.live -= 1;
  }
  encode(data: VariantTensorData): void {
    data.metadata = new Uint8Array(new Float64Array(this.numbers).buffer);
  }
  decode(data: VariantTensorData): boolean {
    if (data.metadata.length % 8 !== 0) return false;
    this.numbers = Array.from(new Float64Array(data.metadata.slice().buffer));
    return true;
  }
}

describe("numbers", () => {
  const cases: [number | boolean, "int" | "float" | "double" | "bool", string, string][] = [
    [42, "int", "42", "2a000000"],
    [-1, "int", "-1", "ffffffff"],
    [0.1, "float", "0.1", "cdcccc3d"],
    [0.1, "double", "0.1", "9a9999999999b93f"],
    [true, "bool", "1", "01"],
  ];
  test.each(cases)("%p as %s", (value, kind, text, hex) => {
    const variant = new Variant(value, kind);
    expect(variant.debugString()).toBe(`Variant<type: ${kind} value: ${text}>`);
    const data = encodeVariant(variant);
    expect(Buffer.from(data.metadata).toString("hex")).toBe(hex);
    expect(decodeUnaryVariant(data)?.get(kind)).toBe(kind === "float" ? Math.fround(value as number) : value);
    expect(decodeUnaryVariant({ ...data, metadata: data.metadata.slice(1) })).toBeNull();
    expect(new Variant(kind === "bool" ? false : 0, kind).decode(data)).toBe(true);
  });
  test("floats are shown with six significant digits, ints with all", () => {
    const shown = (value: number): string[] => [new Variant(value, "float"), new Variant(value)].map((variant) => variant.summarizeValue());
    expect([Math.PI, 15e9, 123456789, 999999.5, -1e-5].map(shown)).toEqual([
      ["3.14159", "3.14159"],
      ["1.5e+10", "1.5e+10"],
      ["1.23457e+08", "1.23457e+08"],
      ["1e+06", "1e+06"],
      ["-1e-05", "-1e-05"],
    ]);
    expect([NaN, -0, -Infinity].map(shown)).toEqual(["nan", "-0", "-inf"].map((text) => [text, text]));
    expect(new Variant(2147483647, "int").summarizeValue()).toBe("2147483647");
  });
  test("refuses values that the type cannot hold", () => {
    expect(thrown(() => new Variant(1.5, "int"))).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("1.5") });
    expect(thrown(() => new Variant(2 ** 31, "int"))).toMatchObject({ message: expect.stringContaining("2147483648") });
    expect(thrown(() => new Variant(true, "int"))).toMatchObject({ message: expect.stringContaining("true") });
  });
  test("get returns null for another type", () => {
    expect(new Variant(1, "int").get("float")).toBeNull();
    expect(new Variant(1).get(Tensor)).toBeNull();
  });
  test("a bool is true for any byte other than 0", () => {
    expect(decodeUnaryVariant({ typeName: "bool", metadata: new Uint8Array([7]), tensors: [] })?.get("bool")).toBe(true);
  });

  test("a number of each kind is rounded, written and read as its C++ type", () => {
    expect([new Variant(0.1, "float").get("float"), new Variant(0.1, "double").get("double")]).toEqual([Math.fround(0.1), 0.1]);
    const variants = [new Variant(1 / 3, "float"), new Variant(1 / 3, "double"), new Variant(false, "bool"), new Variant(true, "bool")];
    expect(variants.map((variant) => variant.summarizeValue())).toEqual(["0.333333", "0.333333", "0", "1"]);
    for (const [value, kind] of [
      [7, "int"],
      [1.5, "double"],
      [1.5, "float"],
      [true, "bool"],
      [false, "bool"],
    ] as const) {
      const data = newVariantTensorData();
      setVariantMetadata(data, value, kind);
      expect(getVariantMetadata(data, kind)).toBe(value);
    }
  });
});

describe("tensors", () => {
  test("are shared, not copied, and released", () => {
    const t = Tensor.from([1, 2]);
    const variant = new Variant(t);
    expect(t.refCount).toBe(2);
    expect(variant.typeName).toBe("tensorflow::Tensor");
    const copy = variant.clone();
    expect(t.refCount).toBe(3);
    expect(copy.get(Tensor)?.toArray()).toEqual([1, 2]);
    copy.dispose();
    copy.dispose();
    variant.clear();
    expect(t.refCount).toBe(1);
    expect(variant.isEmpty()).toBe(true);
    t.dispose();
  });
  test("are encoded as a shared handle and decoded to another", () => {
    using t = Tensor.from([3]);
    using variant = new Variant(t);
    const data = encodeVariant(variant);
    using read = decodeUnaryVariant(data) ?? new Variant();
    expect(read.get(Tensor)?.sharesBufferWith(t)).toBe(true);
    expect(t.refCount).toBe(4);
    expect(variantTensorDataDebugString(data)).toBe(
      "type_name: tensorflow::Tensor metadata:  tensors: Tensor<type: float shape: [1] values: 3>",
    );
    disposeVariantTensorData(data);
    disposeVariantTensorData(data);
    expect(t.refCount).toBe(3);
  });
  test("are not decoded from an empty tensor list (TensorFlow reads past its end)", () => {
    const data = { ...newVariantTensorData(), typeName: "tensorflow::Tensor" };
    expect(decodeUnaryVariant(data)).toBeNull();
    using t = Tensor.from([3]);
    using variant = new Variant(t);
    expect(variant.decode(data)).toBe(false);
    expect(variant.get(Tensor)?.toArray()).toEqual([3]);
  });
});

describe("objects", () => {
  test("are cloned into the Variant and disposed with it", () => {
    const list = new NumberList([1, 2]);
    const variant = new Variant(list);
    expect(NumberList.live).toBe(2);
    expect(variant.get(NumberList)?.numbers).toEqual([1, 2]);
    expect(variant.debugString()).toBe("Variant<type: NumberList value: [1 2]>");
    variant.emplace(new NumberList([5]));
    expect(NumberList.live).toBe(2);
    variant.dispose();
    expect(NumberList.live).toBe(1);
    list.dispose();
  });
  test("swap exchanges the values without copying them", () => {
    const a = new Variant(new NumberList([1]));
    const b = new Variant();
    a.swap(b);
    expect([a.isEmpty(), b.typeName]).toEqual([true, "NumberList"]);
    b.dispose();
    NumberList.live = 0;
  });
  test("without debugString are shown as ?, without encode cannot be encoded", () => {
    const variant = new Variant({ typeName: "Odd" });
    expect(variant.summarizeValue()).toBe("?");
    expect(thrown(() => encodeVariant(variant))).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("Odd") });
    expect(variant.decode(newVariantTensorData())).toBe(false);
  });
  test("must have a type name that is not a plain number's, and cannot be Variants", () => {
    expect(thrown(() => new Variant({ typeName: "" }))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(thrown(() => new Variant({ typeName: "int" }))).toMatchObject({ message: expect.stringContaining("int") });
    expect(thrown(() => new Variant(new Variant(1)))).toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("the registry", () => {
  test("decodes by type name and refuses a second registration", () => {
    registerUnaryVariantDecodeFunction("NumberList", (data) => {
      const list = new NumberList([]);
      return list.decode(data) ? list : null;
    });
    const data = encodeVariant(new Variant(new NumberList([1.5])));
    const read = decodeUnaryVariant(data);
    expect(read?.get(NumberList)?.numbers).toEqual([1.5]);
    expect(decodeUnaryVariant({ ...data, metadata: new Uint8Array(3) })).toBeNull();
    expect(thrown(() => registerUnaryVariantDecodeFunction("NumberList", () => null))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("NumberList"),
    });
    expect(thrown(() => registerUnaryVariantDecodeFunction("", () => null))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(thrown(() => registerUnaryVariantDecodeFunction("tensorflow::Tensor", () => null))).toMatchObject({ code: "INVALID_ARGUMENT" });
  });
  test("returns null and disposes the value if its type name is not the registered one", () => {
    let ended = 0;
    registerUnaryVariantDecodeFunction("Liar", () => ({ typeName: "Other", dispose: () => void ended++ }));
    expect(decodeUnaryVariant({ typeName: "Liar", metadata: new Uint8Array(0), tensors: [] })).toBeNull();
    expect(ended).toBe(1);
  });
  test("decodes data without a name as the empty Variant if there are no bytes, otherwise as null", () => {
    expect(decodeUnaryVariant(newVariantTensorData())?.isEmpty()).toBe(true);
    expect(decodeUnaryVariant({ typeName: "", metadata: new Uint8Array(1), tensors: [] })).toBeNull();
    expect(decodeUnaryVariant({ typeName: "toString", metadata: new Uint8Array(0), tensors: [] })).toBeNull();
  });
  test("decode on an empty Variant returns true and does nothing", () => {
    const variant = new Variant();
    expect(variant.decode({ typeName: "int", metadata: new Uint8Array(4), tensors: [] })).toBe(true);
    expect(variant.isEmpty()).toBe(true);
  });
});

test("a variant tensor keeps its elements alive until its last slice is disposed", () => {
  using inner = Tensor.from([1]);
  const t = new Tensor("variant", [2]);
  {
    using value = new Variant(inner);
    t.vec().set(0, value);
    expect(inner.refCount).toBe(3);
  }
  expect(inner.refCount).toBe(2);
  using slice = t.slice(0, 1);
  t.dispose();
  expect(slice.vec().at(0).get(Tensor)?.toArray()).toEqual([1]);
  slice.dispose();
  expect(inner.refCount).toBe(1);
});

test("metadata of another kind or with another value is refused", () => {
  const set = (value: unknown, kind: string) => () => setVariantMetadata(newVariantTensorData(), value as Any, kind as Any);
  expectStatus(set(1, "long"), "INVALID_ARGUMENT", "int, float, double or bool");
  expectStatus(set("1", "float"), "INVALID_ARGUMENT", "a value of type float");
  expectStatus(set(true, "double"), "INVALID_ARGUMENT", "a value of type double");
  expectStatus(set(1, "bool"), "INVALID_ARGUMENT", "a value of type bool");
  expectStatus(set(1.5, "int"), "INVALID_ARGUMENT", "an int32");
});

test("variant data without one of its parts is refused", () => {
  const whole = newVariantTensorData();
  const wrong: readonly unknown[] = [
    undefined,
    null,
    7,
    { ...whole, typeName: undefined },
    { ...whole, metadata: [1] },
    { ...whole, tensors: null },
    { ...whole, tensors: [{}] },
  ];
  for (const data of wrong) {
    expectStatus(() => decodeUnaryVariant(data as Any), "INVALID_ARGUMENT", "variant data");
    expectStatus(() => getVariantMetadata(data as VariantTensorData, "int"), "INVALID_ARGUMENT", "variant data");
  }
});

test("a variant is asked for a class or a type name, and holds values with a name of their own", () => {
  using variant = new Variant(1, "int");
  expectStatus(() => variant.get(7 as Any), "INVALID_ARGUMENT", "a class or the name of a number's type");
  expectStatus(() => variant.get(null as Any), "INVALID_ARGUMENT", "a class or the name of a number's type");
  for (const typeName of [7, "", undefined, "int"])
    expectStatus(() => new Variant({ typeName } as Any), "INVALID_ARGUMENT", "a type name of its own");
});
