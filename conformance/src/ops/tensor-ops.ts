/**
 * The operations on single tensors (tf-tensor.json): construction, description, slicing, sharing, forwarding of inputs.
 */
import { dataTypeName, dataTypeOf } from "@onebuffer/base";
import { Tensor, forwardInput } from "@onebuffer/core";
import { kObjectElementSize } from "@onebuffer/core/internal";
import { toList, toSize } from "../args.ts";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import { Ok } from "../compare.ts";
import type { State } from "../compare.ts";
import { toElement } from "../elements.ts";
import { toDType, toDataType, toShape } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { elementsOf, filledTensor, newTensor, tensorOf } from "../tensor-literals.ts";
import { toAllocator } from "../test-allocators.ts";
import { RunnerError } from "../vector.ts";
import type { Json } from "../vector.ts";

/** The keys that a case may expect of a tensor. */
export function tensorState(tensor: Tensor): State {
  return {
    dtype: () => dataTypeName(dataTypeOf(tensor.dtype)),
    shape: () => tensor.shape.dimSizes,
    dims: () => tensor.shape.dimSizes,
    rank: () => tensor.dims,
    num_elements: () => tensor.numElements,
    initialized: () => tensor.isInitialized(),
    has_buffer: () => tensor.buffer !== null,
    total_bytes: () => tensor.totalBytes,
    allocated_bytes: () => tensor.allocatedBytes,
    aligned: () => tensor.isAligned(),
    tensor_data_size: () => tensor.tensorData.byteLength,
    refcount_is_one: () => tensor.refCountIsOne(),
    refcount: () => tensor.refCount,
    values: () => elementsOf(tensor),
    debug: () => tensor.debugString(),
  };
}

/** Makes a tensor from `new`: `{default}`, `{dtype}` or `{dtype, shape, allocator?}`. */
function info(args: Args, scope: CaseScope): State {
  const made = args.args("new", ["default", "dtype", "shape", "allocator"]);
  if (!made.has("dtype")) {
    if (!made.flag("default", false)) throw new RunnerError("new: no dtype");
    return tensorState(scope.keep(new Tensor()));
  }
  const dtype = toDType(made.json("dtype"));
  if (!made.has("shape")) return tensorState(scope.keep(new Tensor(dtype)));
  // The cases expect the sizes of TensorFlow's default, the CPU allocator. onebuffer's default, the arena, uses multiples of 256 bytes.
  const allocator = toAllocator(made.has("allocator") ? made.json("allocator") : "cpu");
  return tensorState(newTensor(scope, dtype, made.json("shape"), allocator));
}

function hostScalar(args: Args, scope: CaseScope): State {
  const dtype = toDType(args.json("dtype"));
  const value = toElement(dtype, args.json("value"), (json) => tensorOf(json, scope).share());
  const tensor = scope.keep(Tensor.hostScalar(dtype, value as never));
  return { ...tensorState(tensor), size: () => tensor.scalar().size, value: () => elementsOf(tensor) };
}

/** Applies one link of a chain of slices. */
function slice(tensor: Tensor, link: Json): Tensor {
  const [kind, ...operands] = toList(link, "chain");
  const [a, b, ...more] = operands.map((operand) => toSize(operand, "chain"));
  if (kind === "slice" && a !== undefined && b !== undefined && more.length === 0) return tensor.slice(a, b);
  if (kind === "subslice" && a !== undefined && b === undefined) return tensor.subSlice(a);
  throw new RunnerError(`unknown link ${JSON.stringify(link)}`);
}

function sliceChain(args: Args, scope: CaseScope): State {
  const root = newTensor(scope, toDType(args.json("dtype")), args.json("shape"));
  let tensor = root;
  for (const link of args.list("chain")) tensor = scope.keep(slice(tensor, link));
  const { buffer } = tensor;
  return {
    ...tensorState(tensor),
    byte_offset: () => (buffer === null ? null : buffer.byteOffset - buffer.rootBuffer.byteOffset),
    aligned_64: () => tensor.isAligned(),
    shares_root: () => tensor.sharesBufferWith(root),
    is_sub_buffer: () => buffer !== null && buffer.rootBuffer !== buffer,
  };
}

function copyFrom(args: Args, scope: CaseScope): State {
  const dtype = toDType(args.json("dtype"));
  const from = newTensor(scope, dtype, args.json("from_shape"));
  const target = scope.keep(new Tensor(dtype));
  const ok = target.copyFrom(from, toShape(args.json("shape")));
  return { ...tensorState(target), ok: () => ok, shares: () => target.sharesBufferWith(from) };
}

function bitcastFrom(args: Args, scope: CaseScope): Ok {
  const from = newTensor(scope, toDType(args.json("from_dtype")), args.json("from_shape"));
  const target = scope.keep(new Tensor());
  target.bitcastFrom(from, toDType(args.json("dtype")), toShape(args.json("shape")));
  return new Ok({ ...tensorState(target), shares: () => target.sharesBufferWith(from) });
}

/** forwardInput: makes an output in the buffer of the input, if possible. `refs` is the number of tensors that hold that buffer. */
function forward(args: Args, scope: CaseScope): State {
  const input = newTensor(scope, toDType(args.json("in_dtype")), args.json("in_shape"));
  const refs = args.optionalSize("refs") ?? 1;
  for (let held = 1; held < refs; held++) scope.keep(input.share());
  const output = forwardInput(input, toDType(args.json("out_dtype")), toShape(args.json("out_shape")));
  if (output !== null) scope.keep(output);
  return {
    forwarded: () => output !== null,
    shares: () => output?.sharesBufferWith(input) ?? false,
    shape: () => output?.shape.dimSizes ?? null,
  };
}

/** TotalBytes: for strings it counts the bytes of the texts and the fixed size of each element. */
function totalBytes(args: Args, scope: CaseScope): State {
  const tensor = filledTensor(scope, toDType(args.json("dtype")), args.json("shape"), args.json("values"));
  return {
    total_bytes: () => tensor.totalBytes,
    elements: () => tensor.numElements,
    string_payload_bytes: () => tensor.totalBytes - tensor.numElements * kObjectElementSize.string,
  };
}

/** The operations by name. */
export const tensorOps: Operations = {
  "tensor.info": operation(["new"], info),
  "tensor.build": operation(
    ["dtype", "shape"],
    (args, scope) => new Ok(tensorState(scope.keep(Tensor.build(toDataType(args.json("dtype")), toShape(args.json("shape")))))),
  ),
  "tensor.host_scalar": operation(["dtype", "value"], hostScalar),
  "tensor.slice_chain": operation(["dtype", "shape", "chain"], sliceChain),
  "tensor.copy_from": operation(["dtype", "from_shape", "shape"], copyFrom, "ok"),
  "tensor.bitcast_from": operation(["from_dtype", "from_shape", "dtype", "shape"], bitcastFrom),
  "tensor.forward_input": operation(["in_dtype", "in_shape", "out_dtype", "out_shape", "refs"], forward, "forwarded"),
  "tensor.total_bytes": operation(["dtype", "shape", "values"], totalBytes),
};
