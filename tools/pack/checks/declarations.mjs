// The declarations compile under the compilers that people use, with `skipLibCheck: false`; and what linters of packages say.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../../pages.mjs";
import { Skip, run } from "./context.mjs";

const STRICT = [
  "--noEmit",
  "--strict",
  "--skipLibCheck",
  "false",
  "--target",
  "es2022",
  "--exactOptionalPropertyTypes",
  "--isolatedModules",
];
const NODENEXT = ["--module", "nodenext"];
const BUNDLER = ["--module", "preserve", "--moduleResolution", "bundler"];

/** Each compiler, and whether it lets CommonJS require a module. */
const COMPILERS = [
  { version: "5.7", common: false },
  { version: "5.8", common: true },
  { version: "5.9", common: true },
  { version: "7", common: true },
];
/** What programs have in scope: the default `lib` of es2022 with DOM, none of it, Node's types without and with DOM. */
const SCOPES = [
  { name: "DOM", args: [] },
  { name: "no DOM", args: ["--lib", "es2022"] },
  { name: "Node's types", args: ["--lib", "es2022"], types: true },
  { name: "DOM and Node's types", args: [], types: true },
];

/** One run of a compiler. */
function compile({ app, tool }, version, files, resolution, scope) {
  const types = scope.types ? ["--types", "node", "--typeRoots", join(tool("@types/node"), "..")] : [];
  run(process.execPath, [join(tool(`typescript-${version}`), "bin/tsc"), ...STRICT, ...resolution, ...scope.args, ...types, ...files], app);
}

function compilerCheck({ version, common }) {
  return (context) => {
    // The old compilers take seconds for a run; the extremes of scope stand for what is between.
    const scopes = context.all || version === "7" ? SCOPES : SCOPES.slice(1, 2);
    let runs = 0;
    for (const scope of scopes) {
      for (const [files, resolution] of [
        [common ? ["types.mts", "types.cts"] : ["types.mts"], NODENEXT],
        [["types.mts"], BUNDLER],
      ]) {
        try {
          compile(context, version, files, resolution, scope);
        } catch (error) {
          if (error instanceof Skip) throw error;
          throw new Error(`${files.join(" and ")}, ${resolution.join(" ")}, ${scope.name}: ${error.message}`);
        }
        runs++;
      }
    }
    context.write(
      "loose.mts",
      'import { Tensor } from "onebuffer";\nexport const rank: number = Tensor.from([1]).vec().strided("0").rank;\n',
    );
    compile(context, version, ["loose.mts", "--strict", "false", "--exactOptionalPropertyTypes", "false"], NODENEXT, SCOPES[1]);
    runs++;
    return `${runs} runs`;
  };
}

