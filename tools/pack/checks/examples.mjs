// The examples of the README that ships, run against the installed package.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { asAssertion } from "../../example-assertions.mjs";

const HELPERS = `import { deepStrictEqual } from "node:assert";
import { isStatusError as isStatus } from "onebuffer";
const plain = (value) => (ArrayBuffer.isView(value) ? [...value] : value);
const expect = (value) => ({ toEqual: (want) => deepStrictEqual(plain(value), want) });
async function expectStatus(act, code) {
  let caught;
  try { await act(); } catch (error) { caught = error; }
  deepStrictEqual(isStatus(caught) ? caught.code : caught, code);
}
`;

export const EXAMPLE_CHECKS = {
  async "the README's examples"({ package: folder, tool, write, node }) {
    const { transform } = await import(pathToFileURL(join(tool("esbuild"), "lib/main.js")));
    const blocks = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block);
    for (const [i, block] of blocks.entries()) {
      const lines = block.split("\n").map(asAssertion).join("\n");
      const { code } = await transform(HELPERS + lines, {
        loader: "ts",
        format: "esm",
        target: "es2022",
      });
      node(write(`readme-${i}.mjs`, code));
    }
    return `${blocks.length} blocks`;
  },
};
