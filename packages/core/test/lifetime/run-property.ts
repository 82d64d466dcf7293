// `node run-property.js NAME`: exit code 0 and no word when the property holds. It finds the library from where it lies itself, so
// that a copy of it beside a changed library tests that one.
import "./as-browser.ts";
import { properties } from "./properties.ts";

const name = process.argv[2] ?? "";
const property = properties[name];
if (property === undefined) throw new Error(`no property "${name}"`);
await property();
