// Every argument form that the tables of the specification document, also those the committed vectors do not use: the
// runner will be given vectors that nobody here has seen. The expectations follow from the specification's text.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { operations } from "../src/operations.ts";
import { runCase } from "../src/run-vectors.ts";
import { toCase } from "../src/vector.ts";
import type { Json, JsonObject } from "../src/vector.ts";

type Form = readonly [op: string, args: JsonObject, expected: Json];

const wrong = ([op, args, expected]: Form): string | null => {
  const failure = typeof expected === "object" && expected !== null && "code" in expected;
  return runCase(toCase({ id: op, op, args, [failure ? "error" : "expect"]: expected }, "test"), operations);
};

const shapes: readonly Form[] = [
  [
    "shape.run",
    { class: "TensorShape", init: { dim: [2, 3] }, steps: [] },
    { dims: [2, 3], rank: 2, unknown_rank: false, fully_defined: true },
  ],
  ["shape.run", { class: "TensorShape", init: { dim: [2], unknown_rank: true }, steps: [] }, { dims: [2] }],
  [
    "shape.run",
    { class: "PartialTensorShape", init: { dim: [2], unknown_rank: true }, steps: [] },
    { rank: -1, dims: [], dim_size: { "0": -1, "7": -1 }, unknown_rank: true },
  ],
  [
    "shape.run",
    { class: "PartialTensorShape", init: "default", steps: [["assign", [3]], ["copy"], ["AppendShape", [-1]]] },
    { debug: "[3,?]" },
  ],
  ["shape.run", { class: "PartialTensorShape", init: [3], steps: [["assign", null]] }, { debug: "<unknown>" }],
  [
    "shape.run",
    {
      class: "PartialTensorShape",
      init: [3, 4],
      steps: [
        ["AppendShapeWithStatus", [5]],
        ["RemoveLastDims", 2],
      ],
    },
    { dims: [3] },
  ],
  [
    "shape.run",
    {
      class: "TensorShape",
      init: "default",
      steps: [
        ["assign", { dim: [4] }],
        ["InsertDim", 0, 9],
        ["RemoveDim", 1],
      ],
    },
    { dims: [9], dtype: "DT_INVALID" },
  ],
  ["shape.run", { class: "TensorShape", init: [2], steps: [["set_data_type", "DT_HALF"], ["Clear"]] }, { dtype: "DT_INVALID" }],
  ["shape.run", { class: "TensorShape", init: [-1], steps: [] }, { code: "CHECK", contains: "-1" }],
  ["shape.build", { class: "PartialTensorShape", dims: [-1, 2] }, { dims: [-1, 2], num_elements: -1 }],
  ["shape.from_proto", { class: "TensorShape", proto: { dim: [-1] } }, { code: "CHECK", contains: "-1" }],
  ["shape.make_shape", { class: "TensorShape", dims: [2, 3], int_type: "int32" }, { dims: [2, 3] }],
  ["shape.make_shape", { class: "PartialTensorShape", dims: [-1, 3], int_type: "int32" }, { dims: [-1, 3] }],
  ["shape.is_valid", { class: "TensorShape", init: [2, 3] }, true],
  ["shape.list_string", { class: "PartialTensorShape", shapes: [null, [-1]] }, "[<unknown>, [?]]"],
  ["shape.predicate", { name: "IsScalar", shape: [] }, true],
];

