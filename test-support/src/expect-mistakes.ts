/**
 * Tells the ledger of jest-ledger.js that this test provokes a double unref or a use after free on purpose; the ledger fails every
 * other test that does. Call it at the start of the test.
 */
export function expectMistakes(): void {
  (globalThis as unknown as Record<symbol, boolean>)[Symbol.for("onebuffer.test.expectsMistakes")] = true;
}
