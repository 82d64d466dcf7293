/**
 * The operations on allocators (tf-tensor.json): attributes, TypedAllocator, tracking of sizes.
 */
import { DataType, dtypeOf, isRefType } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { AllocatorAttributes, cpuAllocator } from "@onebuffer/allocator";
import { elementSizeOf } from "@onebuffer/core/internal";
import { TypedAllocator } from "@onebuffer/core";
import { toArgs, toSize } from "../args.ts";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import type { State } from "../compare.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { toAllocator } from "../test-allocators.ts";
import { isJsonObject, RunnerError } from "../vector.ts";
import type { Json } from "../vector.ts";

const kFlags = ["on_host", "nic_compatible", "gpu_compatible", "use_pjrt_allocator"] as const;

/** Reads attributes: a number (the bits), or an object with value, scope id and flags. */
function toAttributes(json: Json | undefined): AllocatorAttributes {
  const attributes = new AllocatorAttributes();
  if (!isJsonObject(json)) {
    attributes.value = toSize(json, "value");
    return attributes;
  }
  const args = toArgs(json, ["value", "scope_id", ...kFlags], "attributes");
  attributes.value = args.optionalSize("value") ?? attributes.value;
  attributes.scopeId = args.optionalSize("scope_id") ?? attributes.scopeId;
  setFlags(attributes, args);
  return attributes;
}

function setFlags(attributes: AllocatorAttributes, args: Args): void {
  if (args.has("on_host")) attributes.setOnHost(args.flag("on_host", false));
  if (args.has("nic_compatible")) attributes.setNicCompatible(args.flag("nic_compatible", false));
  if (args.has("gpu_compatible")) attributes.setGpuCompatible(args.flag("gpu_compatible", false));
  if (args.has("use_pjrt_allocator")) attributes.setUsePjrtAllocator(args.flag("use_pjrt_allocator", false));
}

function attributesState(attributes: AllocatorAttributes): State {
  return {
    value: () => attributes.value,
    scope_id: () => attributes.scopeId,
    on_host: () => attributes.onHost,
    nic_compatible: () => attributes.nicCompatible,
    gpu_compatible: () => attributes.gpuCompatible,
    use_pjrt_allocator: () => attributes.usePjrtAllocator,
    debug: () => attributes.debugString(),
  };
}

/** Returns a dtype whose elements have `bytes` bytes. Strings and variants have the sizes of their C++ classes. */
function dtypeOfSize(bytes: number): DType {
  const dtypes = Object.values(DataType).filter((dt) => dt !== DataType.DT_INVALID && !isRefType(dt));
  const found = dtypes.map(dtypeOf).find((dtype) => elementSizeOf(dtype) === bytes);
  if (found === undefined) throw new RunnerError(`no dtype has ${bytes} bytes`);
  return found;
}

function allocate(args: Args, scope: CaseScope): State {
  const dtype = dtypeOfSize(args.size("element_size"));
  const count = args.size("count");
  const allocator = args.has("allocator") ? toAllocator(args.json("allocator")) : cpuAllocator();
  const pointer = TypedAllocator.allocate(allocator, dtype, count);
  scope.atEnd(() => TypedAllocator.deallocate(allocator, dtype, pointer, count));
  return { null: () => pointer === null };
}

/** The operations by name. */
export const allocatorOps: Operations = {
  "allocattr.value": operation(["value", "scope_id", ...kFlags], (args) => {
    const attributes = new AllocatorAttributes();
    attributes.value = args.optionalSize("value") ?? attributes.value;
    attributes.scopeId = args.optionalSize("scope_id") ?? attributes.scopeId;
    setFlags(attributes, args);
    return attributesState(attributes);
  }),
  "allocattr.le": operation(["a", "b"], (args) => toAttributes(args.json("a")).isEqualOrLessRestrictiveThan(toAttributes(args.json("b")))),
  "allocattr.merge": operation(["a", "b"], (args) => {
    const attributes = toAttributes(args.json("a"));
    attributes.merge(toAttributes(args.json("b")));
    return attributesState(attributes);
  }),
  "typed_allocator.allocate": operation(["element_size", "count", "allocator"], allocate),
  "allocator.tracks_sizes": operation(["allocator"], (args) => toAllocator(args.json("allocator")).tracksAllocationSizes()),
};
