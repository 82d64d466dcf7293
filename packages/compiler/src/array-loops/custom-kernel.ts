/**
 * custom-kernel: the kernel of a node that carries its record. What it refuses is refused for good: the evaluator computes such a node as a
 * whole, too, and would find the same element after as much work.
 *
 * A map may begin at any byte. Such kernels read and write typed arrays, which may not, so they get aligned copies of what does.
 */
import { dtypeSize, isStatusError, typedArrayConstructor } from "@onebuffer/base";
import type { RawDType } from "@onebuffer/base";
import { customCallOf, recordOf } from "@onebuffer/expression/internal";
import type { CustomCall, CustomKernel, CustomRecord, CustomType } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { sharedExtremesKernel, takeScratch } from "@onebuffer/kernels/internal";
import { product } from "@onebuffer/storage/internal";
import { linearMemory } from "@onebuffer/wasm";

/** The kernels for the records of the package of expressions. */
const namedKernels: Readonly<Record<NonNullable<CustomRecord["named"]>, (call: CustomCall) => CustomKernel | null>> = {
  sharedExtremes: sharedExtremesKernel,
};

/** The errors of kernels about elements. */
const refusals = new WeakSet<object>();

/** Returns true if an error is a kernel's refusal of elements. */
export const isRefusal = (error: unknown): boolean => refusals.has(error as object);

/** Returns the kernel; null if the operation has none. */
export function customKernel(tree: ExpressionTree): CustomKernel | null {
  const { named } = recordOf(tree);
  const call = customCallOf(tree);
  const kernel = named === undefined ? recordOf(tree).kernel(call) : namedKernels[named](call);
  if (kernel === null) return null;
  const aligned = ofAnyAddress(kernel, call);
  return (target, operands) => {
    try {
      return aligned(target, operands);
    } catch (error) {
      if (isStatusError(error, "INVALID_ARGUMENT")) refusals.add(error);
      throw error;
    }
  };
}

/** Returns the kernel for elements at any address. It takes scratch memory for those that are at no multiple of a slot's size. */
function ofAnyAddress(kernel: CustomKernel, call: CustomCall): CustomKernel {
  const own: CustomType = { dtype: call.dtype, dimensions: call.dimensions };
  const { inputs } = call;
  return (target, operands) => {
    if (isAligned(own, target) && operands.every((address, k) => isAligned(inputs[k]!, address))) return kernel(target, operands);
    const memory = new Uint8Array(linearMemory().buffer);
    const copies = operands.map((address, k) => {
      const numBytes = bytesOf(inputs[k]!);
      const copy = takeScratch(numBytes);
      memory.copyWithin(copy, address, address + numBytes);
      return copy;
    });
    const result = takeScratch(bytesOf(own));
    if (!kernel(result, copies)) return false;
    memory.copyWithin(target, result, result + bytesOf(own));
    return true;
  };
}

const bytesOf = ({ dtype, dimensions }: CustomType): number => product(dimensions) * dtypeSize(dtype);

/** Returns true if a typed array of a dtype may begin at an address. */
const isAligned = ({ dtype }: CustomType, address: number): boolean =>
  address % typedArrayConstructor(dtype as RawDType).BYTES_PER_ELEMENT === 0;
