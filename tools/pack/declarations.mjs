// The declarations, rolled into a file for each entry and those that entries share: a compiler reads some 30 files for an import, and not one
// for each module.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rollup } from "rollup";
import dts from "rollup-plugin-dts";
import { ENTRIES, typesFile } from "./entries.mjs";
import { withLib } from "./modules.mjs";

/** An interface that modules of `core` extend, by the name of the module that exports it; rolled, that is the file of `onebuffer/base`. */
const kExtended = /^declare module "[./]*base\/index\.js"/gm;

/** Writes `types/` from the declarations of the modules in `esm/`. Throws for whatever rollup warns of, but for types without an export. */
export async function rollDeclarations(target) {
  const input = Object.fromEntries(
    Object.entries(ENTRIES).map(([path, module]) => [typesFile(path), join(target, "esm", `${module}.d.ts`)]),
  );
  const bundle = await rollup({
    input,
    plugins: [dts()],
    external: [/^node:/],
    onwarn: ({ message }) => {
      if (/private shared type exports|declare module/.test(message)) return;
      throw new Error(`types: ${message}`);
    },
  });
  const folder = join(target, "types");
  await bundle.write({ dir: folder, format: "es", entryFileNames: "[name].d.ts", chunkFileNames: "shared-[hash].d.ts" });
  await bundle.close();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const rolled = text.replace(kExtended, 'declare module "./base.js"');
    if (/^declare module "\.\.\//m.test(rolled)) throw new Error(`types/${name} extends a module that is not in types/`);
    writeFileSync(path, withLib(rolled));
  }
}
