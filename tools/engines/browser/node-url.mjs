// What jest-ledger.js and test-support use of `node:url`, in a browser.
export const fileURLToPath = (url) => new URL(url).pathname;
export const pathToFileURL = (path) => new URL(`file://${path}`);
