// The environment of test files whose library notes its ways (instrument.mjs). Workers write what they noted as JSON, one file per test file,
// into the folder that ONEBUFFER_WAYS names.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import BinaryEnvironment from "../../jest-env.js";
import { WayCounts } from "./way-counts.mjs";

export default class WaysEnvironment extends BinaryEnvironment {
  #counts = new WayCounts();
  #name;

  constructor(config, context) {
    super(config, context);
    this.#name = context.testPath.replace(/\W+/g, "-");
    this.global.__way = this.#counts.note;
  }

  async teardown() {
    writeFileSync(join(process.env.ONEBUFFER_WAYS, `${this.#name}.json`), JSON.stringify(this.#counts.entries()));
    await super.teardown();
  }
}
