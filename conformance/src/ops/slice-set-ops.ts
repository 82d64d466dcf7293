/**
 * The operations on TensorSliceSet and on the data of slices (tf-slice.json): register, query, copy.
 */
import type { DType } from "@onebuffer/base";
import type { TensorShape } from "@onebuffer/shape";
import { TensorSliceSet, copyDataFromTensorSliceToTensorSlice, registerTensorSlice } from "@onebuffer/slice";
import type { TensorSlice } from "@onebuffer/slice";
import { toList, toText } from "../args.ts";
import type { Args } from "../args.ts";
import { AnyOrder, Ok } from "../compare.ts";
import type { State } from "../compare.ts";
import { toDType, toShape, toSlice } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { RunnerError } from "../vector.ts";
import type { Json } from "../vector.ts";

/** Makes a set and registers the slices of the case in it. */
function registered(args: Args): TensorSliceSet {
  const set = new TensorSliceSet(toShape(args.json("shape")), toDType(args.json("dtype")));
  for (const entry of args.list("register")) {
    const [slice, tag, ...more] = toList(entry, "register");
    if (more.length > 0) throw new RunnerError(`not [slice, tag]: ${JSON.stringify(entry)}`);
    set.register(toSlice(slice), toText(tag, "tag"));
  }
  return set;
}

function query(args: Args): State {
  const set = registered(args);
  const slice = toSlice(args.json("query"));
  const results = set.queryMeta(slice);
  if (set.query(slice) !== (results !== null)) throw new RunnerError("query and queryMeta disagree");
  return {
    found: () => results !== null,
    results_any_order: () =>
      new AnyOrder((results ?? []).map(([found, tag]: readonly [TensorSlice, string]) => [found.debugString(), tag])),
  };
}

/** The arguments of one RegisterTensorSlice call. */
interface Registration {
  readonly name: string;
  readonly shape: TensorShape;
  readonly dtype: DType;
  readonly tag: string;
  readonly slice: TensorSlice;
}

function toRegistration(args: Args): Registration {
  return {
    name: args.text("name"),
    shape: toShape(args.json("shape")),
    dtype: toDType(args.json("dtype")),
    tag: args.text("tag"),
    slice: toSlice(args.json("slice")),
  };
}

function registerBoth(args: Args): Ok {
  const known = ["name", "shape", "dtype", "slice", "tag"];
  const sets = new Map<string, TensorSliceSet>();
  for (const key of ["existing", "new"]) {
    const { name, shape, dtype, tag, slice } = toRegistration(args.args(key, known));
    registerTensorSlice(name, shape, dtype, tag, slice, sets);
  }
  return new Ok();
}

/** Returns true if all values are numbers. */
function isNumbers(values: readonly Json[]): values is readonly number[] {
  return values.every((value) => typeof value === "number");
}

function copyBetween(args: Args): State {
  const shape = toShape(args.json("shape"));
  const from = toSlice(args.json("src_slice"));
  const to = toSlice(args.json("dst_slice"));
  const src = args.list("src");
  const dst = args.list("dst");
  if (isNumbers(src) && isNumbers(dst)) {
    const target = Float64Array.from(dst);
    const copied = copyDataFromTensorSliceToTensorSlice(shape, from, to, Float64Array.from(src), target);
    return { copied: () => copied, dst: () => [...target] };
  }
  const target = [...dst];
  const copied = copyDataFromTensorSliceToTensorSlice(shape, from, to, src, target);
  return { copied: () => copied, dst: () => target };
}

/** The operations by name. */
export const sliceSetOps: Operations = {
  "sliceset.register": operation(["shape", "dtype", "register"], (args) => {
    registered(args);
    return new Ok();
  }),
  "sliceset.query": operation(["shape", "dtype", "register", "query"], query, "found"),
  "sliceset.register_tensor_slice": operation(["existing", "new"], registerBoth),
  "slice.copy_between": operation(["shape", "src_slice", "dst_slice", "src", "dst"], copyBetween, "copied"),
};
