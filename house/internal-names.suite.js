// What packages export for each other. A changed list is accepted with `-u`. The public names are in public-names.suite.js.
import { expect, test } from "@jest/globals";
import { exportsOf } from "../tools/public-names.mjs";
import { internalModules } from "./entry-modules.js";
import { packageNames } from "./source-files.mjs";

const internals = packageNames.map((name) => `@onebuffer/${name}/internal`).filter((specifier) => exportsOf(specifier).size > 0);

test("the loaded modules are those of all packages", () => {
  expect([...internalModules.keys()]).toEqual(internals);
});

test.each(internals)("%s: its exports are the listed ones", (specifier) => {
  const names = [...exportsOf(specifier)];
  const of = (kind) => names.flatMap(([name, each]) => (each === kind ? [name] : []));
  expect(Object.keys(internalModules.get(specifier)).sort()).toEqual(of("value"));
  expect({ values: of("value"), types: of("type") }).toMatchSnapshot();
});
