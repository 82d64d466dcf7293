// The few functions of Node that tests use which are otherwise the same in a browser.

globalThis.setImmediate = (act, ...args) => void setTimeout(act, 0, ...args);

/** `Buffer.compare` of two arrays of bytes. */
function compare(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  return Math.sign(a.length - b.length);
}
globalThis.Buffer = { compare };

/** In place of `process.cpuUsage`: a page knows only the time of day. */
globalThis.cpuUsageOfPage = (before = { user: 0, system: 0 }) => ({ user: performance.now() * 1000 - before.user, system: 0 });
