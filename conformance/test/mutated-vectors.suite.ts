// Changes one fact of the committed vectors at a time: a number, text or flag under `expect`, or the code or a number of an `error`.
// Each change must make its case fail; otherwise the runner does not compare that fact.
import { expect, test } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { isBeyondLimits } from "../src/limits.ts";
import { operations } from "../src/operations.ts";
import { runCase } from "../src/run-vectors.ts";
import { isJsonArray, isJsonObject, toCase } from "../src/vector.ts";
import type { Json, JsonObject } from "../src/vector.ts";

const folder = new URL("../../vectors/", import.meta.url);

/** The cases of all files, as JSON. */
const cases: readonly JsonObject[] = readdirSync(folder).flatMap((name) => {
  const json = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Json;
  return (isJsonObject(json) ? json["cases"] : json) as JsonObject[];
});

/** Returns a different value of the same JSON type. */
function another(fact: Json): Json {
  if (typeof fact === "number") return fact + 1;
  if (typeof fact === "boolean") return !fact;
  if (typeof fact === "string") return /^-?\d+$/.test(fact) ? String(BigInt(fact) + 1n) : `${fact}~`;
  return isJsonArray(fact) ? [991] : 991;
}

/** Yields the JSON once for each of its facts, with that fact changed. In a check `[name, operand…, fact]` the last item is the fact. */
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

/** Yields a case once for each of its facts, with that fact changed. */
function* mutants(vector: JsonObject): Generator<JsonObject> {
  const { expect: wanted, error } = vector;
  if (wanted !== undefined) for (const other of changed(wanted)) yield { ...vector, expect: other };
  if (!isJsonObject(error)) return;
  const { code, contains } = error;
  if (code !== undefined) yield { ...vector, error: { ...error, code: "ABORTED" } };
  yield { ...vector, error: { ...error, contains: `${String(contains)} 987654321` } };
}

/** Returns true if a case may pass with another result: sizes above 2^53 - 1 may be refused, and a tf_defect need not be reproduced. */
function mayDiffer(vector: JsonObject): boolean {
  const known = toCase(vector, "test");
  return known.tfDefect === true || isBeyondLimits(known);
}

/** Every 19th fact is tried; `npm run long` tries all. */
const kStep = process.env["ONEBUFFER_LONG"] === "1" ? 1 : 19;

test("every fact of the vectors is compared", () => {
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
