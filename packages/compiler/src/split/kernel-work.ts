/**
 * kernel-work: estimates how long a kernel takes (Eigen's TensorOpCost: bytes loaded, bytes stored, compute cycles).
 *
 * The estimates decide only whether threads pay and into how many parts work is divided. They were fitted on one machine, for memory that
 * is in the second-level cache; being wrong by a factor of two costs a few percent.
 */
import { slowOps } from "@onebuffer/expression/internal";
import { laneWidth } from "@onebuffer/kernels/internal";
import type { KernelSpec } from "../plan/kernel-spec.ts";
import { isMathOp } from "../plan/row-passes.ts";

/** Nanoseconds per operation and byte of a lane: most operations, and those that are polynomials of many terms. */
const kLightNs = 0.008;
const kHeavyNs = 0.15;
/** Nanoseconds per operation of several cycles and byte of a lane. */
const kSlowNs = 0.06;
/** Nanoseconds per byte that is read or written in order, and per element that is read or written on its own. */
const kByteNs = 0.013;
const kScatteredNs = 0.6;

/** Returns the nanoseconds for one element of a kernel's loops. */
export function nanosecondsPerElement({ nodes, classes, target, targetDType, storesRows }: KernelSpec): number {
  let sum = 0;
  for (const { kind, op, dtype } of nodes) {
    if (kind === "parameter") continue;
    if (kind === "load") sum += kByteNs * laneWidth(dtype);
    else sum += laneWidth(dtype) * (isMathOp(op) ? kHeavyNs : slowOps.has(op) ? kSlowNs : kLightNs);
  }
  for (const each of [storesRows ? "contiguous" : target, ...classes]) {
    sum += each === "strided" ? kScatteredNs : each === "transposed" ? kScatteredNs / 2 : 0;
  }
  return storesRows ? sum : sum + kByteNs * laneWidth(targetDType);
}
