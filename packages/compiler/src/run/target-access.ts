/**
 * target-access: describes where a kernel stores, and checks whether the result may overwrite operands (in Eigen the
 * caller asserts that it may with `.noalias()`; here it is checked).
 *
 *     x.assign(x.mul(2))         element i is read, then stored: allowed
 *     x.assign(x.reverse())      element 0 is stored before it is read: not allowed
 */
import type { RawPlaces } from "@onebuffer/storage";
import { interleaved } from "@onebuffer/storage/internal";
import type { ByteAccess } from "@onebuffer/storage/internal";
import { accessRange } from "@onebuffer/kernels/internal";
import type { Access } from "@onebuffer/kernels/internal";
import type { KernelCall } from "./kernel-plan.ts";
import { isRamp } from "../plan/kernel-spec.ts";
import { mayNeedRecheck } from "../plan/kernel-support.ts";
import type { Lowered } from "../plan/lowering.ts";

/** Returns the target as an access in the program's space. */
export function targetAccess({ program, storesRows }: Lowered, { byteOffset, itemBytes, dims, strides }: RawPlaces): Access {
  const bytes = strides.map((stride) => stride * itemBytes);
  if (!storesRows) return { start: byteOffset, itemBytes, strides: bytes };
  const keepsDims = dims.length === program.dims.length;
  let kept = 0;
  const spread = program.dims.map((_, d) => {
    if (program.axes.includes(d)) return 0;
    return bytes[keepsDims ? d : kept++] as number;
  });
  return { start: byteOffset, itemBytes, strides: spread };
}

/**
 * Returns true if a call could overwrite operands that are still to be read, by this call or another, or another
 * result. That is so if they overlap and are not walked alike, or if the evaluator may have to read the operands again.
 */
export function overwrites(calls: readonly KernelCall[]): boolean {
  return calls.some((call) => {
    const { accesses, sizes } = call.nest;
    return accesses.some((target, t) => {
      if (!isTarget(call, t)) return false;
      const elements = { ...target, sizes };
      return calls.some((other) => (other === call ? crosses(call, t, elements, calls.length > 1) : isReadBy(other, elements)));
    });
  });
}

/** Returns true if an access is a target of its call. */
function isTarget({ spec, nest }: KernelCall, a: number): boolean {
  return a === 0 || a >= nest.accesses.length - spec.also.length;
}

/** Returns true if another access of a call shares bytes with its target t in a harmful way. `again` is true if there are more calls. */
function crosses({ spec, nest }: KernelCall, t: number, target: ByteAccess, again: boolean): boolean {
  const { nodes, storesRows } = spec;
  const { accesses, sizes } = nest;
  return accesses.some((access, a) => {
    if (a === t || isRamp(spec, a) || !overlap(target, { ...access, sizes })) return false;
    const alike =
      access.start === target.start &&
      access.itemBytes === target.itemBytes &&
      access.strides.every((stride, d) => stride === target.strides[d]);
    return storesRows || again || !alike || mayNeedRecheck(nodes);
  });
}

/** Returns true if a call may read bytes of elements. */
function isReadBy(call: KernelCall, elements: ByteAccess): boolean {
  const { accesses, sizes } = call.nest;
  return accesses.some((access, a) => !isTarget(call, a) && !isRamp(call.spec, a) && overlap(elements, { ...access, sizes }));
}

/** Returns true if the ranges of bytes of both overlap, unless they are interleaved. */
function overlap(a: ByteAccess, b: ByteAccess): boolean {
  const [aLow, aEnd] = accessRange(a, a.sizes);
  const [bLow, bEnd] = accessRange(b, b.sizes);
  return aLow < bEnd && bLow < aEnd && !interleaved(a, b);
}
