/**
 * TensorDevice: a map and the device that computes its assignments (Eigen's TensorDevice, the object that `tensor.device(d)` returns).
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError, UnimplementedError } from "@onebuffer/base";
import { checkObject, shownValue } from "@onebuffer/base/internal";
import { checkAssignment } from "@onebuffer/evaluator/internal";
import type { AssignTarget, Update } from "@onebuffer/evaluator/internal";
import type { Device, DeviceAssignment, Other, SyncDevice, SyncDeviceAssignments } from "@onebuffer/expression";
import type { OtherOperand } from "@onebuffer/expression/internal";
import { directRoad } from "./direct-device.ts";
import type { DirectRoad } from "./direct-device.ts";

/** Returns a device; throws INVALID_ARGUMENT if the value is none. */
export function checkDevice(device: unknown): Device {
  checkObject(device, "a device");
  const { name, assign } = device as Partial<Device>;
  if (typeof name !== "string" || typeof assign !== "function") {
    throw new InvalidArgumentError(`device: ${shownValue(device)} is not a device: it needs a name and a method assign`);
  }
  return device as Device;
}

/** Returns a device that can compute before it returns; throws UNIMPLEMENTED for others. */
export function checkSyncDevice(device: Device): SyncDevice {
  if (typeof (device as Partial<SyncDevice>).assignSync === "function") return device as SyncDevice;
  throw new UnimplementedError(`${device.name} has no assignSync: await assign`);
}

/**
 * A map and a device. `map.device(device)` makes one.
 *
 * @example
 * const out = tensorMap("float32", new Float32Array(2), [2]);
 * const onDevice = out.device(new DefaultDevice());
 * await onDevice.assign(2);
 * onDevice.assignSync(out.mul(3));
 * out.toArray(); // => [6, 6]
 * out.device({ name: "mine", assign: 3 } as never); // throws INVALID_ARGUMENT
 */
export class TensorDevice<D extends DType> implements SyncDeviceAssignments<D> {
  private readonly target: AssignTarget;
  private readonly computes: Device;
  private readonly road: DirectRoad | null;

  /** Throws INVALID_ARGUMENT if `device` is not a Device. */
  constructor(target: AssignTarget, device: Device) {
    this.target = target;
    this.computes = checkDevice(device);
    this.road = directRoad(device);
  }

  /** See DeviceAssignments. */
  async assign(source: Other<D, number>): Promise<void> {
    const rest = this.assignOn(source, null);
    if (rest !== null) await rest;
  }

  /** See DeviceAssignments. */
  async addAssign(source: Other<D, number>): Promise<void> {
    const rest = this.assignOn(source, "add");
    if (rest !== null) await rest;
  }

  /** See DeviceAssignments. */
  async subAssign(source: Other<D, number>): Promise<void> {
    const rest = this.assignOn(source, "sub");
    if (rest !== null) await rest;
  }

  /** See SyncDeviceAssignments. Throws UNIMPLEMENTED if the device cannot compute before it returns. */
  assignSync(source: Other<D, number>): void {
    if (this.road !== null) this.road.now(this.target, source as OtherOperand, null);
    else checkSyncDevice(this.computes).assignSync(this.checked(source, null));
  }

  /** Assigns, or begins to. Returns null if all is done. */
  private assignOn(source: Other<D, number>, update: Update | null): Promise<void> | null {
    if (this.road !== null) return this.road.soon(this.target, source as OtherOperand, update);
    return this.computes.assign(this.checked(source, update));
  }

  private checked(source: Other<D, number>, update: Update | null): readonly DeviceAssignment[] {
    return [{ target: this.target, ...checkAssignment(this.target, source as OtherOperand, update) }];
  }
}