/** The settings that README gives for `using`, as `{ "target": "es2022", … }` and `{ "type": "module" }`. */
function settingsOf(readme) {
  const [, compiler, manifest] =
    /`("target": "\w+"[^`]*)` in the `compilerOptions` of\s+tsconfig\.json, `("type": "\w+")` in package\.json/.exec(readme);
  return { compiler: JSON.parse(`{${compiler}}`), manifest: JSON.parse(`{${manifest}}`) };
}

/** README's first program in a project of `tsc --init` with these two settings: it compiles, and this Node runs it. */
function initCheck(version) {
  return ({ package: folder, app, tool, write }) => {
    const tsc = join(tool(`typescript-${version}`), "bin/tsc");
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    const { compiler, manifest } = settingsOf(readme);
    const project = `init-${version}`;
    write(`${project}/package.json`, JSON.stringify(manifest));
    const { code } = blocksOf(readme).find(({ language }) => language === "ts");
    write(`${project}/main.ts`, code);
    run(process.execPath, [tsc, "--init"], join(app, project));
    const written = readFileSync(join(app, project, "tsconfig.json"), "utf8");
    write(`${project}/tsconfig.json`, written.replace(/"target": "\w+"/, `"target": "${compiler.target}"`));
    run(process.execPath, [tsc], join(app, project));
    run(process.execPath, ["main.js"], join(app, project));
  };
}

/** The most of our files that a compiler may read for an import of the face. */
const kMostFiles = 60;

/**
 * How much an import of the face may add to what the compiler makes for an empty file: types, instantiations of generic types, symbols. Its
 * seconds follow from these, and these do not depend on what else the machine does.
 */
const kMostAdded = { Types: 6500, Instantiations: 13_000, Symbols: 12_500 };

/** The numbers that `--extendedDiagnostics` prints, by name; times are in seconds. */
const diagnosticsOf = (printed) =>
  Object.fromEntries([...printed.matchAll(/^(\w[\w ]*):\s+([\d.]+)[sK]?$/gm)].map(([, name, n]) => [name, +n]));

/** One import without `skipLibCheck` makes few types. Says how many, and the compiler's seconds beside those of an empty file. */
function checksQuickly(version) {
  return ({ app, tool, write }) => {
    const measure = (name, text) => {
      write(name, text);
      const tsc = join(tool(`typescript-${version}`), "bin/tsc");
      return diagnosticsOf(run(process.execPath, [tsc, ...STRICT, ...NODENEXT, "--extendedDiagnostics", name], app));
    };
    const empty = measure("empty.mts", "export {};\n");
    const one = measure("one.mts", 'import { Tensor } from "onebuffer";\nexport const rank: number = Tensor.from([1]).vec().rank;\n');
    const added = Object.keys(kMostAdded).map((name) => [name, one[name] - empty[name]]);
    for (const [name, count] of added)
      if (!(count <= kMostAdded[name])) throw new Error(`${name}: ${count} more, than ${kMostAdded[name]}`);
    const seconds = [one, empty].map((each) => `${each["Total time"].toFixed(1)} s`);
    return `${seconds[0]}, an empty file ${seconds[1]}; ${added.map(([name, count]) => `${count} ${name.toLowerCase()}`).join(", ")} more`;
  };
}

/** One import without `skipLibCheck` reads few of our files. Says how many, and the compiler's seconds. */
function readsFewFiles(version) {
  return ({ app, tool, write }) => {
    write("one.mts", 'import { Tensor } from "onebuffer";\nexport const rank: number = Tensor.from([1]).vec().rank;\n');
    const begin = performance.now();
    const listed = run(
      process.execPath,
      [join(tool(`typescript-${version}`), "bin/tsc"), ...STRICT, ...NODENEXT, "--listFiles", "one.mts"],
      app,
    );
    const seconds = (performance.now() - begin) / 1000;
    const files = listed.split("\n").filter((line) => /[\\/]onebuffer[\\/]/.test(line)).length;
    if (files > kMostFiles) throw new Error(`${files} files, more than ${kMostFiles}`);
    return `${files} files, ${seconds.toFixed(1)} s`;
  };
}

export const DECLARATION_CHECKS = {
  "an import reads few declarations: TypeScript 5.9": readsFewFiles("5.9"),
  "an import takes the compiler little: TypeScript 5.9": checksQuickly("5.9"),
  "a project of tsc --init with README's settings: TypeScript 5.9": initCheck("5.9"),
  "a project of tsc --init with README's settings: TypeScript 7": initCheck("7"),
  ...Object.fromEntries(COMPILERS.map((compiler) => [`declarations under TypeScript ${compiler.version}`, compilerCheck(compiler)])),
  async publint({ package: folder, tool }) {
    const { publint } = await import(join(tool("publint"), "src/index-node.js"));
    const { messages } = await publint({ pkgDir: folder, strict: true });
    if (messages.length > 0) throw new Error(JSON.stringify(messages));
  },
  "are the types wrong, profile esm-only"({ tool, tarball, app }) {
    run(process.execPath, [join(tool("@arethetypeswrong/cli"), "dist/index.js"), "--profile", "esm-only", "--no-color", tarball], app);
  },
};
