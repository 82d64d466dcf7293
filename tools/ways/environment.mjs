// The environment of test files whose library notes its ways (instrument.mjs). Workers write what they noted as JSON, one file per test file,
// into the folder that ONEBUFFER_WAYS names.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import BinaryEnvironment from "../../jest-env.js";
import { WayCounts } from "./way-counts.mjs";

export default class WaysEnvironment extends BinaryEnvironment {
  #counts = new WayCounts();
  /** By `operation|form`: how often the operation was computed in the form. */
  #forms = new Map();
  #noteForm = (op, form) => {
    const key = `${op}|${form}`;
    this.#forms.set(key, (this.#forms.get(key) ?? 0) + 1);
  };
  #name;

  constructor(config, context) {
    super(config, context);
    this.#name = context.testPath.replace(/\W+/g, "-");
    this.global.__way = this.#counts.note;
    this.global.__form = this.#noteForm;
  }

  async teardown() {
    writeFileSync(
      join(process.env.ONEBUFFER_WAYS, `${this.#name}.json`),
      JSON.stringify({ ways: this.#counts.entries(), forms: [...this.#forms] }),
    );
    await super.teardown();
  }
}