const partials: readonly Form[] = [
  ["partial.concatenate", { a: [1], size: 2, with_status: true }, { dims: [1, 2] }],
  ["partial.concatenate", { a: [1], b: null, with_status: false }, { unknown_rank: true }],
  ["partial.concatenate", { a: [1], b: [2], b_class: "TensorShape", with_status: false }, { dims: [1, 2] }],
  ["partial.concatenate", { a: [1], size: -2, with_status: true }, { dims: [1, -1] }],
  ["partial.merge_with", { a: [1, -1], b: [-1, 2], result_is_self: true }, { code: "INTERNAL", contains: "" }],
  ["partial.merge_with", { a: null, b: [-1, 2], result_is_self: false }, { dims: [-1, 2] }],
  ["partial.merge_with", { a: [-1, 2], b: [1, 2], b_class: "TensorShape" }, { dims: [1, 2] }],
  ["partial.is_identical", { a: [1, 2], b: [1, 2], b_class: "TensorShape" }, true],
  ["partial.is_compatible", { a: [1, -1], b: [1, 2], b_class: "TensorShape" }, true],
  ["partial.as_tensor_shape", { shape: null }, { ok: false }],
  ["partial.most_specific_compatible", { a: [1], b: null }, { shape: null }],
];

const slices: readonly Form[] = [
  ["slice.new", { full: 0 }, { rank: 0, debug: "", is_full: true }],
  ["slice.run", { init: { extents: [[1, 2]] }, steps: [["Clear"], ["Extend", 1]] }, { debug: "-" }],
  ["slice.run", { init: { proto: [{ start: 1, length: 2 }] }, steps: [["SetFullSlice", 0]] }, { rank: 0 }],
  ["slice.run", { init: "1,2", steps: [] }, { debug: "1,2" }],
  ["slice.intersect", { a: 1, b: [[1, 2]] }, { overlaps: true, result: "1,2", result_rank: 1 }],
  ["slice.slice_shape", { slice: "-:-", shape: [2] }, { code: "INTERNAL", contains: "shape = [2], slice = -:-" }],
  ["slice.compute_relative", { base: 1, sub: [[1, 2]] }, "1,2"],
  ["slice.equal", { a: "0,2", b: [[0, 2]] }, true],
  ["slice.extent_length", { extent: { start: 3 } }, { has_length: false, length: -1 }],
  ["slice.copy_between", { shape: [2], src_slice: "0,1", dst_slice: 1, src: [7], dst: [1, 1] }, { copied: true, dst: [7, 1] }],
  [
    "sliceset.register_tensor_slice",
    {
      existing: { name: "w", shape: [2], dtype: "DT_FLOAT", slice: "0,1", tag: "a" },
      new: { name: "w", shape: [2], dtype: "DT_FLOAT", slice: "1,1", tag: "b" },
    },
    "OK",
  ],
];

