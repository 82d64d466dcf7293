// Variants in messages: registered, unknown, nested, malformed; and the reference counts of the tensors in them.
import { describe, expect, test } from "@jest/globals";
import type { TensorProto, VariantTensorData, VariantTensorDataProto } from "@onebuffer/core";
import { liveBuffers } from "@onebuffer/allocator";
import {
  disposeVariantTensorData,
  getVariantMetadata,
  hasUnaryVariantDecodeFunction,
  newVariantTensorData,
  registerUnaryVariantDecodeFunction,
  setVariantMetadata,
  Tensor,
  UnknownVariant,
  Variant,
  variantTensorDataFromProto,
  variantTensorDataToProto,
} from "@onebuffer/core";
import { refusal } from "@onebuffer/test-support";

const kTensor = "tensorflow::Tensor";
const floats: TensorProto = { dtype: 1, tensorShape: { dim: [{ size: 2 }] }, floatVal: Float32Array.of(1, 2) };
const variantOf = (...variantVal: VariantTensorDataProto[]): TensorProto => ({
  dtype: 21,
  tensorShape: { dim: [{ size: variantVal.length }] },
  variantVal,
});
const first = (tensor: Tensor): Variant => (tensor as Tensor<"variant">).flat().at(0);

/** A variant value that encodes itself and counts how many were decoded and disposed. */
class Counter {
  readonly typeName: string = "test.Counter";
  static ended: number = 0;
  readonly count: number;
  readonly tensor: Tensor | null;
  constructor(count: number, tensor: Tensor | null) {
    this.count = count;
    this.tensor = tensor;
  }
  clone(): Counter {
    return new Counter(this.count, this.tensor?.share() ?? null);
  }
  dispose(): void {
    Counter.ended += 1;
    this.tensor?.dispose();
  }
  encode(data: VariantTensorData): void {
    data.metadata = Uint8Array.of(this.count);
    if (this.tensor !== null) data.tensors.push(this.tensor.share());
  }
}
registerUnaryVariantDecodeFunction("test.Counter", (data) => {
  const [count] = data.metadata;
  return count === undefined ? null : new Counter(count, (data.tensors[0]?.share() as Tensor | undefined) ?? null);
});
registerUnaryVariantDecodeFunction("test.Liar", () => ({ typeName: "test.Other", dispose: () => (Counter.ended += 1) }));

test("a tensor in a variant is a view of the message, and is encoded again", () => {
  const before = liveBuffers();
  const tensor = Tensor.fromProto(variantOf({ typeName: kTensor, tensors: [floats] }, {}));
  expect((first(tensor).value as Tensor).toArray()).toEqual([1, 2]);
  const { variantVal } = tensor.asProtoField();
  expect(variantVal).toEqual([
    { typeName: kTensor, metadata: new Uint8Array(0), tensors: [floats] },
    { typeName: "", metadata: new Uint8Array(0), tensors: [] },
  ]);
  tensor.dispose();
  expect(liveBuffers()).toBe(before);
  // The new message has its own bytes.
  expect(variantVal?.[0]?.tensors?.[0]?.floatVal).toEqual(Float32Array.of(1, 2));
});

test("registered types are read by their decode functions", () => {
  const before = liveBuffers();
  using tensor = Tensor.fromProto(variantOf({ typeName: "test.Counter", metadata: Uint8Array.of(7), tensors: [floats] }));
  const value = first(tensor).get(Counter)!;
  expect([value.count, value.tensor?.toArray()]).toEqual([7, [1, 2]]);
  expect(tensor.asProtoField().variantVal).toEqual([{ typeName: "test.Counter", metadata: Uint8Array.of(7), tensors: [floats] }]);
  tensor.dispose();
  expect(liveBuffers()).toBe(before);
});

test.each<[string, VariantTensorDataProto, RegExp]>([
  ["an unregistered name", { typeName: "no.such", tensors: [floats] }, /no decode function .*"no\.such".*unknownVariants/],
  ["data without a type name", { metadata: Uint8Array.of(1, 2, 3) }, /without a type name holds 3 bytes and 0 tensors/],
  ["tensors without a type name", { tensors: [floats] }, /0 bytes and 1 tensors/],
  ["a number of the wrong size", { typeName: "int", metadata: new Uint8Array(3) }, /"int" can be read from 3 bytes/],
  ["no tensor for the type name of Tensor", { typeName: kTensor }, /tensorflow::Tensor/],
  ["a decode function that returns null", { typeName: "test.Counter" }, /"test\.Counter"/],
  ["a decoded value with another type name", { typeName: "test.Liar", tensors: [floats] }, /"test\.Liar"/],
  [
    "a bad tensor",
    { typeName: kTensor, tensors: [floats, { dtype: 1, tensorContent: new Uint8Array(3) }] },
    /variantVal\[1\]: tensors\[1\]: .*3 bytes/,
  ],
  ["a type name that is not a string", { typeName: 7 as unknown as string }, /typeName must be a string, got 7/],
  ["metadata that is not bytes", { metadata: "x" as unknown as Uint8Array }, /metadata must be a Uint8Array/],
  ["tensors that are not an array", { tensors: {} as unknown as TensorProto[] }, /tensors must be an array/],
  ["a variant that is not an object", 7 as unknown as VariantTensorDataProto, /VariantTensorDataProto, got 7/],
])("%s is refused, and nothing is left", (_, proto, words) => {
  const before = liveBuffers();
  const error = refusal(() => Tensor.fromProto(variantOf({ typeName: kTensor, tensors: [floats] }, proto)));
  expect(error.code).toBe("INVALID_ARGUMENT");
  expect(error.message).toMatch(words);
  expect(error.message).toMatch(/variantVal\[1\]/);
  expect(liveBuffers()).toBe(before);
});

