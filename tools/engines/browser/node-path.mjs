// What jest-ledger.js and test-support use of `node:path`, in a browser: paths begin at the address of the page.
export const join = (...parts) => parts.join("/");
export const relative = (from, to) => (to.startsWith(from) ? to.slice(from.length) : to);
