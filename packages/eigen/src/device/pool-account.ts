/**
 * pool-account: learns whether threads pay for a kernel, from the time that it takes divided and whole.
 *
 *     divided   0.10 ms of 0.16 by one thread     the account gains 0.06
 *     divided   0.90 ms: a worker was interrupted    the account loses 0.74, and is below 0
 *     whole     0.16 ms                           … until whole runs have earned that, a share of their time each
 *
 * The estimates of kernel-work.ts cannot know that the other cores are busy or that memory is the limit. A kernel is divided only while its
 * account is not below 0. So all its runs together take at most kShare longer than whole, whatever happens to the workers, but for a few
 * runs at the beginning and after each change.
 */

/** The share of a whole run's time that may be lost by trying to divide again. */
const kShare = 1 / 64;
/** An account never has more than the time of so many whole runs: what was gained long ago does not count. */
const kMostRuns = 4;
/** After so many divided runs one is whole, to know its time. The number doubles each time, up to the second one. */
const kFirstRuns = 4;
const kLastRuns = 64;
/** Work with a longer estimate is not run whole only to be measured: in milliseconds. */
const kMeasuredMs = 20;
/** The weight of a new measurement, and the most that it counts as, times the mean: a run may have been interrupted. */
const kWeight = 1 / 2;
const kMostRatio = 2;

/** What is known of the times of a kernel for work of about one size. All times are in milliseconds. */
export class PoolAccount {
  #balance = 0;
  /** The time of whole runs, in terms of the estimate; 0 if there has been none. */
  #ratio = 0;
  #dividedRuns = 0;
  #interval = kFirstRuns;

  /** Returns true if work with this estimate is to be divided. */
  divides(estimate: number): boolean {
    return this.#balance >= 0 && (this.#dividedRuns < this.#interval || estimate > kMeasuredMs);
  }

  /** Notes a whole run. */
  ranWhole(estimate: number, took: number): void {
    const ratio = took / estimate;
    const before = this.#ratio === 0 ? ratio : this.#ratio;
    this.#ratio = before + kWeight * (Math.min(ratio, kMostRatio * before) - before);
    if (this.#balance < 0) this.#balance = Math.min(0, this.#balance + kShare * took);
    if (this.#dividedRuns >= this.#interval) this.#interval = Math.min(kLastRuns, 2 * this.#interval);
    this.#dividedRuns = 0;
  }

  /** Notes a divided run. `byOne` is the time that one thread would have taken if all parts took as long as those of this thread. */
  ranDivided(estimate: number, took: number, byOne: number): void {
    const whole = this.#ratio === 0 ? byOne : this.#ratio * estimate;
    this.#balance = Math.min(kMostRuns * whole, this.#balance + whole - took);
    this.#dividedRuns++;
  }
}

/** Accounts are kept for work of so many sizes, each twice the one before. */
const kSizes = 24;
/** The estimate of the smallest size, in milliseconds. */
const kSmallest = 0.008;

/** The accounts of a pool. Those of a kernel live as long as the kernel. */
export class PoolAccounts {
  readonly #bySubject: WeakMap<object, (PoolAccount | undefined)[]> = new WeakMap();

  /** Returns the account of a kernel for work with this estimate, in milliseconds. */
  of(subject: object, estimate: number): PoolAccount {
    let accounts = this.#bySubject.get(subject);
    if (accounts === undefined) this.#bySubject.set(subject, (accounts = new Array<undefined>(kSizes).fill(undefined)));
    const size = Math.min(kSizes - 1, Math.max(0, Math.floor(Math.log2(estimate / kSmallest))));
    return (accounts[size] ??= new PoolAccount());
  }
}