describe("unknownVariants: bytes", () => {
  const options = { unknownVariants: "bytes" } as const;
  const proto = variantOf({ typeName: "no.such", metadata: Uint8Array.of(1, 255), tensors: [floats] });

  test("keeps variants of unknown types unchanged", () => {
    const before = liveBuffers();
    using tensor = Tensor.fromProto(proto, options);
    const value = first(tensor).get(UnknownVariant)!;
    expect([value.typeName, value.metadata, (value.tensors[0] as Tensor).toArray()]).toEqual(["no.such", Uint8Array.of(1, 255), [1, 2]]);
    expect(value.debugString()).toContain("type_name: no.such");
    expect(tensor.asProtoField()).toEqual(proto);
    using copy = first(tensor).clone();
    tensor.dispose();
    expect((copy.get(UnknownVariant)!.tensors[0] as Tensor).toArray()).toEqual([1, 2]);
    copy.dispose();
    expect(liveBuffers()).toBe(before);
  });

  test("keeps them also in tensors inside variants", () => {
    const nested = variantOf({ typeName: kTensor, tensors: [proto] });
    using tensor = Tensor.fromProto(nested, options);
    expect(tensor.asProtoField().variantVal?.[0]?.tensors?.[0]).toEqual(proto);
    expect(refusal(() => Tensor.fromProto(nested)).message).toMatch(
      /variantVal\[0\]: tensors\[0\]: TensorProto\.variantVal\[0\]: no decode/,
    );
  });

  test("still refuses malformed variants of known types", () => {
    for (const bad of [{ metadata: Uint8Array.of(1) }, { typeName: "int", metadata: new Uint8Array(3) }, { typeName: "test.Counter" }])
      expect(refusal(() => Tensor.fromProto(variantOf(bad), options)).code).toBe("INVALID_ARGUMENT");
  });
});

describe("nesting", () => {
  const nested = (levels: number): TensorProto => {
    let proto = floats;
    for (let i = 0; i < levels; i += 1) proto = variantOf({ typeName: kTensor, tensors: [proto] });
    return proto;
  };

  test("100 levels are read and written, 101 are refused", () => {
    const before = liveBuffers();
    using tensor = Tensor.fromProto(nested(100));
    using back = Tensor.fromProto(tensor.asProtoField());
    expect(back.numElements).toBe(1);
    expect(refusal(() => Tensor.fromProto(nested(101))).message).toMatch(/100 levels/);
    expect(liveBuffers()).toBe(before + 202);
  });

  test("a message that contains itself is refused", () => {
    const proto = variantOf({});
    (proto.variantVal as VariantTensorDataProto[])[0] = { typeName: kTensor, tensors: [proto] };
    expect(refusal(() => Tensor.fromProto(proto)).message).toMatch(/100 levels/);
  });

  test("a variant that contains itself is refused", () => {
    const tensor = Tensor.zeros([1], { dtype: "variant" });
    using variant = new Variant(tensor);
    tensor.flat().set(0, variant);
    expect(refusal(() => tensor.asProtoField()).message).toMatch(/100 levels/);
    first(tensor).clear();
    tensor.dispose();
  });
});

describe("VariantTensorData", () => {
  test("is the same after conversion to a message and back", () => {
    const data = newVariantTensorData();
    data.typeName = "T";
    setVariantMetadata(data, -2, "int");
    data.tensors.push(Tensor.fromProto(floats));
    const proto = variantTensorDataToProto(data);
    disposeVariantTensorData(data);
    expect(proto).toEqual({ typeName: "T", metadata: Uint8Array.of(254, 255, 255, 255), tensors: [floats] });
    const back = variantTensorDataFromProto(proto);
    expect([back.typeName, getVariantMetadata(back, "int"), (back.tensors[0] as Tensor).toArray()]).toEqual(["T", -2, [1, 2]]);
    disposeVariantTensorData(back);
  });

  test("an invalid tensor leaks none of the others", () => {
    const before = liveBuffers();
    expect(refusal(() => variantTensorDataFromProto({ tensors: [floats, {}] })).message).toMatch(/tensors\[1\]: .*not set/);
    expect(liveBuffers()).toBe(before);
  });

  test.each<[keyof import("@onebuffer/core").VariantNumbers, number[], unknown]>([
    ["int", [42, 0, 0, 0], 42],
    ["int", [42, 0, 0], null],
    ["float", [0, 0, 0xc0, 0x3f], 1.5],
    ["double", [0, 0, 0, 0, 0, 0, 0xf8, 0x3f], 1.5],
    ["bool", [45], true],
    ["bool", [0], false],
    ["bool", [], null],
  ])("%s from %p is %p", (kind, bytes, expected) => {
    expect(getVariantMetadata({ ...newVariantTensorData(), metadata: Uint8Array.from(bytes) }, kind)).toBe(expected);
  });

  test("hasUnaryVariantDecodeFunction returns true for built-in and registered names", () => {
    expect(["int", "bool", kTensor, "test.Counter", "no.such", ""].map(hasUnaryVariantDecodeFunction)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
