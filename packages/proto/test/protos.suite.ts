// Tests that the .proto files agree with the code generated from them. After changing a .proto file, run packages/proto/tools/oracle.
import type { DescEnum, DescFile, DescMessage } from "@bufbuild/protobuf";
import { expect, test } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pairs } from "./oracle.ts";

const folder = fileURLToPath(new URL("../../protos/", import.meta.url));

/** Returns the texts `name = number` of all fields and enum values of a file, sorted. */
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
  // Google's own messages are not ours.
  if (file.name.startsWith("google/")) return;
  files.set(`${file.name}.proto`, file);
  file.dependencies.forEach(collect);
};
for (const [, , schema] of pairs) collect(schema.file);

test("every .proto file has generated code", () => {
  const written = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith(".proto"));
  expect([...files.keys()].sort()).toEqual(written.map(String).sort());
});

test.each([...files])("%s has the same fields and numbers as the generated code", (name, file) => {
  const text = readFileSync(`${folder}${name}`, "utf8").replace(/\/\/.*$/gm, "");
  const numbers = [...text.matchAll(/(\w+) = (\d+)(?: \[packed = true\])?;/g)].map(([, field, no]) => `${field} = ${no}`);
  expect(numbers.sort()).toEqual(numbersOf(file));
  expect(/^package (\w+);$/m.exec(text)?.[1]).toBe(file.proto.package);
});
