// What passed, failed and was skipped in one environment.

/** The most failures of a part that are printed. */
const kShown = 25;

/** Counts checks and says what failed, by `say`. */
export class Report {
  #failed = 0;
  #passed = 0;
  #shown = 0;
  #skipped = new Map();
  #hashes = {};
  #say;

  constructor(say) {
    this.#say = say;
  }

  begin(part) {
    this.#shown = 0;
    this.#say(`\n${part}`);
  }

  pass() {
    this.#passed++;
  }

  fail(what, why) {
    this.#failed++;
    if (++this.#shown <= kShown) this.#say(`FAILED  ${what}\n        ${why}`);
  }

  /** Counts something that cannot be checked, by its reason. `what` is what it is about, such as an operation. */
  skip(reason, what) {
    const known = this.#skipped.get(reason) ?? { count: 0, whats: new Set() };
    known.count++;
    known.whats.add(what);
    this.#skipped.set(reason, known);
  }

  /** Records the hash of a result, which is the same in all environments. */
  hash(name, hash) {
    this.#hashes[name] = hash;
  }

  note(text) {
    this.#say(`        ${text}`);
  }

  /** Runs a check that throws if it fails. */
  async check(what, run) {
    try {
      const note = await run();
      this.pass();
      this.#say(`ok      ${what}${note === undefined ? "" : `: ${note}`}`);
    } catch (error) {
      this.fail(what, `${error}\n${error?.stack ?? ""}`);
    }
  }

  /** Returns the counts and hashes as JSON. */
  totals() {
    const skipped = [...this.#skipped].map(([reason, { count, whats }]) => ({ reason, count, whats: [...whats] }));
    return { passed: this.#passed, failed: this.#failed, skipped, hashes: this.#hashes };
  }
}
