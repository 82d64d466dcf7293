// `node run-property.js NAME...` runs properties one after the other. The exit code is 0 if they hold. The imports are resolved from this
// file's folder, so a copy of it next to a changed library tests that library.
import "./as-browser.ts";
import { properties } from "./properties.ts";
import { beginAgain } from "./property-state.ts";

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
