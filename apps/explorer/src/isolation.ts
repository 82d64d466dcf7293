/** What a page without cross-origin isolation cannot do. */

/** True if threads can share memory in this page. */
export const isIsolated = (): boolean => globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === "function";

/** Returns a sentence about what is off, "" if nothing is. */
export function isolationNote(): string {
  if (isIsolated()) return "";
  return (
    "This page is not cross-origin isolated, so threads cannot share memory here: the panel Threads sends copies instead, " +
    "and its pool has one thread. Everything else works."
  );
}
