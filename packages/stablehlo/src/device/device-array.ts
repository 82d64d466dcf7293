/**
 * DeviceArray: an array that lives in the runner, counted as a buffer is (in PJRT: a PjRtBuffer held by shared pointers).
 */

/** What frees arrays: the device. */
export interface ArrayHome {
  freeArray(handle: number): void;
}

/** Frees arrays that nobody disposed and nobody can reach. */
const forgotten: FinalizationRegistry<{ readonly home: ArrayHome; readonly handle: number }> = new FinalizationRegistry(
  ({ home, handle }) => home.freeArray(handle),
);

/** A counted array. `holdMemory` of a device adds a reference while a call uses it. */
export class DeviceArray {
  readonly handle: number;
  readonly #home: ArrayHome;
  #references = 1;

  constructor(home: ArrayHome, handle: number) {
    this.#home = home;
    this.handle = handle;
    forgotten.register(this, { home, handle }, this);
  }

  /** Adds a reference. */
  ref(): void {
    this.#references++;
  }

  /** Drops a reference. The last one frees the array. */
  unref(): void {
    if (--this.#references !== 0) return;
    forgotten.unregister(this);
    this.#home.freeArray(this.handle);
  }
}
