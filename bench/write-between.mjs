import { readFileSync, writeFileSync } from "node:fs";

/** Replaces what is between two marks of a page, `<!-- name -->` and `<!-- end of name -->`. Throws if the page does not have both. */
export function writeBetween(file, name, lines) {
  const text = readFileSync(file, "utf8");
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`].map((mark) => text.indexOf(mark));
  if (begin < 0 || end < 0) throw new Error(`${file} has no marks for the table "${name}"`);
  writeFileSync(file, `${text.slice(0, begin)}<!-- ${name} -->\n${lines.join("\n")}\n${text.slice(end)}`);
}
