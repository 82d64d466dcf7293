// Runs every test under the buffer ledger. A test fails if a buffer or reference is still held at its end, or on any double unref
// or use after free, even one whose error was caught. The arena is in checked mode: freed memory is poisoned and quarantined, and
// after each test it is checked for writes. A test that makes such a mistake on purpose calls `expectMistakes()` from test-support.
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect } from "@jest/globals";
import { makesNoBuffers } from "./tools/makes-no-buffers.mjs";

if (!makesNoBuffers(fileURLToPath(new URL(".", import.meta.url)), expect.getState().testPath ?? "")) {
  watch({ ...(await import("@onebuffer/allocator")), ...(await import("@onebuffer/allocator/internal")) });
}

/** Watches every test of the file. */
function watch({ bufferLedger, configureMemory, existingThreadArena }) {
  const EXPECTED = Symbol.for("onebuffer.test.expectsMistakes");
  const writes = [];
  // To record where every buffer was made and freed takes a tenth of the time of tests of tensors.
  const recordsStacks = process.env.ONEBUFFER_LEDGER_STACKS !== undefined;
  const advice = recordsStacks ? "" : "\n(with ONEBUFFER_LEDGER_STACKS=1: where each was made)";

  configureMemory({ checked: { onWriteAfterFree: (write) => writes.push(write) } });

  function assertEmpty() {
    try {
      bufferLedger.assertEmpty();
    } catch (error) {
      throw new Error(`${error.message}${advice}`);
    }
  }

  beforeEach(() => {
    globalThis[EXPECTED] = false;
    writes.length = 0;
    bufferLedger.enable({ stacks: recordsStacks });
  });

  afterEach(() => {
    try {
      if (!bufferLedger.enabled) return;
      assertEmpty();
      const mistakes = globalThis[EXPECTED] ? [] : bufferLedger.mistakes();
      if (mistakes.length > 0) {
        const list = mistakes.map((mistake) => `${mistake.kind}: ${mistake.call}() on ${mistake.name}\n${mistake.stack}`);
        throw new Error(`${mistakes.length} uses of freed memory:\n${list.join("\n")}`);
      }
      existingThreadArena()?.allocator.flushQuarantine();
      if (writes.length > 0 && !globalThis[EXPECTED]) throw new Error(`written after it was freed: ${JSON.stringify(writes)}`);
    } finally {
      bufferLedger.disable();
    }
  });
}
