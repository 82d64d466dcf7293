/**
 * The operations that return text (tf-tensor.json): SummarizeValue, DebugString, type names.
 */
import { Buffer, isUtf8 } from "node:buffer";
import { Tensor, Variant } from "@onebuffer/core";
import type { VariantValue } from "@onebuffer/core";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import { toResourceHandle, toVariant } from "../elements.ts";
import { toDType } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { anyMap, filledTensor, newTensor, tensorOf, storeElement } from "../tensor-literals.ts";
import { toAllocator } from "../test-allocators.ts";
import { RunnerError } from "../vector.ts";
import type { Json } from "../vector.ts";

/** Returns the summary as bytes, because string elements may not be UTF-8. */
function summarize(tensor: Tensor, args: Args): Uint8Array {
  return tensor.summarizeValueBytes(args.optionalSize("max_entries") ?? -1, args.flag("print_v2", false));
}

/**
 * Returns a text that shows the first values of a tensor, as bytes if those are not UTF-8: the text then has one character per byte of
 * TensorFlow's.
 */
function shownText(text: string, tensor: Tensor, numValues: number = 3): string | Uint8Array {
  return isUtf8(tensor.summarizeValueBytes(numValues)) ? text : Buffer.from(text, "latin1");
}

/** Returns the debug string of a variant. */
function debugVariant(variant: Variant): string | Uint8Array {
  const text = variant.debugString();
  const tensor = variant.get(Tensor);
  return tensor === null ? text : shownText(text, tensor);
}

function newFilled(args: Args, scope: CaseScope): Tensor {
  return filledTensor(scope, toDType(args.json("dtype")), args.json("shape"), args.json("values"));
}

/** Makes a tensor of an object dtype with the same value in every element. */
function repeated(scope: CaseScope, dtype: "variant" | "resource", shape: Json | undefined, make: () => unknown): Tensor {
  const tensor = newTensor(scope, dtype, shape);
  const flat = anyMap(tensor.flat());
  for (let index = 0; index < flat.size; index++) storeElement(flat, index, make(), scope);
  return tensor;
}

/** Reads `inner`: a tensor literal, `{"tensor": …}`, `{"empty": true}`, or null for an empty variant. */
function innerVariant(json: Json | undefined, scope: CaseScope): Variant {
  if (json === null || json === undefined) return new Variant();
  if (typeof json === "object" && "dtype" in json) return toVariant({ tensor: json }, (tensor) => tensorOf(tensor, scope).share());
  return toVariant(json, (tensor) => tensorOf(tensor, scope).share());
}

/** Makes a value of a user-defined class, with or without a DebugString method. */
function customValue(args: Args): VariantValue {
  const typeName = args.text("custom_type");
  if (!args.flag("has_debug_string", args.has("debug_string"))) return { typeName };
  const text = args.has("debug_string") ? args.text("debug_string") : typeName;
  return { typeName, debugString: () => text };
}

function variantOf(args: Args, scope: CaseScope): Variant {
  const variant = scope.keep(new Variant());
  if (args.has("tensor")) variant.emplace(tensorOf(args.json("tensor"), scope).share());
  else if (args.has("custom_type")) variant.emplace(customValue(args));
  else if (!args.flag("empty", false)) throw new RunnerError("variant: none of tensor, custom_type and empty");
  return variant;
}

/** Makes a variant from the argument `holds`: empty, a tensor, or a plain C++ value. */
function variantHolding(holds: string, scope: CaseScope): Variant {
  const variant = scope.keep(new Variant());
  if (holds === "tensor") variant.emplace(scope.keep(new Tensor()).share());
  else if (holds === "int" || holds === "float" || holds === "double") variant.emplace(1, holds);
  else if (holds === "bool") variant.emplace(true, holds);
  else if (holds !== "empty" && holds !== "nothing") throw new RunnerError(`unknown content ${holds}`);
  return variant;
}

const kSummary = ["max_entries", "print_v2"] as const;

/** The operations by name. */
export const tensorTextOps: Operations = {
  "tensor.summarize": operation(["dtype", "shape", "values", ...kSummary], (args, scope) => summarize(newFilled(args, scope), args)),
  "tensor.summarize_uninitialized": operation(["dtype", "shape", ...kSummary], (args, scope) =>
    summarize(newTensor(scope, toDType(args.json("dtype")), args.json("shape"), toAllocator("null")), args),
  ),
  "tensor.summarize_resource": operation(["handle", "shape", ...kSummary], (args, scope) =>
    summarize(
      repeated(scope, "resource", args.json("shape"), () => toResourceHandle(args.json("handle"))),
      args,
    ),
  ),
  "tensor.summarize_variant": operation(["inner", "shape", ...kSummary], (args, scope) =>
    summarize(
      repeated(scope, "variant", args.json("shape"), () => innerVariant(args.json("inner"), scope)),
      args,
    ),
  ),
  "tensor.debug_string": operation(["dtype", "shape", "values", "num_values"], (args, scope) => {
    const tensor = newFilled(args, scope);
    const numValues = args.optionalSize("num_values");
    return shownText(tensor.debugString(numValues), tensor, numValues);
  }),
  "tensor.device_safe_debug_string": operation(["dtype", "shape"], (args, scope) =>
    newTensor(scope, toDType(args.json("dtype")), args.json("shape")).deviceSafeDebugString(),
  ),
  "resource_handle.summarize": operation(["handle"], (args) => toResourceHandle(args.json("handle")).summarizeValue()),
  "variant.debug_string": operation(["tensor", "custom_type", "has_debug_string", "debug_string", "empty"], (args, scope) =>
    debugVariant(variantOf(args, scope)),
  ),
  "variant.type_name": operation(["holds"], (args, scope) => variantHolding(args.text("holds"), scope).typeName),
};
