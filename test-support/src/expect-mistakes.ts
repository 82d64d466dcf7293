/**
 * For tests that provoke a double unref or a touch after free: the ledger around every test fails those that do not say so.
 * Call it at the start of the test.
 */
export function expectMistakes(): void {
  (globalThis as unknown as Record<symbol, boolean>)[Symbol.for("onebuffer.test.expectsMistakes")] = true;
}
