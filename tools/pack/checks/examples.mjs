// The examples of the pages that ship, run against the installed package: a program for each page, with its blocks in order.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { asAssertion } from "../../example-assertions.mjs";
import { blocksOf } from "../../pages.mjs";

const HELPERS = `import { deepStrictEqual } from "node:assert";
import { isStatusError as isStatus } from "onebuffer";
const plain = (value) => (ArrayBuffer.isView(value) ? [...value] : value);
const expect = (value) => ({ toEqual: (want) => deepStrictEqual(plain(value), plain(want)) });
async function expectStatus(act, code) {
  let caught;
  try { await act(); } catch (error) { caught = error; }
  deepStrictEqual(isStatus(caught) ? caught.code : caught, code);
}
`;

/** Returns the program of a page's blocks, each in a scope of its own, with their imports at the top; null if it has no blocks. */
function programOf(text) {
  const blocks = blocksOf(text).filter(({ language, file }) => language === "ts" && file === "");
  if (blocks.length === 0) return null;
  const imports = new Map();
  const bodies = blocks.map(({ code }) =>
    code.replace(/^import (type )?\{([^}]*)\} from "([^"]+)";\n/gm, (_, type = "", names, from) => {
      for (const name of names.split(",")) imports.set(name.trim(), `import ${type}{ ${name.trim()} } from "${from}";`);
      return "";
    }),
  );
  const scopes = bodies.map((body) => `await (async () => {\n${body.split("\n").map(asAssertion).join("\n")}\n})();`);
  return { code: [HELPERS, ...imports.values(), ...scopes].join("\n"), blocks: blocks.length };
}

export const EXAMPLE_CHECKS = {
  async "the examples of the pages that ship"({ package: folder, tool, write, node }) {
    const { transform } = await import(pathToFileURL(join(tool("esbuild"), "lib/main.js")));
    const docs = readdirSync(join(folder, "docs")).filter((name) => name.endsWith(".md"));
    let count = 0;
    for (const page of ["README.md", ...docs.map((name) => `docs/${name}`)]) {
      const program = programOf(readFileSync(join(folder, page), "utf8"));
      if (program === null) continue;
      const { code } = await transform(program.code, { loader: "ts", format: "esm", target: "es2022" });
      node(write(`examples/${page}.mjs`, code));
      count += program.blocks;
    }
    return `${count} blocks`;
  },
};
