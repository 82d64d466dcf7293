/**
 * target-access: describes where a kernel stores, and checks whether the result may overwrite operands (in Eigen the
 * caller asserts that it may with `.noalias()`; here it is checked).
 *
 *     x.assign(x.mul(2))         element i is read, then stored: allowed
 *     x.assign(x.reverse())      element 0 is stored before it is read: not allowed
 */
import type { RawPlaces } from "@onebuffer/storage";
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
      const range = accessRange(target, sizes);
      return calls.some((other) => (other === call ? crosses(call, target, range, calls.length > 1) : isReadBy(other, range)));
    });
  });
}

/** Returns true if an access is a target of its call. */
function isTarget({ spec, nest }: KernelCall, a: number): boolean {
  return a === 0 || a >= nest.accesses.length - spec.also.length;
}

/** Returns true if another access of a target's call shares bytes with the target in a harmful way. `again` is true if there are more calls. */
function crosses({ spec, nest }: KernelCall, target: Access, range: readonly [number, number], again: boolean): boolean {
  const { nodes, storesRows } = spec;
  return nest.accesses.some((access, a) => {
    if (access === target || isRamp(spec, a) || !overlap(range, accessRange(access, nest.sizes))) return false;
    const alike =
      access.start === target.start &&
      access.itemBytes === target.itemBytes &&
      access.strides.every((stride, d) => stride === target.strides[d]);
    return storesRows || again || !alike || mayNeedRecheck(nodes);
  });
}

/** Returns true if a call reads bytes of a range. */
function isReadBy(call: KernelCall, range: readonly [number, number]): boolean {
  const { accesses, sizes } = call.nest;
  return accesses.some((access, a) => !isTarget(call, a) && !isRamp(call.spec, a) && overlap(range, accessRange(access, sizes)));
}

const overlap = ([low, end]: readonly [number, number], [from, to]: readonly [number, number]): boolean => from < end && low < to;
