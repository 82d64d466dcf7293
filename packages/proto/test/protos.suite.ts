// The .proto files and the code generated from them say the same: whoever changes one runs tools/oracle again.
import type { DescEnum, DescFile, DescMessage } from "@bufbuild/protobuf";
import { expect, test } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pairs } from "./oracle.ts";

const folder = fileURLToPath(new URL("../../protos/", import.meta.url));

/** `name = number` of all fields and enum values of a file. */
function numbersOf(file: DescFile): string[] {
  const ofEnum = (each: DescEnum): string[] => each.values.map((value) => `${value.name} = ${value.number}`);
  const ofMessage = (each: DescMessage): string[] => [
    ...each.fields.map((field) => `${field.name} = ${field.number}`),
    ...each.nestedMessages.flatMap(ofMessage),
    ...each.nestedEnums.flatMap(ofEnum),
  ];
  return [...file.messages.flatMap(ofMessage), ...file.enums.flatMap(ofEnum)].sort();
}

const files = new Map<string, DescFile>();
const collect = (file: DescFile): void => {
  files.set(`${file.name}.proto`, file);
  file.dependencies.forEach(collect);
};
for (const [, , schema] of pairs) collect(schema.file);

test("every .proto file is compiled", () => {
  const written = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith(".proto"));
  expect([...files.keys()].sort()).toEqual(written.map(String).sort());
});

test.each([...files])("%s", (name, file) => {
  const text = readFileSync(`${folder}${name}`, "utf8").replace(/\/\/.*$/gm, "");
  const numbers = [...text.matchAll(/(\w+) = (\d+)(?: \[packed = true\])?;/g)].map(([, field, no]) => `${field} = ${no}`);
  expect(numbers.sort()).toEqual(numbersOf(file));
  expect(/^package (\w+);$/m.exec(text)?.[1]).toBe(file.proto.package);
});