const tensors: readonly Form[] = [
  ["tensor.info", { new: { dtype: "DT_HALF" } }, { dtype: "DT_HALF", shape: [0], initialized: true, has_buffer: false }],
  ["tensor.info", { new: { dtype: "DT_FLOAT", shape: [4], allocator: "null" } }, { num_elements: 4, initialized: false }],
  ["tensor.info", { new: { dtype: "DT_FLOAT", shape: [4], allocator: "cpu" } }, { initialized: true, refcount: 1, refcount_is_one: true }],
  ["tensor.build", { dtype: "DT_FLOAT", shape: [2] }, { dtype: "DT_FLOAT", shape: [2] }],
  ["tensor.build", { dtype: "DT_FLOAT_REF", shape: [2] }, { code: "INVALID_ARGUMENT", contains: "Unexpected type: 101" }],
  ["tensor.host_scalar", { dtype: "DT_STRING", value: "hello" }, { dtype: "DT_STRING", rank: 0, size: 1, initialized: true }],
  ["tensor.host_scalar", { dtype: "DT_INT64", value: "9223372036854775807" }, { dtype: "DT_INT64", values: ["9223372036854775807"] }],
  ["tensor.host_scalar", { dtype: "DT_COMPLEX64", value: [1, "-Infinity"] }, { values: [[1, "-Infinity"]] }],
  ["tensor.copy_from", { dtype: "DT_STRING", from_shape: [2], shape: [1, 2] }, { ok: true, shares: true, shape: [1, 2] }],
  [
    "tensor.forward_input",
    { in_dtype: "DT_FLOAT", in_shape: [2, 3], out_dtype: "DT_FLOAT", out_shape: [3, 2], refs: 1 },
    { forwarded: true },
  ],
  [
    "tensor.slice_chain",
    {
      dtype: "DT_STRING",
      shape: [3, 2],
      chain: [
        ["slice", 1, 3],
        ["subslice", 1],
      ],
    },
    { shape: [2], shares_root: true, is_sub_buffer: true },
  ],
  [
    "tensor.total_bytes",
    { dtype: "DT_STRING", shape: [2], values: ["é", { hex: "00ff00" }] },
    { string_payload_bytes: 5, elements: 2, total_bytes: 53 },
  ],
  [
    "tensor.reinterpret_last_dimension",
    { dtype: "DT_INT8", shape: [1, 4], values: [1, 0, 0, 0], as: "DT_INT32", ndims: 1 },
    { dims: [1], values: [1] },
  ],
  [
    "tensor.reinterpret_last_dimension",
    { dtype: "DT_INT32", shape: [2], values: [5, 6], as: "DT_INT32", ndims: 1 },
    { dims: [2], values: [5, 6] },
  ],
  ["tensor.concat", { tensors: [] }, { code: "INVALID_ARGUMENT", contains: "" }],
  [
    "tensor.concat",
    {
      dtype: "DT_FLOAT",
      tensors: [
        { shape: [1], values: ["NaN"] },
        { shape: [2], values: ["-0", 1.5] },
      ],
    },
    { shape: [3], values: ["NaN", "-0", 1.5], shares_with_inputs: false },
  ],
  [
    "tensor.split",
    { dtype: "DT_STRING", shape: [2], values: ["a", "b"], sizes: [1, 1] },
    { tensors: [{ shape: [1], values: ["a"] }, { values: ["b"] }] },
  ],
  ["tensor.split", { dtype: "DT_FLOAT", shape: [], values: [1], sizes: [1] }, { code: "INVALID_ARGUMENT", contains: "" }],
  ["tensor.make_shape", { dtype: "DT_FLOAT", shape: [1], values: [2] }, { code: "INVALID_ARGUMENT", contains: "" }],
];

const view = (dtype: string, shape: Json, rest: JsonObject, expected: Json): Form => [
  "tensor.view",
  { dtype, shape, view: rest },
  expected,
];

const views: readonly Form[] = [
  view("DT_FLOAT", [2, 3], { kind: "matrix" }, { dims: [2, 3], at: [[[1, 1], 4]] }),
  view("DT_DOUBLE", [3], { kind: "vec", as: "DT_DOUBLE" }, { dims: [3], at: [[[2], 2]] }),
  view("DT_FLOAT", [], { kind: "scalar" }, { dims: [], rank: 0, at: [[[], 0]] }),
  view("DT_COMPLEX64", [2, 2], { kind: "tensor", ndims: 2 }, { dims: [2, 2], at: [[[1, 0], 2]] }),
  view("DT_INT64", [2, 2], { kind: "flat" }, { dims: [4], at: [[[3], 3]] }),
  view("DT_BOOL", [2, 3], { kind: "shaped", sizes: [3, 2] }, { dims: [3, 2], at: [[[2, 1], 5]] }),
  view("DT_STRING", [2, 3], { kind: "unaligned_shaped", sizes: [6] }, { dims: [6], at: [[[4], 4]] }),
  view("DT_VARIANT", [2, 3], { kind: "flat_inner_dims" }, { dims: [2, 3], at: [[[1, 2], 5]] }),
  view("DT_RESOURCE", [2, 3], { kind: "flat_outer_dims" }, { dims: [2, 3], at: [[[1, 0], 3]] }),
  view("DT_BFLOAT16", [2, 3, 4, 5], { kind: "flat_inner_outer_dims", begin: 1 }, { dims: [6, 4, 5], at: [[[5, 3, 4], 119]] }),
  view("DT_INT32", [2, 3], { kind: "bit_casted_tensor", ndims: 2, as: "DT_FLOAT" }, { dims: [2, 3], at: [[[1, 2], 5]] }),
  view("DT_INT32", [2], { kind: "bit_casted_shaped", sizes: [2, 4], as: "DT_UINT8" }, { dims: [2, 4], at: [[[1, 3], 7]] }),
  view("DT_INT8", [2, 4], { kind: "reinterpret_last_dimension", ndims: 1, as: "DT_INT32" }, { dims: [2], at: [[[1], 1]] }),
  view("DT_FLOAT", [2, 3], { kind: "tensor", ndims: 3 }, { code: "CHECK", contains: "3 dimensions from a tensor of 2" }),
  view("DT_FLOAT", [2, 3], { kind: "shaped", sizes: [6], as: "DT_INT32" }, { code: "CHECK", contains: "int32" }),
];

