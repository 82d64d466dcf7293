// What jest-ledger.js uses of `node:path`, in a browser: paths begin at the address of the page.
export const relative = (from, to) => (to.startsWith(from) ? to.slice(from.length) : to);
