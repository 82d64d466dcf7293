// What passed, failed and was skipped.

/** The most failures of a part that are printed. */
const kShown = 25;

/** Counts checks and prints failures. */
export class Report {
  failed = 0;
  #passed = 0;
  #skipped = 0;
  #shown = 0;
  #notes = new Map();

  begin(part) {
    this.#shown = 0;
    this.#write(`\n${part}`);
  }

  pass() {
    this.#passed++;
  }

  fail(what, why) {
    this.failed++;
    if (++this.#shown <= kShown) this.#write(`FAILED  ${what}\n        ${why}`);
  }

  /** Counts something that cannot be checked, by its reason. */
  skip(reason) {
    this.#skipped++;
    this.#notes.set(reason, (this.#notes.get(reason) ?? 0) + 1);
  }

  note(text) {
    this.#write(`        ${text}`);
  }

  /** Runs a check that throws if it fails. */
  async check(what, run) {
    try {
      const note = await run();
      this.pass();
      this.#write(`ok      ${what}${note === undefined ? "" : `: ${note}`}`);
    } catch (error) {
      this.fail(what, error?.stack ?? String(error));
    }
  }

  end() {
    if (this.#notes.size > 0) this.#write("\nskipped");
    for (const [reason, count] of [...this.#notes].sort((a, b) => b[1] - a[1])) this.#write(`${String(count).padStart(6)}  ${reason}`);
    this.#write(`\n${this.#passed} passed, ${this.failed} failed, ${this.#skipped} skipped`);
  }

  #write(text) {
    process.stdout.write(`${text}\n`);
  }
}