const script = (steps: Json, checks: Json): Form => ["tensor.script", { steps }, { checks }];

const scripts: readonly Form[] = [
  script(
    [
      ["new", "a", "DT_INT64", [3]],
      ["iota", "a"],
    ],
    [
      ["values", "a", [0, 1, 2]],
      ["num_elements", "a", 3],
      ["aligned", "a", true],
    ],
  ),
  script(
    [
      ["new", "a", "DT_INT32", [2, 2]],
      ["fill_rows", "a"],
      ["subslice", "b", "a", 1],
      ["fill", "b", 7],
    ],
    [
      ["values", "a", [0, 0, 7, 7]],
      ["value_at", "b", 1, 7],
      ["shares", "a", "b", true],
    ],
  ),
  script(
    [
      ["new", "a", "DT_INT32", [2]],
      ["new", "b", "DT_INT32", [3]],
      ["assign", "a", "b"],
      ["assign", "a", "a"],
    ],
    [
      ["shares", "a", "b", true],
      ["refcount", "a", 2],
      ["live_buffers", 1],
    ],
  ),
  script(
    [
      ["new", "a", "DT_INT32", [2]],
      ["copy", "b", "a"],
      ["drop", "a"],
    ],
    [
      ["refcount", "b", 1],
      ["live_buffers", 1],
    ],
  ),
  script(
    [
      ["empty", "a", "DT_STRING"],
      ["default", "b"],
    ],
    [
      ["dtype", "a", "DT_STRING"],
      ["shape", "b", [0]],
      ["shares", "b", "b", false],
    ],
  ),
  script(
    [
      ["new", "a", "DT_VARIANT", [2]],
      ["set_values", "a", [{ empty: true }, { tensor: { dtype: "DT_INT32", shape: [1], values: [4] } }]],
      ["copy", "b", "a"],
    ],
    [["values", "b", [{ empty: true }, { tensor: { dtype: "DT_INT32", shape: [1], values: [4] } }]]],
  ),
  script(
    [
      ["new", "a", "DT_RESOURCE", [1]],
      ["set_values", "a", [{ name: "v", hash_code: 255, dtypes_and_shapes: [{ dtype: "DT_FLOAT", shape: [-1] }] }]],
    ],
    [["values", "a", [{ name: "v", hash_code: 255, dtypes_and_shapes: [{ dtype: "DT_FLOAT", shape: [-1] }] }]]],
  ),
  script(
    [
      ["new", "a", "DT_FLOAT", [4]],
      ["slice", "b", "a", 1, 3],
      ["reference", "r", "b"],
    ],
    [
      ["refcount", "a", 3],
      ["same_data", "a", "b", false],
      ["aligned", "b", false],
    ],
  ),
  script(
    [
      ["new", "a", "DT_BOOL", [2]],
      ["fill", "a", true],
      ["deep_copy", "b", "a"],
      ["fill", "a", false],
    ],
    [
      ["values", "b", [true, true]],
      ["live_buffers", 2],
    ],
  ),
  script(
    [
      ["new", "a", "DT_FLOAT", [2, 2]],
      ["fill", "a", 0],
      ["fill_view_block", "a", [4], [1], [2], 5],
    ],
    [["values", "a", [0, 5, 5, 0]]],
  ),
  script(
    [
      ["new", "a", "DT_FLOAT", [2]],
      ["default", "b"],
      ["copy_from", "b", "a", [3]],
    ],
    [
      ["shape", "b", [0]],
      ["shares", "a", "b", false],
    ],
  ),
];

