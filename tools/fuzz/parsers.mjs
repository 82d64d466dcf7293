// Decoders and parsers beside those of packages/io: messages, shapes, slices and text formats. Each is a target as packages/io's fuzzer has
// them: well-formed inputs, words of the format, and a function that reads an input and throws only StatusErrors.
import { TensorShape } from "@onebuffer/shape";
import { TensorSlice } from "@onebuffer/slice";
import * as proto from "@onebuffer/proto";
import { Tensor } from "@onebuffer/core";
import { parseLayout, parseShape } from "@onebuffer/xla";
import { parseNpyHeader, writeNpy } from "@onebuffer/io";

const utf8 = new TextEncoder();
const text = new TextDecoder();
const textTarget = (name, seeds, words, parse) => ({
  name,
  words,
  seeds: async () => seeds.map((each) => utf8.encode(each)),
  read: (bytes) => {
    parse(text.decode(bytes));
    return 0;
  },
});

/** A tensor of each group of dtypes, as messages in both forms. */
function tensorFiles() {
  return [
    [1.5, 2],
    ["a", "bc"],
    [true, false],
    [1n, -2n],
  ].flatMap((list) => {
    const tensor = Tensor.from(list);
    const files = [tensor.asProtoField(), tensor.asProtoTensorContent()].map((message) => proto.tensorProtoCodec.encode(message));
    tensor.dispose();
    return files;
  });
}

const codecTarget = (name, codec, files) => ({
  name,
  words: [],
  seeds: async () => files(),
  read: (bytes) => {
    codec.decode(bytes);
    return 0;
  },
});

export const kParsers = [
  codecTarget("TensorProto", proto.tensorProtoCodec, tensorFiles),
  codecTarget("TensorShapeProto", proto.tensorShapeProtoCodec, () =>
    [new TensorShape([2, 3]).asProto(), { unknownRank: true }].map((message) => proto.tensorShapeProtoCodec.encode(message)),
  ),
  codecTarget("Example", proto.exampleCodec, () =>
    [{ int64List: { value: [1n, 2n] } }, { bytesList: { value: [Uint8Array.of(1)] } }, { floatList: { value: [1.5] } }].map((feature) =>
      proto.exampleCodec.encode({ features: { feature: new Map([["a", feature]]) } }),
    ),
  ),
  textTarget(
    "TensorProto as text",
    ["dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1.5 float_val: -2", 'dtype: DT_STRING string_val: "a\\n\\001"'],
    ["dim {", "size:", "float_val:", "inf", "nan", "0x1p3", "[", "]", "<", ">", "#"],
    (input) => proto.fromTextFormat(proto.tensorProtoCodec, input),
  ),
  textTarget(
    "an XLA shape",
    ["f32[2,3]{1,0:T(2,128)}", "(f32[], s32[4]{0})", "token[]", "bf16[<=8,2]{1,0:T(8,128)(2,1)S(3)}", "f32[?,3]"],
    ["f32", "[", "]", "{", "}", ":T(", "*", "S(1)", "<=", "E(4)", "token"],
    parseShape,
  ),
  textTarget("an XLA layout", ["{1,0}", "{0,1:T(2,128)(2,1)E(4)}"], ["{", "}", ":T(", "*", "S(1)", "D(D,C)"], parseLayout),
  textTarget("a slice", ["-:0,10:14,1", "4:2", "-"], ["-", ":", ",", "9223372036854775807"], (input) => TensorSlice.parse(input)),
  {
    name: "the header of .npy",
    words: ["'descr': ", "'<f4'", "'fortran_order': ", "True", "'shape': ", "(3,)", "[('a', '<i4')]", "{", "}", "L"],
    seeds: async () => {
      const tensor = Tensor.from([1, 2, 3]);
      const file = writeNpy(tensor);
      tensor.dispose();
      return [file];
    },
    read: (bytes) => {
      parseNpyHeader(bytes);
      return 0;
    },
  },
];
