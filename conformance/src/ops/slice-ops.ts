/**
 * The operations on TensorSlice (tf-slice.json): construction, parsing, intersection, covering, encoded names.
 */
import { tensorSliceProtoCodec } from "@onebuffer/proto";
import { TensorSlice, decodeTensorNameSlice, encodeTensorNameSlice, parseShapeAndSlice } from "@onebuffer/slice";
import { TensorShape } from "@onebuffer/shape";
import { checkKeys, toList, toSize, toText } from "../args.ts";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import { fromHex, toHex } from "../compare.ts";
import type { State } from "../compare.ts";
import { toExtents, toShape, toSlice, toSliceProto } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { isJsonObject, RunnerError } from "../vector.ts";
import type { Json } from "../vector.ts";

/** Returns an object with a value for each dimension. Its keys are the indices of the dimensions. */
function perDimension<T>(slice: TensorSlice, read: (d: number) => T): Record<string, T> {
  return Object.fromEntries(Array.from(slice, (_, d) => [String(d), read(d)]));
}

/** The keys that a case may expect of a slice. */
function sliceState(slice: TensorSlice): State {
  return {
    rank: () => slice.dims,
    dims: () => slice.dims,
    debug: () => slice.debugString(),
    is_full: () => slice.isFull(),
    is_full_at: () => perDimension(slice, (d) => slice.isFullAt(d)),
    start: () => perDimension(slice, (d) => slice.start(d)),
    length: () => perDimension(slice, (d) => slice.length(d)),
    end: () => perDimension(slice, (d) => slice.end(d)),
  };
}

/** The ways to make a slice without validation, by the name of the argument. */
const kMakers: Readonly<Record<string, (json: Json) => TensorSlice>> = {
  full: (json) => TensorSlice.full(toSize(json, "full")),
  extents: (json) => TensorSlice.fromExtents(toExtents(json)),
  proto: (json) => TensorSlice.fromProto(toSliceProto(json)),
  text: (json) => TensorSlice.parse(toText(json, "text")),
};

/** Makes a slice from `{"full"|"extents"|"proto"|"text": …}`. Without any of them it calls the default constructor. */
function makeSlice(json: Json | undefined): TensorSlice {
  if (json === undefined || json === null || json === "default") return new TensorSlice();
  if (!isJsonObject(json)) return toSlice(json);
  checkKeys(json, [...Object.keys(kMakers), "default"], "slice");
  for (const [key, make] of Object.entries(kMakers)) if (json[key] !== undefined) return make(json[key]);
  return new TensorSlice();
}

/** The steps of slice.run. */
const kSteps: Readonly<Record<string, (slice: TensorSlice, operand: Json | undefined) => void>> = {
  SetFullSlice: (slice, rank) => slice.setFullSlice(toSize(rank, "SetFullSlice")),
  Extend: (slice, rank) => slice.extend(toSize(rank, "Extend")),
  Clear: (slice) => slice.clear(),
};

function runSteps(args: Args, scope: CaseScope): State {
  const slice = makeSlice(args.json("init"));
  scope.leave(sliceState(slice));
  for (const step of args.list("steps")) {
    const [name, operand, ...more] = toList(step, "step");
    const run = Object.hasOwn(kSteps, String(name)) ? kSteps[String(name)] : undefined;
    if (run === undefined || more.length > 0) throw new RunnerError(`unknown step ${JSON.stringify(step)}`);
    run(slice, operand);
  }
  return sliceState(slice);
}

function intersect(args: Args): State {
  const a = toSlice(args.json("a"));
  const b = toSlice(args.json("b"));
  // In C++ the output argument is empty if there is no intersection.
  const result = a.intersect(b);
  return {
    overlaps: () => a.overlaps(b),
    result: () => (result ?? new TensorSlice()).debugString(),
    result_rank: () => (result ?? new TensorSlice()).dims,
  };
}

/** SliceTensorShape. C++ clears its output argument first; here it is a variable that is assigned when the call returns. */
function sliceShape(args: Args, scope: CaseScope): State {
  const result = new TensorShape();
  scope.leave({ result_shape_after: () => result.dimSizes });
  result.assign(toSlice(args.json("slice")).sliceTensorShape(toShape(args.json("shape"))));
  return { shape: () => result.dimSizes };
}

function extentLength(args: Args): State {
  const extent = toSliceProto([args.json("extent") ?? {}]).extent?.[0];
  if (extent === undefined) throw new RunnerError("no extent");
  return { has_length: () => TensorSlice.hasExtentLength(extent), length: () => TensorSlice.getExtentLength(extent) };
}

function decodeName(args: Args): State {
  const { name, slice } = decodeTensorNameSlice(fromHex(args.text("code")));
  return { name_hex: () => toHex(name), slice: () => slice.debugString(), rank: () => slice.dims };
}

/** The operations by name. */
export const sliceOps: Operations = {
  "slice.new": operation(["full", "extents", "proto", "text", "default"], (args) => {
    const given = ["full", "extents", "proto", "text"].filter((key) => args.has(key));
    return sliceState(makeSlice(Object.fromEntries(given.map((key) => [key, args.json(key) as Json]))));
  }),
  "slice.run": operation(["init", "steps"], runSteps),
  "slice.parse": operation(["text"], (args) => sliceState(TensorSlice.parse(args.text("text")))),
  "slice.build": operation(["proto"], (args) => sliceState(TensorSlice.build(toSliceProto(args.json("proto"))))),
  "slice.from_wire": operation(["wire"], (args) =>
    sliceState(TensorSlice.fromProto(tensorSliceProtoCodec.decode(fromHex(args.text("wire"))))),
  ),
  "slice.to_wire": operation(["slice"], (args) => toHex(tensorSliceProtoCodec.encode(toSlice(args.json("slice")).asProto()))),
  "slice.intersect": operation(["a", "b"], intersect, "overlaps"),
  "slice.slice_shape": operation(["slice", "shape"], sliceShape),
  "slice.compute_relative": operation(["base", "sub"], (args) =>
    toSlice(args.json("base"))
      .computeRelative(toSlice(args.json("sub")))
      .debugString(),
  ),
  "slice.update_to_cover": operation(["slice", "other"], (args) => {
    const slice = toSlice(args.json("slice"));
    slice.updateToCover(toSlice(args.json("other")));
    return slice.debugString();
  }),
  "slice.extent_length": operation(["extent"], extentLength),
  "slice.equal": operation(["a", "b"], (args) => toSlice(args.json("a")).equals(toSlice(args.json("b")))),
  "slice.indices_and_sizes": operation(["slice", "shape", "ndims"], (args) =>
    toSlice(args.json("slice")).fillIndicesAndSizes(toShape(args.json("shape")), args.optionalSize("ndims")),
  ),
  "slice.encode_name": operation(["name_hex", "slice"], (args) =>
    toHex(encodeTensorNameSlice(fromHex(args.text("name_hex")), toSlice(args.json("slice")))),
  ),
  "slice.decode_name": operation(["code"], decodeName),
  "slice.parse_shape_and_slice": operation(["text"], (args) => {
    const { shape, slice, sliceShape } = parseShapeAndSlice(args.text("text"));
    return { shape: () => shape.dimSizes, slice: () => slice.debugString(), slice_shape: () => sliceShape.dimSizes };
  }),
};
