/**
 * DeviceLife: whether a device was disposed. A device is disposed once, however often and by whomever that is asked for.
 */
import { FailedPreconditionError } from "@onebuffer/base";

/** The life of one device. */
export class DeviceLife {
  readonly #name: string;
  #disposal: Promise<void> | null = null;
  #isOver = false;

  /** `name` is that of the device, for messages. */
  constructor(name: string) {
    this.#name = name;
  }

  /** True from the call of `end` on. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Throws FAILED_PRECONDITION if the device is disposed. */
  check(): void {
    if (this.#isOver) throw new FailedPreconditionError(`${this.#name} is disposed`);
  }

  /** Ends the life and runs `work`. Further calls do nothing; all of them return the promise of the first. */
  end(work: () => Promise<void>): Promise<void> {
    this.#isOver = true;
    this.#disposal ??= work();
    return this.#disposal;
  }
}
