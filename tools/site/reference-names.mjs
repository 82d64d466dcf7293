// The names of the reference: where the page of each is, and links to it from blocks of code.
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The folders of the reference in which each name has a page. */
const kFolders = ["classes", "functions", "interfaces", "types", "variables"];

/** Returns the public names as `{ name, path, page, kind }`: the path that imports it, and its page relative to the site. */
export function referenceNames(reference) {
  return kFolders.flatMap((folder) =>
    readdirSync(join(reference, folder))
      .filter((file) => file.endsWith(".html"))
      .map((file) => {
        const [module, name] = file.replace(/\.html$/, "").split(/\.(?=[^.]*$)/);
        // TypeDoc writes every character of a specifier that is no letter or digit as `_`; a hyphen occurs in one sub-path only.
        const path = module.replace("_", "/").replaceAll("_", "-");
        return { name, path, page: `reference/${folder}/${file}`, kind: folder };
      }),
  );
}

/** Returns the names that a program imports from the package. */
export const importedNames = (code) =>
  [...code.matchAll(/^import (?:type )?\{([^}]*)\} from "(onebuffer(?:\/[\w-]+)?)";?$/gm)].flatMap(([, names, path]) =>
    names
      .split(",")
      .map(
        (each) =>
          each
            .trim()
            .replace(/^type /, "")
            .split(" as ")[0],
      )
      .filter((name) => name !== "")
      .map((name) => ({ name, path })),
  );

/**
 * Returns highlighted code with a link from the first use of each name to its page. `names` are the names of the program by name, `addressOf`
 * returns the address of a page, or undefined for a name without one. Comments and strings stay as they are.
 */
export function withNameLinks(html, names, addressOf) {
  const left = new Set(names);
  let muted = 0;
  const open = [];
  return html
    .split(/(<[^>]*>)/)
    .map((piece) => {
      if (piece.startsWith("</")) {
        if (open.pop()) muted--;
        return piece;
      }
      if (piece.startsWith("<")) {
        const isMuted = /hljs-(?:comment|string)/.test(piece);
        open.push(isMuted);
        if (isMuted) muted++;
        return piece;
      }
      if (muted > 0) return piece;
      return piece.replace(/(?<![\w$.&])[A-Za-z_$][\w$]*/g, (word) => {
        if (!left.has(word)) return word;
        const address = addressOf(word);
        left.delete(word);
        return address === undefined ? word : `<a href="${address}">${word}</a>`;
      });
    })
    .join("");
}
