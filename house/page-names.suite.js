// Where the pages' names come from: a page for users that names something outside of the face names its sub-path, too.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tensor } from "onebuffer";
import { pagePaths } from "../tools/pages.mjs";
import { publicNames } from "../tools/public-names.mjs";
import { root } from "./source-files.mjs";

const places = publicNames();
const pages = ["README.md", ...pagePaths(root).filter((page) => /^docs\/[\w-]+\.md$/.test(page) && page !== "docs/README.md")];

/** True for the name of a method of a strided map, such as `permute`, which is also the name of a function. */
function isMethod(name) {
  const tensor = Tensor.zeros([1]);
  const found = name in tensor.strided();
  tensor.dispose();
  return found;
}

test.each(pages)("%s: what is not on the face is named with its sub-path", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const names = [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`(\w+)[^`\n]*`/g)].map(([, name]) => name);
  const missing = [...new Set(names)].flatMap((name) => {
    const { path } = places.get(name) ?? { path: "onebuffer" };
    return path === "onebuffer" || isMethod(name) || text.includes(path) ? [] : [`${name} of ${path}`];
  });
  expect(missing).toEqual([]);
});
