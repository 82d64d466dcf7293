/**
 * direct-device: devices of this package take assignments before they are checked. The checks of a small assignment take longer than its
 * kernel, and an assignment that has a kept plan needs none of them (compiler/run/assign-kept.ts).
 *
 *     out.device(pool).assign(a.add(b))      TensorDevice ─→ the pool ─→ the road of out.assign(a.add(b)), on which large kernels are divided
 */
import type { AssignTarget, Update } from "@onebuffer/evaluator/internal";
import type { OtherOperand } from "@onebuffer/expression/internal";
import type { Device } from "@onebuffer/expression";

/** What TensorDevice calls in the place of `assign` and `assignSync`. Throws what `assignExpression` throws. */
export interface DirectRoad {
  /** Assigns, or begins to. Returns null if all is done, or else a promise of it. */
  soon(target: AssignTarget, source: OtherOperand, update: Update | null): Promise<void> | null;
  /** Assigns before it returns. */
  now(target: AssignTarget, source: OtherOperand, update: Update | null): void;
}

/** A device has its road under this name, which callers outside do not see. */
const kRoad: unique symbol = Symbol("directRoad");

/** Gives a device a direct road. */
export function setDirectRoad(device: Device, road: DirectRoad): void {
  Object.defineProperty(device, kRoad, { value: road });
}

/** Returns the direct road of a device; null if it has none. */
export function directRoad(device: Device): DirectRoad | null {
  return (device as { readonly [kRoad]?: DirectRoad })[kRoad] ?? null;
}
