// Makes the pages with TypeDoc and checks them: no warning, and a page with the import line for every exported name.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, DeclarationReflection, JSX, LogLevel, ReferenceReflection, ReflectionKind, Renderer } from "typedoc";

/** Names in a signature that are not exported on purpose; the signature shows what they stand for. */
const kNotExported = [
  // Helpers of conditional types, which are shown where they are used.
  ...[
    "After",
    "DTypeByTag",
    "DTypesWhere",
    "Ids",
    "QuantileDType",
    "IsLiteral",
    "Letters",
    "AxisMethodOf",
    "MethodOf",
    "MovementMethods",
    "MovementTexts",
    "OpNameOf",
    "Nested",
    "NoAttributes",
    "Special",
    "Times",
    "UseInstead",
  ],
  // Unions and typed arrays with a short name.
  ...["Bytes", "SweepMode"],
  // What the packages use of each other through public objects.
  ...["ArgAttributes", "BfcArena", "BfcStampedChunks", "EnabledLedger", "IndexStrides", "MemoryMark", "MemoryToken", "MessageType"],
  ...["ReduceAttributes", "ScanAttributes", "allocate", "deallocate"],
  // What the map of a device is made of; only its device makes one.
  ...["BackendArray", "DeviceMap", "DeviceMapHome", "DeviceMapParts", "kMadeInside"],
];

/** The specifier that people write for a sub-path of the package: `onebuffer` or `onebuffer/core`. */
const specifierOf = (path) => (path === "." ? "onebuffer" : `onebuffer${path.slice(1)}`);

/** Only types leave no trace in the compiled module, so they are imported with `import type`. */
const isType = (reflection) => reflection.kindOf([ReflectionKind.Interface, ReflectionKind.TypeAlias]);

/** The line that imports a reflection, null if it is not a name of a module. */
export function importLine(reflection) {
  if (!(reflection instanceof DeclarationReflection) || !reflection.parent?.kindOf(ReflectionKind.Module)) return null;
  return `import ${isType(reflection) ? "type " : ""}{ ${reflection.name} } from "${reflection.parent.name}";`;
}

/** Puts the import line above the text of each name's page. */
function printImportLine(context) {
  const line = importLine(context.page.model);
  return line === null ? JSX.createElement(JSX.Fragment, null) : JSX.createElement("pre", null, JSX.createElement("code", null, line));
}

/** Converts the declarations of `packed` (the folder of the package) and writes the site to `out`. */
export async function buildReference(packed, entries, out) {
  const faults = [];
  const app = await Application.bootstrap({
    name: "onebuffer",
    entryPoints: Object.values(entries).map((entry) => join(packed, "esm", `${entry}.d.ts`)),
    tsconfig: fileURLToPath(new URL("tsconfig.json", import.meta.url)),
    readme: fileURLToPath(new URL("index.md", import.meta.url)),
    out,
    alwaysCreateEntryPointModule: true,
    excludePrivate: true,
    excludeProtected: true,
    excludeInternal: true,
    // Every name of a module is listed in the order of kinds, then letters; the sources are in the package.
    disableSources: true,
    includeVersion: true,
    hideGenerator: true,
    githubPages: false,
    intentionallyNotExported: kNotExported,
    logLevel: LogLevel.Warn,
  });
  const { log } = app.logger;
  app.logger.log = (message, level) => {
    if (level >= LogLevel.Warn) faults.push(message.split("\n")[0]);
    else log.call(app.logger, message, level);
  };
  app.renderer.hooks.on("content.begin", printImportLine);
  const project = await app.convert();
  if (project === undefined) return { pages: 0, names: 0, faults: [...faults, "the declarations do not compile"] };
  nameModules(project, entries);
  app.validate(project);
  let addresses = new Map();
  app.renderer.on(Renderer.EVENT_END, () => {
    addresses = addressesOfNames(app.renderer.router, project);
  });
  await app.generateOutputs(project);
  const names = [...addresses].filter(([name]) => !(name instanceof ReferenceReflection));
  for (const [name, address] of names) faults.push(...faultsOfPage(name, join(out, address)));
  return { names: names.length, pages: new Set(names.map(([, address]) => address)).size, faults };
}

/** The file of each exported name, relative to the site. */
function addressesOfNames(router, project) {
  const modules = project.getChildrenByKind(ReflectionKind.Module);
  const names = modules.flatMap(({ children = [] }) => children);
  return new Map(names.map((name) => [name, router.getFullUrl(name)]));
}

/** What is wrong with the page of a name. */
function faultsOfPage(name, file) {
  if (!existsSync(file)) return [`${name.getFullName()} has no page`];
  const line = importLine(name).replaceAll('"', "&quot;");
  return readFileSync(file, "utf8").includes(line) ? [] : [`the page of ${name.getFullName()} does not say "${line}"`];
}

/** TypeDoc names a module after its file in the folder of all entries; here it gets the specifier that people write. */
function nameModules(project, entries) {
  const byFile = new Map(Object.entries(entries).map(([path, entry]) => [entry.slice("onebuffer/".length), specifierOf(path)]));
  for (const module of project.getChildrenByKind(ReflectionKind.Module)) module.name = byFile.get(module.name) ?? module.name;
}
