/**
 * target-access: describes where a kernel stores, and checks whether the result may overwrite operands (in Eigen the
 * caller asserts that it may with `.noalias()`; here it is checked).
 *
 *     x.assign(x.mul(2))         element i is read, then stored: allowed
 *     x.assign(x.reverse())      element 0 is stored before it is read: not allowed
 */
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import type { KernelCall } from "./kernel-plan.ts";
import { isRamp } from "../plan/kernel-spec.ts";
import type { KernelSpec } from "../plan/kernel-spec.ts";
import { mayNeedRecheck } from "../plan/kernel-support.ts";
import { accessRange } from "../plan/loop-nest.ts";
import type { Access } from "../plan/loop-nest.ts";
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
 * Returns true if a call could overwrite operands that are still to be read, or another result. That is so if they
 * overlap and are not walked alike, or if the evaluator may have to read the operands again.
 */
export function overwrites(calls: readonly KernelCall[]): boolean {
  return calls.some(({ spec, nest: { accesses, sizes } }) => {
    const firstAlso = accesses.length - spec.also.length;
    return accesses.some((target, t) => (t === 0 || t >= firstAlso) && crosses(spec, target, accesses, sizes, calls.length > 1));
  });
}

/** Returns true if a target shares bytes with another access in a harmful way. */
function crosses(spec: KernelSpec, target: Access, accesses: readonly Access[], sizes: readonly number[], again: boolean): boolean {
  const { nodes, storesRows } = spec;
  const [low, end] = accessRange(target, sizes);
  return accesses.some((access, a) => {
    if (access === target || isRamp(spec, a)) return false;
    const [from, to] = accessRange(access, sizes);
    if (to <= low || from >= end) return false;
    const alike =
      access.start === target.start &&
      access.itemBytes === target.itemBytes &&
      access.strides.every((stride, d) => stride === target.strides[d]);
    return storesRows || again || !alike || mayNeedRecheck(nodes);
  });
}
