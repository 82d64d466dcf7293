// `node run-property.js NAME...`: exit code 0 and no word when the properties hold, one after the other. It finds the library from
// where it lies itself, so that a copy of it beside a changed library tests that one.
import "./as-browser.ts";
import { beginAgain, properties } from "./properties.ts";

for (const [i, name] of process.argv.slice(2).entries()) {
  const property = properties[name];
  if (property === undefined) throw new Error(`no property "${name}"`);
  try {
    if (i > 0) await beginAgain();
    await property();
  } catch (error) {
    process.stderr.write(`${name}\n`);
    throw error;
  }
}
