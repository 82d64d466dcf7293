/** What a page without cross-origin isolation cannot do. */

/** True if threads can share memory in this page. */
export const isIsolated = (): boolean => globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === "function";