const counts: readonly Form[] = [
  [
    "refcount.script",
    {
      steps: [
        ["new", "r"],
        ["scoped_unref", "r"],
      ],
    },
    {
      checks: [
        ["destroyed", 1],
        ["constructed", 1],
      ],
    },
  ],
  [
    "refcount.script",
    {
      steps: [
        ["ptr", "p", null],
        ["ptr_get_new_ref", "q", "p"],
        ["ptr_reset", "p"],
      ],
    },
    { checks: [["destroyed", 0]] },
  ],
  [
    "refcount.script",
    {
      steps: [
        ["new_weak", "o"],
        ["weak", "w", "o"],
        ["weak_copy", "v", "w"],
      ],
    },
    {
      checks: [
        ["weak_count", "o", 2],
        ["weak_get", "v", true],
        ["count", "o", 1],
      ],
    },
  ],
  [
    "refcount.script",
    {
      steps: [
        ["new_weak", "o"],
        ["unref", "o"],
        ["weak", "w", "o", "f"],
      ],
    },
    {
      checks: [
        ["weak_get", "w", false],
        ["calls", "f", 0],
        ["notified_before_destructor", false],
      ],
    },
  ],
  [
    "allocattr.value",
    { on_host: false, nic_compatible: false, gpu_compatible: false, use_pjrt_allocator: true },
    { value: 8, use_pjrt_allocator: true },
  ],
  ["allocattr.le", { a: { value: 1 }, b: { value: 3, scope_id: 1 } }, true],
  ["typed_allocator.allocate", { element_size: 1, count: 4 }, { null: false }],
  ["typed_allocator.allocate", { element_size: 4, count: 4, allocator: "null" }, { null: true }],
  ["allocator.tracks_sizes", { allocator: "exact_tracking" }, true],
  [
    "tracking.script",
    { underlying: "no_memory", track_sizes: true, steps: [["alloc", "p", 4]] },
    {
      checks: [
        ["null", "p", true],
        ["sizes", [0, 0, 0]],
        ["records", []],
      ],
    },
  ],
  [
    "tracking.script",
    {
      underlying: "cpu_no_tracking",
      track_sizes: true,
      steps: [
        ["alloc", "p", 4],
        ["free", "p"],
        ["alloc", "q", 12],
      ],
    },
    {
      checks: [
        ["sizes_at_least", [16, 12, 12]],
        ["id", "q", 2],
        ["requested", "p", 0],
      ],
    },
  ],
];

const f32 = (dims: Json, more: JsonObject = {}): JsonObject => ({ type: "f32", dims, ...more });

