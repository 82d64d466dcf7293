/**
 * Allows the current test to provoke a double unref or a use after free, which the ledger of jest-ledger.js otherwise reports as a
 * failure. Call it at the start of the test.
 */
export function expectMistakes(): void {
  (globalThis as unknown as Record<symbol, boolean>)[Symbol.for("onebuffer.test.expectsMistakes")] = true;
}
