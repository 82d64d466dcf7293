// What jest-ledger.js uses of `node:url`, in a browser.
export const fileURLToPath = (url) => new URL(url).pathname;