const xla: readonly Form[] = [
  ["byteSizeOf", { shape: { tuple: [f32([2]), f32([3])] }, pointerSize: 4 }, 8],
  ["byteSizeOf", { shape: { tuple: [f32([2]), f32([3])] } }, 16],
  ["defaultLayout", { shape: f32([2, 3]), mode: "minor2major" }, [0, 1]],
  ["defaultLayout", { shape: f32([2, 3]) }, [1, 0]],
  ["validate", { shape: f32([2, 3]), optionalLayout: true }, true],
  ["validate", { shape: f32([2, 3]), optionalLayout: false }, { code: "INVALID_ARGUMENT", contains: "" }],
  ["reshapeIsBitcast", { a: f32([2, 3], { m2m: [1, 0] }), b: { type: "s32", dims: [6], m2m: [0] }, ignoreElementType: true }, true],
  [
    "reshapeOrTransposeIsBitcast",
    { a: f32([2, 3], { m2m: [1, 0] }), b: { type: "s32", dims: [6], m2m: [0] }, ignoreElementType: false },
    false,
  ],
  [
    "transposeIsBitcast",
    { a: f32([2, 3], { m2m: [1, 0] }), b: f32([3, 2], { m2m: [0, 1] }), mapping: [1, 0], ignoreElementType: true },
    true,
  ],
  ["shapeToString", { shape: f32([2, "?"], { m2m: [1, 0] }), withLayout: true }, "f32[2,?]{1,0}"],
  ["shapeToString", { shape: f32([2, 3], { m2m: [1, 0] }) }, "f32[2,3]"],
  ["layoutBuffer", { shape: f32([2], { m2m: [0], padded: [4] }), values: [1, 2], fill: -1 }, [1, 2, -1, -1]],
  [
    "layoutBuffer",
    { shape: f32([2], { m2m: [0], padded: [4], padding_value: "LOWEST_PAD" }), values: [1, 2] },
    [1, 2, "-Infinity", "-Infinity"],
  ],
  ["layoutBuffer", { shape: { type: "s4", dims: [3], m2m: [0], esb: 4 }, values: [-8, 0, 7] }, [-8, 0, 7]],
  ["readBuffer", { shape: { type: "s64", dims: [2], m2m: [0] }, buffer: ["9223372036854775807", 1] }, ["9223372036854775807", 1]],
  ["readBuffer", { shape: { type: "bf16", dims: [2], m2m: [0] }, buffer: [1.5, "-0"] }, [1.5, "-0"]],
  [
    "relayout",
    { src: { type: "pred", dims: [2, 2], m2m: [1, 0] }, dst: { type: "pred", dims: [2, 2], m2m: [0, 1] }, buffer: [0, 1, true, true] },
    [false, true, 1, 1],
  ],
  [
    "relayout",
    { src: { type: "c64", dims: [2], m2m: [0] }, dst: { type: "c64", dims: [2], m2m: [0], tiles: [[2]] }, buffer: [[1, 2], 3] },
    [
      [1, 2],
      [3, 0],
    ],
  ],
  ["sliceValues", { shape: f32([4], { m2m: [0] }), values: [1, 2, 3, 4], start: [0], limit: [4], stride: [2] }, [1, 3]],
  ["forEachIndexStop", { shape: f32([2, 2], { m2m: [1, 0] }), base: [0, 0], count: [2, 2], incr: [1, 1], stopAfter: 1 }, [[0, 0]]],
  ["makeShape", { type: "f32", dims: [2, "?"], dynamic: [true, true] }, f32([2, "?"], { m2m: [1, 0], dyn: [true, true] })],
  ["makeShape", { type: "f32", dims: [2] }, f32([2], { m2m: [0] })],
  ["equal", { a: f32([2]), b: { type: "bf16", dims: [2] }, ignore: ["fpPrecision", "layout", "dynamic"] }, true],
  [
    "layoutEqual",
    {
      a: { m2m: [0], mem: 1, tail: 2, split: [] },
      b: { m2m: [0] },
      ignore: ["memorySpace", "tail", "splitConfig", "tiles", "elementSize"],
    },
    true,
  ],
  ["getSubshape", { shape: { tuple: [{ type: "token" }, { buffer: f32([2]) }] }, index: [1] }, { buffer: f32([2]) }],
  ["bumpIndices", { shape: f32([2, 2]), index: [0, 1] }, { ok: true, index: [1, 0] }],
];

const bfc = (options: JsonObject, steps: Json, checks: Json): Form => [
  "bfc.script",
  { options: { total_memory: 1048576, ...options }, steps },
  { checks },
];

