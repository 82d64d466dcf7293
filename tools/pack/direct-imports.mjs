// A plugin of esbuild: the face imports each name from the module that has it, and not from the index of a package.
//
//     import { readNpy } from "../io/index.js"      ->      import { readNpy } from "../io/npy/read-npy.js"
//
// When esbuild divides several entries into chunks, an entry that imports an index loads all chunks that the index needs, used or not: Node
// would load every reader of files for `onebuffer`.
import { readFileSync } from "node:fs";
import { posix } from "node:path";

const IMPORT = /^import \{ ([\w$, ]+) \} from "(\..+)";$/gm;

/** Returns the specifier of each name that an index imports from a module, relative to the index. */
function modulesOf(path) {
  const lines = [...readFileSync(path, "utf8").matchAll(IMPORT)];
  return new Map(lines.flatMap(([, names, from]) => names.split(", ").map((name) => [name, from])));
}

/** The plugin for a face, by its path. */
export const directImports = (face) => ({
  name: "direct-imports",
  setup(build) {
    build.onLoad({ filter: /onebuffer[\\/]index\.js$/ }, ({ path }) => {
      if (path !== face) return null;
      const contents = readFileSync(path, "utf8").replaceAll(IMPORT, (_, names, from) => {
        const modules = modulesOf(posix.join(posix.dirname(path.replaceAll("\\", "/")), from));
        const lines = names.split(", ").map((name) => {
          const module = modules.get(name);
          return `import { ${name} } from "${module === undefined ? from : posix.join(posix.dirname(from), module)}";`;
        });
        return lines.join("\n");
      });
      return { contents, loader: "js" };
    });
  },
});
