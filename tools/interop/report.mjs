// Counts and prints what agrees, what does not, and what is known to differ on purpose.

const kShown = 8;

export class Report {
  constructor(write) {
    this.write = write;
    this.passed = 0;
    this.failures = [];
    this.section = { name: "", passed: 0, failed: 0, notes: new Map() };
  }

  /** Ends the current section and begins a new one. */
  begin(name) {
    this.end();
    this.section = { name, passed: 0, failed: 0, notes: new Map() };
  }

  end() {
    const { name, passed, failed, notes } = this.section;
    if (name === "") return;
    this.write(`${failed === 0 ? "ok    " : "FAILED"} ${name}: ${passed} agree${failed === 0 ? "" : `, ${failed} do not`}\n`);
    for (const [note, count] of notes) this.write(`         ${count} x ${note}\n`);
    this.section = { name: "", passed: 0, failed: 0, notes: new Map() };
  }

  /** Counts a remark that is not a failure: an intended difference, or a feature that this TensorFlow lacks. */
  note(text) {
    const { notes } = this.section;
    notes.set(text, (notes.get(text) ?? 0) + 1);
  }

  pass() {
    this.passed++;
    this.section.passed++;
  }

  fail(what, detail) {
    this.section.failed++;
    this.failures.push(`${this.section.name}: ${what}: ${detail}`);
    if (this.section.failed <= kShown) this.write(`    ${what}\n      ${detail}\n`);
  }

  /** Passes if both values have the same JSON. */
  same(what, mine, theirs) {
    const a = JSON.stringify(mine);
    const b = JSON.stringify(theirs);
    if (a === b) this.pass();
    else this.fail(what, `ours ${short(a)}, TensorFlow's ${short(b)}${difference(a, b)}`);
  }

  /** Runs a check; an error that it throws is a failure. */
  async check(what, act) {
    try {
      await act();
    } catch (error) {
      this.fail(
        what,
        String(error?.stack ?? error)
          .split("\n")
          .slice(0, 3)
          .join(" | "),
      );
    }
  }
}

const short = (text) => (text === undefined ? "nothing" : text.length > 220 ? `${text.slice(0, 220)}... (${text.length})` : text);

function difference(a = "", b = "") {
  if (Math.max(a.length, b.length) <= 220) return "";
  let at = 0;
  while (a[at] === b[at]) at++;
  return `; first difference at ${at}: ${a.slice(at, at + 40)} and ${b.slice(at, at + 40)}`;
}