const arenas: readonly Form[] = [
  bfc(
    {},
    [
      ["alloc", "a", 0],
      ["free", "a"],
      ["alloc", "b", 2097152],
    ],
    [
      ["null", "a", true],
      ["null", "b", true],
      ["pool_bytes", 0],
      ["regions", []],
      ["chunks", []],
      ["occupancy", "<allocator contains no memory>"],
    ],
  ),
  bfc(
    { allow_growth: false },
    [
      ["alloc_range", "p", 255, 257],
      ["free", "p256"],
    ],
    [
      [
        "chunks",
        [
          [0, 256, 255, true],
          [256, 256, null, false],
          [512, 512, 257, true],
          [1024, 1047552, null, false],
        ],
      ],
      ["num_free_chunks", 2],
      ["offset", "p257", 512],
    ],
  ),
  bfc(
    { total_memory: 16777216 },
    [
      ["alloc", "a", 2097152],
      ["alloc", "b", 2097152],
    ],
    [
      ["regions", [[0, 6291456]]],
      ["num_regions", 1],
      ["next_region_bytes", 8388608],
    ],
  ),
  bfc(
    { total_memory: 16777216, sub_gap: 256 },
    [
      ["alloc", "a", 2097152],
      ["alloc", "b", 2097152],
    ],
    [
      [
        "regions",
        [
          [0, 2097152],
          [2097408, 4194304],
        ],
      ],
    ],
  ),
  bfc(
    { total_memory: 16777216, coalesce: false },
    [
      ["alloc", "a", 2097152],
      ["alloc", "b", 2097152],
    ],
    [
      ["num_regions", 2],
      ["stats", { bytes_limit: 16777216, pool_bytes: 6291456, peak_pool_bytes: 6291456, bytes_reserved: 0 }],
    ],
  ),
  bfc(
    { allow_growth: false, fragmentation_fraction: 0.001 },
    [
      ["alloc", "a", 2816],
      ["alloc", "x", 1],
      ["free", "a"],
      ["alloc", "b", 1536],
    ],
    [
      ["allocated", "b", 1536],
      ["requested", "b", 1536],
    ],
  ),
  bfc(
    { garbage_collection: true },
    [["alloc", "a", 1], ["free_all"], ["dealloc_free_regions"]],
    [
      ["num_regions", 0],
      ["pool_bytes", 0],
    ],
  ),
  bfc({}, [["alloc", "a", 1], ["free_all"], ["dealloc_free_regions"]], [["num_regions", 1]]),
  bfc(
    {},
    [["repeat", 3, [["alloc", "a", 700]]]],
    [
      [
        "bins",
        {
          "1": {
            total_bytes_in_use: 2304,
            total_bytes_in_bin: 2304,
            total_requested_bytes_in_use: 2100,
            total_chunks_in_use: 3,
            total_chunks_in_bin: 3,
          },
          "0": { total_chunks_in_bin: 0 },
        },
      ],
      ["offset", "a", 1536],
    ],
  ),
];

const texts: readonly Form[] = [
  ["tensor.summarize", { dtype: "DT_BOOL", shape: [2], values: [true, false], max_entries: -1 }, "1 0"],
  [
    "tensor.summarize_uninitialized",
    { dtype: "DT_FLOAT", shape: [2], max_entries: 1, print_v2: true },
    "uninitialized Tensor of 2 elements of type 1",
  ],
  ["tensor.summarize_variant", { inner: { empty: true }, shape: [2], max_entries: -1, print_v2: false }, "<[empty]> <[empty]>"],
  ["tensor.debug_string", { dtype: "DT_INT32", shape: [4], values: [1, 2, 3, 4] }, "Tensor<type: int32 shape: [4] values: 1 2 3...>"],
  ["variant.type_name", { holds: "empty" }, ""],
  ["variant.type_name", { holds: "int" }, "int"],
  ["variant.debug_string", { custom_type: "Pair", has_debug_string: true, debug_string: "1 2" }, "Variant<type: Pair value: 1 2>"],
  [
    "resource_handle.summarize",
    { handle: { name: "a", dtypes_and_shapes: [{ dtype: "DT_FLOAT", shape: null }] } },
    'ResourceHandle(name="a", device="", container="", type="", dtype and shapes : "[ DType enum: 1, Shape: <unknown> ]")',
  ],
];

