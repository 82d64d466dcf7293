// Memory is a promise: every test runs under the buffer ledger. It fails the test for any buffer or reference still held,
// and for any double unref or touch after free, even one whose error was swallowed. The arena is in checked mode: freed memory
// is poisoned and held back, and after each test looked through for writes. A test that provokes such a mistake on
// purpose says so: `expectMistakes()` from test-support.
import { afterEach, beforeEach, expect } from "@jest/globals";

// These packages make no buffers, and loading the allocator for each of their test files would take longer than many of them do.
const makesNoBuffers = /[\\/](packages[\\/](base|shape|wasm|eigen|slice|xla)|house)[\\/]/.test(expect.getState().testPath ?? "");
if (!makesNoBuffers) watch(await import("@onebuffer/allocator"));

/** Watches every test of the file. */
function watch({ bufferLedger, configureMemory, defaultAllocator, memorySnapshot }) {
  const EXPECTED = Symbol.for("onebuffer.test.expectsMistakes");
  const writes = [];

  configureMemory({ checked: { onWriteAfterFree: (write) => writes.push(write) } });

  beforeEach(() => {
    globalThis[EXPECTED] = false;
    writes.length = 0;
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
      if (memorySnapshot().arena !== null) defaultAllocator().flushQuarantine();
      if (writes.length > 0 && !globalThis[EXPECTED]) throw new Error(`written after it was freed: ${JSON.stringify(writes)}`);
    } finally {
      bufferLedger.disable();
    }
  });
}
