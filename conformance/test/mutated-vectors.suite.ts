// The committed vectors with one fact changed at a time: every number, text and flag under `expect`, the code and the numbers of
// every `error`. Each must turn its case red; a fact that may be changed freely is a fact that nobody judges.
import { expect, test } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { isBeyondLimits } from "../src/limits.ts";
import { operations } from "../src/operations.ts";
import { runCase } from "../src/run-vectors.ts";
import { isJsonArray, isJsonObject, toCase } from "../src/vector.ts";
import type { Json, JsonObject } from "../src/vector.ts";

const folder = new URL("../../vectors/", import.meta.url);

/** The cases of all files, as they stand there. */
const cases: readonly JsonObject[] = readdirSync(folder).flatMap((name) => {
  const json = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Json;
  return (isJsonObject(json) ? json["cases"] : json) as JsonObject[];
});

/** Something else of the same kind. */
function another(fact: Json): Json {
  if (typeof fact === "number") return fact + 1;
  if (typeof fact === "boolean") return !fact;
  if (typeof fact === "string") return /^-?\d+$/.test(fact) ? String(BigInt(fact) + 1n) : `${fact}~`;
  return isJsonArray(fact) ? [991] : 991;
}

/** The JSON with one fact changed, once for each. Of a check `[name, operand…, fact]` the last item is the fact. */
function* changed(json: Json, isCheck = false): Generator<Json> {
  if (isJsonArray(json) && json.length > 0) {
    for (const [index, item] of json.entries()) {
      if (isCheck && index < json.length - 1) continue;
      for (const other of changed(item)) yield json.with(index, other);
    }
  } else if (isJsonObject(json)) {
    for (const [key, item] of Object.entries(json)) {
      if (key === "checks" && isJsonArray(item)) {
        for (const [index, check] of item.entries())
          for (const other of changed(check, true)) yield { ...json, checks: item.with(index, other) };
      } else for (const other of changed(item)) yield { ...json, [key]: other };
    }
  } else yield another(json);
}

/** A case with one fact changed, once for each. */
function* mutants(vector: JsonObject): Generator<JsonObject> {
  const { expect: wanted, error } = vector;
  if (wanted !== undefined) for (const other of changed(wanted)) yield { ...vector, expect: other };
  if (!isJsonObject(error)) return;
  const { code, contains } = error;
  if (code !== undefined) yield { ...vector, error: { ...error, code: "ABORTED" } };
  yield { ...vector, error: { ...error, contains: `${String(contains)} 987654321` } };
}

/** Whether any answer of ours may differ: sizes beyond 2^53 - 1 may be refused, a defect's answer need not be copied. */
function mayDiffer(vector: JsonObject): boolean {
  const known = toCase(vector, "test");
  return known.tfDefect === true || isBeyondLimits(known);
}

/** Every so many facts are tried; `npm run long` tries them all. */
const kStep = process.env["ONEBUFFER_LONG"] === "1" ? 1 : 3;

test("every fact of the vectors is judged", () => {
  const judged = cases.filter((vector) => !mayDiffer(vector));
  expect(cases.length - judged.length).toBeLessThan(70);
  let count = 0;
  const survivors: string[] = [];
  for (const vector of judged) {
    for (const mutant of mutants(vector)) {
      if (++count % kStep !== 0) continue;
      if (runCase(toCase(mutant, "test"), operations) === null) survivors.push(JSON.stringify(mutant).slice(0, 400));
    }
  }
  expect(survivors).toEqual([]);
  expect(count).toBeGreaterThan(5000);
});