test.each<[string, readonly Form[]]>([
  ["shapes", shapes],
  ["partial shapes", partials],
  ["slices", slices],
  ["tensors", tensors],
  ["views", views],
  ["scripts", scripts],
  ["counts and allocators", counts],
  ["arenas", arenas],
  ["texts", texts],
  ["XLA's operations", xla],
])("the runner knows every form of %s", (_, forms) => {
  expect(forms.map((form) => [form[0], JSON.stringify(form[1]), wrong(form)]).filter(([, , verdict]) => verdict !== null)).toEqual([]);
});

test("every operation of the tables is known", () => {
  const partial = [
    "concatenate",
    "merge_with",
    "is_identical",
    "is_compatible",
    "is_fully_defined",
    "as_tensor_shape",
    "are_compatible",
    "are_identical",
    "most_specific_compatible",
  ];
  const shape = [
    "run",
    "is_valid_proto",
    "is_valid_shape",
    "is_valid",
    "build",
    "from_proto",
    "make_shape",
    "num_elements",
    "eigen_dsizes",
    "to_proto",
    "proto_debug",
    "starts_with",
    "ends_with",
    "same_size",
    "list_string",
    "predicate",
  ];
  const slice = [
    "new",
    "run",
    "parse",
    "build",
    "intersect",
    "slice_shape",
    "compute_relative",
    "update_to_cover",
    "extent_length",
    "from_wire",
    "to_wire",
    "equal",
    "indices_and_sizes",
    "copy_between",
    "encode_name",
    "decode_name",
    "parse_shape_and_slice",
  ];
  const tensor = [
    "info",
    "build",
    "host_scalar",
    "from_proto_null_allocator",
    "view",
    "reinterpret_last_dimension",
    "slice_chain",
    "script",
    "copy_from",
    "bitcast_from",
    "total_bytes",
    "forward_input",
    "summarize",
    "summarize_uninitialized",
    "summarize_resource",
    "summarize_variant",
    "debug_string",
    "device_safe_debug_string",
    "concat",
    "split",
    "make_shape",
  ];
  const others = [
    "dtype.info",
    "dtype.traits",
    "dtype.from_string",
    "sliceset.register",
    "sliceset.query",
    "sliceset.register_tensor_slice",
    "resource_handle.summarize",
    "variant.debug_string",
    "variant.type_name",
    "refcount.script",
    "allocattr.value",
    "allocattr.le",
    "allocattr.merge",
    "typed_allocator.allocate",
    "allocator.tracks_sizes",
    "tracking.script",
    "bfc.script",
    "bfc.bin_num",
    "bfc.rounded_bytes",
    "proto.as_proto_field",
    "proto.as_tensor_content",
    "proto.from_proto",
    "proto.create_tensor_proto",
    "proto.compress",
    "proto.tensor_description",
    "proto.tensor_description_wire",
    "proto.allocation_description_wire",
    "variant_data.to_wire",
    "variant_data.get_metadata_pod",
  ];
  const all = [
    ...partial.map((op) => `partial.${op}`),
    ...shape.map((op) => `shape.${op}`),
    ...slice.map((op) => `slice.${op}`),
    ...tensor.map((op) => `tensor.${op}`),
    ...others,
  ];
  // xla.json brings its own table.
  const { ops } = JSON.parse(readFileSync(new URL("../../vectors/xla.json", import.meta.url), "utf8")) as { ops: JsonObject };
  all.push(...Object.keys(ops));
  expect(Object.keys(operations).sort()).toEqual(all.sort());
});
