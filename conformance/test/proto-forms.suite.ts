// The forms of the operations on messages that the committed vectors do not use, as forms.test.ts does for the others.
import { expect, test } from "@jest/globals";
import { operations } from "../src/operations.ts";
import { runCase } from "../src/run-vectors.ts";
import { toCase } from "../src/vector.ts";
import type { Json, JsonObject } from "../src/vector.ts";

type Form = readonly [op: string, args: JsonObject, expected: Json, more?: JsonObject];

const wrong = ([op, args, expected, more = {}]: Form): string | null =>
  runCase(toCase({ id: op, op, args, expect: expected, ...more }, "test"), operations);

const ramp = Array.from({ length: 60 }, (_, i) => i + 1);
const inner = { dtype: "DT_INT8", shape: [2], values: [-1, 5] };
const innerProto = { dtype: "DT_INT8", tensor_shape: { dim: [2] }, int_val: [-1, 5] };

const forms: readonly Form[] = [
  [
    "shape.to_proto",
    { class: "PartialTensorShape", init: [-1, 3] },
    { proto: { dim: [-1, 3] }, wire: "120b08ffffffffffffffffff0112020803" },
  ],
  ["shape.to_proto", { class: "PartialTensorShape", init: "default" }, { proto: { dim: [], unknown_rank: true }, wire: "1801" }],
  ["slice.from_wire", { wire: "" }, { debug: "", rank: 0 }],
  ["slice.to_wire", { slice: 2 }, "0a000a00"],
  [
    "slice.to_wire",
    {
      slice: [
        [0, -1],
        [1, 3],
      ],
    },
    "0a000a0408011003",
  ],
  ["shapeProtoHex", { shape: { type: "token" }, era: "current" }, "1011"],
  [
    "proto.as_proto_field",
    { dtype: "DT_RESOURCE", shape: [], values: [{ name: "a", hash_code: 5 }] },
    { wire: "081412007205" + "1a01612005" },
  ],
  [
    "proto.as_proto_field",
    { dtype: "DT_VARIANT", shape: [1], values: [{ empty: true }] },
    { proto: { dtype: "DT_VARIANT", tensor_shape: { dim: [1] }, variant_val: [{}] } },
  ],
  ["proto.as_tensor_content", { dtype: "DT_VARIANT", shape: [2], values: [{ empty: true }, { empty: true }] }, { tensor_content: "0000" }],
  [
    "proto.as_tensor_content",
    { dtype: "DT_COMPLEX64", shape: [], values: [[1, "-0"]] },
    { tensor_content: "0000803f00000080", wire_len: 14 },
  ],
  ["proto.from_proto", { wire: "ff" }, { ok: false }],
  ["proto.from_proto", { wire: "08071203120108" }, { ok: false }],
  [
    "proto.from_proto",
    {
      wire: "08151204120208017a2b0a1274656e736f72666c6f773a3a54656e736f721a1508061204120208023a0bffffffffffffffffff0105",
      proto: { dtype: "DT_VARIANT", tensor_shape: { dim: [1] }, variant_val: [{ type_name: "tensorflow::Tensor", tensors: [innerProto] }] },
    },
    { ok: true, values: [{ tensor: inner }] },
  ],
  ["proto.from_proto", { wire: "08147200" }, { ok: true, dtype: "DT_RESOURCE", shape: [], values: [{}] }],
  [
    "proto.create_tensor_proto",
    { dtype: "DT_COMPLEX128", shape: [1], values: [[1, 2]] },
    { proto: { dtype: "DT_COMPLEX128", tensor_shape: { dim: [1] }, dcomplex_val: [1, 2] } },
  ],
  ["proto.create_tensor_proto", { dtype: "DT_STRING", shape: [], values: [{ hex: "ff" }] }, { wire: "080712004201ff" }],
  ["proto.tensor_description", { dtype: "DT_FLOAT", shape: [2] }, { dtype: "DT_FLOAT", shape: [2] }],
  ["proto.tensor_description_wire", { dtype: "DT_INT8", shape: [] }, "08061200"],
  ["proto.allocation_description_wire", {}, ""],
  ["tensor.from_proto_null_allocator", { dtype: "DT_FLOAT", shape: [0], values: [] }, { ok: true, shape: [0] }],
  ["variant_data.to_wire", {}, ""],
  ["variant_data.to_wire", { type_name: "T", tensors: [inner] }, "0a01541a150806120412020802" + "3a0b" + "ffffffffffffffffff0105"],
  ["variant_data.get_metadata_pod", { metadata_hex: "2a000000", as: "int32" }, { ok: true, value: 42 }],
  ["variant_data.get_metadata_pod", { metadata_hex: "0000c03f", as: "float" }, { ok: true, value: 1.5 }],
  ["variant_data.get_metadata_pod", { metadata_hex: "2d", as: "bool" }, { ok: true, value: true }],
  ["variant_data.get_metadata_pod", { metadata_hex: "", as: "double" }, { ok: false }],
  [
    "proto.compress",
    { proto: { dtype: "DT_INT8", tensor_shape: { dim: [100] }, int_val: ramp }, min_num_elements: 64, min_compression_ratio: 2 },
    { compressed: true, content_bytes: 1, after_wire: "00" },
    { tf_defect: true },
  ],
  [
    "proto.compress",
    {
      proto: { dtype: "DT_HALF", tensor_shape: { dim: [64] }, half_val_repeat: [32768, 64] },
      min_num_elements: 64,
      min_compression_ratio: 2,
    },
    { compressed: true, num_values: 1, content_bytes: 0 },
  ],
  [
    "proto.compress",
    { gen: { dtype: "DT_QUINT16", length: 64, tail_length: 60, as_field: false }, min_num_elements: 64, min_compression_ratio: 2 },
    { compressed: true, num_values: 5 },
  ],
  [
    "proto.compress",
    { wire: "0863", min_num_elements: 0, min_compression_ratio: 1 },
    { compressed: false, after_wire: "0863", num_values: 0 },
  ],
];

test.each(forms)("%s %j", (...form) => {
  expect(wrong(form)).toBeNull();
});

test.each<Form>([
  ["proto.from_proto", { wire: "0801", proto: { dtype: "DT_DOUBLE" } }, { ok: true }],
  [
    "proto.as_proto_field",
    { dtype: "DT_FLOAT", shape: [1], values: [1] },
    { proto: { dtype: "DT_FLOAT", tensor_shape: { dim: [1] }, float_val: [2] } },
  ],
  ["proto.as_proto_field", { dtype: "DT_FLOAT", shape: [1], values: [1] }, { proto: { dtype: "DT_FLOAT", odd: 1 } }],
  ["proto.compress", { min_num_elements: 1, min_compression_ratio: 1 }, { compressed: false }],
  ["variant_data.get_metadata_pod", { metadata_hex: "", as: "int128" }, { ok: false }],
  ["shapeProtoHex", { shape: { type: "token" }, era: "2019" }, "1011"],
])("%s %j fails when the answer is %j", (...form) => {
  expect(wrong(form)).not.toBeNull();
});
