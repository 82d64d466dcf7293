/**
 * DeviceArray: an array that lives in a backend, counted as a buffer is (in PJRT: a PjRtBuffer held by shared pointers).
 */
import type { BackendArray } from "./backend.ts";

/** What frees arrays: the device. */
export interface ArrayHome<Content> {
  release(arrays: readonly BackendArray<Content>[]): void;
}

/** What is known of an array that was forgotten: it does not refer to the DeviceArray. */
interface Held {
  readonly home: ArrayHome<unknown>;
  readonly array: BackendArray<unknown>;
}

/** Frees arrays that nobody disposed and nobody can reach. */
const forgotten: FinalizationRegistry<Held> = new FinalizationRegistry(({ home, array }) => home.release([array]));

/** A counted array. `holdMemory` of a device adds a reference while a call uses it. */
export class DeviceArray<Content> {
  readonly array: BackendArray<Content>;
  readonly #home: ArrayHome<Content>;
  #references = 1;

  constructor(home: ArrayHome<Content>, array: BackendArray<Content>) {
    this.array = array;
    this.#home = home;
    forgotten.register(this, { home: home as ArrayHome<unknown>, array }, this);
  }

  /** Adds a reference. An array that is free stays free: a call may hold a map that was disposed before it finds that out. */
  ref(): void {
    if (this.#references > 0) this.#references++;
  }

  /** Drops a reference. The last one frees the array; what is dropped after it has no effect. */
  unref(): void {
    if (this.#references === 0 || --this.#references > 0) return;
    forgotten.unregister(this);
    this.#home.release([this.array]);
  }
}
