/**
 * TensorDevice: a map and the device that computes its assignments (Eigen's TensorDevice, the object that `tensor.device(d)` returns).
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError, UnimplementedError } from "@onebuffer/base";
import { checkObject, shownValue } from "@onebuffer/base/internal";
import { checkAssignment } from "../evaluator/assignable.ts";
import type { AssignTarget, Update } from "../evaluator/assignable.ts";
import type { Device, DeviceAssignment, SyncDevice } from "../expression/tree/device.ts";
import type { OtherOperand } from "../expression/methods/elementwise-base.ts";
import type { Other, SyncDeviceAssignments } from "../expression/tree/operand.ts";

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
  readonly #target: AssignTarget;
  readonly #device: Device;

  /** Throws INVALID_ARGUMENT if `device` is not a Device. */
  constructor(target: AssignTarget, device: Device) {
    this.#target = target;
    this.#device = checkDevice(device);
  }

  /** See DeviceAssignments. */
  async assign(source: Other<D, number>): Promise<void> {
    await this.#device.assign(this.#checked(source, null));
  }

  /** See DeviceAssignments. */
  async addAssign(source: Other<D, number>): Promise<void> {
    await this.#device.assign(this.#checked(source, "add"));
  }

  /** See DeviceAssignments. */
  async subAssign(source: Other<D, number>): Promise<void> {
    await this.#device.assign(this.#checked(source, "sub"));
  }

  /** See SyncDeviceAssignments. Throws UNIMPLEMENTED if the device cannot compute before it returns. */
  assignSync(source: Other<D, number>): void {
    checkSyncDevice(this.#device).assignSync(this.#checked(source, null));
  }

  #checked(source: Other<D, number>, update: Update | null): readonly DeviceAssignment[] {
    return [{ target: this.#target, ...checkAssignment(this.#target, source as OtherOperand, update) }];
  }
}
