// A transformer for Jest that makes the comparisons of sites.mjs note what they compare: `a < kB` becomes `__way("file", 3, a, kB, "<")`, and the
// functions of form-sites.mjs the form that is chosen. environment.mjs puts `__way` and `__form` into the global object of a test file.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { formSiteOf } from "./form-sites.mjs";
import { sitesOf } from "./sites.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const version = ["./sites.mjs", "./form-sites.mjs", "./instrument.mjs"]
  .map((name) => readFileSync(new URL(name, import.meta.url), "utf8"))
  .join("");

/** Returns `package/path` of a compiled module: `kernels/products/contract`. */
export const moduleName = (path) => relative(`${root}packages`, path).replaceAll("\\", "/").replace("/dist/src/", "/").replace(/\.js$/, "");

/** Returns the text of a module whose sites call `__way`, and `__form` where it chooses a form. Lines stay where they are. */
export function instrumented(plain, name) {
  const form = formSiteOf(name, plain);
  const text = form === null ? plain : `${plain.slice(0, form.at)} ${form.note}${plain.slice(form.at)}`;
  const edits = sitesOf(text).map((site, number) => ({ ...site, number }));
  const write = (start, end) => {
    let [out, at] = ["", start];
    for (const site of edits) {
      if (site.start < at || site.end > end || (site.start === start && site.end === end && site.isOpen)) continue;
      site.isOpen = true;
      const [left, right] = [site.left, site.right].map(([from, to]) => write(from, to));
      out += `${text.slice(at, site.start)}__way(${JSON.stringify(name)}, ${site.number}, ${left}, ${right}, "${site.operator}")`;
      at = site.end;
    }
    return out + text.slice(at, end);
  };
  return write(0, text.length);
}

export default {
  process: (text, path) => ({ code: instrumented(text, moduleName(path)) }),
  getCacheKey: (text, path) => createHash("sha256").update(`${version}\0${path}\0${text}`).digest("hex"),
};
