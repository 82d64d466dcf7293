// Memory is a promise: every test runs under the buffer ledger. It fails the test for any buffer or reference still held,
// and for any double unref or touch after free, even one whose error was swallowed. A test that provokes such a mistake on
// purpose says so: `expectMistakes()` from packages/core/test/expect-mistakes.ts.
import { afterEach, beforeEach } from "@jest/globals";
import { bufferLedger } from "@onebuffer/core";

const EXPECTED = Symbol.for("onebuffer.test.expectsMistakes");

beforeEach(() => {
  globalThis[EXPECTED] = false;
  bufferLedger.enable();
});

afterEach(() => {
  try {
    if (!bufferLedger.enabled) return;
    bufferLedger.assertEmpty();
    const mistakes = globalThis[EXPECTED] ? [] : bufferLedger.mistakes();
    if (mistakes.length > 0) {
      const list = mistakes.map((mistake) => `${mistake.kind}: ${mistake.call}() on ${mistake.name}\n${mistake.stack}`);
      throw new Error(`${mistakes.length} uses of freed memory:\n${list.join("\n")}`);
    }
  } finally {
    bufferLedger.disable();
  }
});
