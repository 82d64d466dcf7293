// What an editor shows of the installed package, asked of TypeScript's language service: each overload of each function of the face, and of
// each method of its classes, maps and expressions, has a comment with an example; every other member has a comment.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);

/** The types whose methods have examples. Of others, such as options, the members have comments. */
const kWithExamples = new Set(["Tensor", "ConstTensorMap", "TensorMap", "ConstStridedMap", "StridedMap", "Expression"]);

/** The least number of names and members of the face: fewer mean that the check looks at the wrong place. */
const kLeastNames = 500;

/** Returns a language service for one program, given as text, in the folder of the app. */
function languageService(ts, app, text) {
  const file = join(app, "hovers.mts");
  const options = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    types: [],
  };
  const read = (path) => (path === file ? text : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    ...ts.sys,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => (read(path) === undefined ? undefined : ts.ScriptSnapshot.fromString(read(path))),
    getCurrentDirectory: () => app,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  });
  return { file, service };
}

/** A program that names every export as a value or a type, and a variable of each type whose methods are looked at. */
const kProgram = `import * as face from "onebuffer";
import { Tensor } from "onebuffer";
import type { ConstStridedMap, ConstTensorMap, Expression, StridedMap, TensorMap } from "onebuffer";
export const names = face;
export declare const members: { Tensor: Tensor; ConstTensorMap: ConstTensorMap<"float32", 2>; TensorMap: TensorMap<"float32", 2>;
  ConstStridedMap: ConstStridedMap<"float32", 2>; StridedMap: StridedMap<"float32", 2>; Expression: Expression<"float32", 2> };
`;

const isExample = ({ name }) => name === "example";

/** The names of other libraries that types refuse have the call in place of each in a tag. */
const isDeprecated = ({ name, text }) => name === "deprecated" && text?.length > 0;

/** The complaints about a symbol and its signatures. */
function complaintsOf(ts, checker, name, symbol, wantsExample) {
  const found = [];
  const complain = (what, comment, tags) => {
    if (tags.some(isDeprecated)) return;
    if (comment.length === 0) found.push(`${what}: no comment`);
    else if (wantsExample && !tags.some(isExample)) found.push(`${what}: no example`);
  };
  const signatures = checker.getTypeOfSymbol(symbol).getCallSignatures();
  // The comment of a property that is a function is the property's; a method or function has one for each overload.
  if (signatures.length > 0 && symbol.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Function))
    for (const [i, each] of signatures.entries())
      complain(`${name}, overload ${i + 1}`, each.getDocumentationComment(checker), each.getJsDocTags());
  else complain(name, symbol.getDocumentationComment(checker), symbol.getJsDocTags(checker));
  return found;
}

/** Returns the members that a package declares of a type: not those that the library of TypeScript declares, nor private ones. */
function membersOf(ts, checker, type) {
  return checker.getPropertiesOfType(type).filter(({ name, declarations = [] }) => {
    const [first] = declarations;
    if (first === undefined || name === "prototype" || name.includes("#private")) return false;
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
    return !(ts.getCombinedModifierFlags(first) & hidden) && !/[\\/]lib\.[^\\/]*$/.test(first.getSourceFile().fileName);
  });
}

/** What the service shows for a call of a map: `map.NAME(`, as in an editor. */
function shownAtCalls(ts, app, names) {
  const calls = names.map((name) => `map.${name}();`);
  const text = `import type { TensorMap } from "onebuffer";\ndeclare const map: TensorMap<"float32", 2>;\n${calls.join("\n")}\n`;
  const { file, service } = languageService(ts, app, text);
  return names.flatMap((name) => {
    const at = text.indexOf(`map.${name}();`) + "map.".length;
    const info = service.getQuickInfoAtPosition(file, at);
    const comment = ts.displayPartsToString(info?.documentation ?? []);
    return comment === "" || !info.tags?.some(isExample)
      ? [`hovering over map.${name}(): ${comment === "" ? "nothing" : "no example"}`]
      : [];
  });
}

/** What the check makes of the face; also where "go to definition" ends. */
function checkHovers({ app, tool, package: folder }) {
  const path = tool("typescript-5.9");
  if (!existsSync(path)) throw new Error(`${path} is missing`);
  const ts = require(path);
  const { file, service } = languageService(ts, app, kProgram);
  const program = service.getProgram();
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const complaints = [];
  let count = 0;
  const visit = (name, symbol, wantsExample) => {
    count++;
    complaints.push(...complaintsOf(ts, checker, name, symbol, wantsExample));
  };
  const face = checker.getSymbolAtLocation(source.statements[0].moduleSpecifier);
  for (const exported of checker.getExportsOfModule(face)) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    visit(exported.name, symbol, (symbol.flags & ts.SymbolFlags.Value) !== 0);
    if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) continue;
    const own = kWithExamples.has(exported.name);
    const types = [checker.getDeclaredTypeOfSymbol(symbol)];
    if (symbol.flags & ts.SymbolFlags.Class) types.push(checker.getTypeOfSymbol(symbol));
    for (const type of types)
      for (const member of membersOf(ts, checker, type)) {
        const isCall = checker.getTypeOfSymbol(member).getCallSignatures().length > 0;
        visit(`${exported.name}.${member.name}`, member, own && isCall);
      }
  }
  if (count < kLeastNames) throw new Error(`only ${count} names were found`);
  // A member of a mapped type, such as `sum`, has its comment in another place: what the editor shows at a call counts.
  const operations = membersOf(ts, checker, checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(face.exports.get("Operations"))));
  complaints.push(
    ...shownAtCalls(
      ts,
      app,
      operations.map(({ name }) => name),
    ),
  );
  if (complaints.length > 0) throw new Error(`${complaints.length} of ${count}:\n${complaints.join("\n")}`);
  const [definition] = service.getDefinitionAtPosition(file, kProgram.indexOf("Tensor }")) ?? [];
  if (!definition?.fileName.startsWith(folder)) throw new Error(`the definition of Tensor is in ${definition?.fileName}`);
  return `${count} names and members, ${operations.length} calls; Tensor is defined in ${definition.fileName.slice(folder.length + 1)}`;
}

export const HOVER_CHECKS = { "hovering: every overload has its comment with an example": checkHovers };
