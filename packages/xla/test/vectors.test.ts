import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { readFileSync } from "node:fs";
import { Args, isJsonObject, type Json, type JsonObject } from "./vector-args.ts";
import { expectedShape } from "./xla-literals.ts";
import { xlaOps } from "./xla-ops.ts";

interface VectorCase {
  readonly id: string;
  readonly op: string;
  readonly args: JsonObject;
  readonly expect?: Json;
  readonly error?: { readonly kind: string; readonly contains: string };
  readonly unchecked?: boolean;
}

const file = new URL("../../../../conformance/vectors/xla.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly VectorCase[] };

/** The bytes of messages come with the wire. */
const LATER: ReadonlySet<string> = new Set(["shapeProtoHex"]);

const skipped = (vector: VectorCase): boolean => vector.unchecked === true || LATER.has(vector.op);

/** What a case expects, in the words of the operations: letters as character codes, shapes without spelled-out defaults. */
function expectation({ op, expect: json }: VectorCase): Json {
  if (op === "layoutBuffer" || op === "readBuffer" || op === "relayout") return (json as readonly Json[]).map((value) => (typeof value === "string" ? value.charCodeAt(0) : value));
  if (isJsonObject(json) && ("type" in json || "tuple" in json || "buffer" in json)) return expectedShape(json);
  return json ?? null;
}

/** Whether a case is about a number beyond 2^53 - 1, which the package may refuse. */
function isBeyondLimits(vector: VectorCase): boolean {
  return /"\d{16,}"/.test(JSON.stringify([vector.args, vector.expect ?? null]));
}

describe("every case of xla.json", () => {
  test("is of an operation that is known, and most are run", () => {
    const run = cases.filter((vector) => !skipped(vector));
    expect([...new Set(run.map(({ op }) => op).filter((op) => !Object.hasOwn(xlaOps, op)))]).toEqual([]);
    expect(cases.length).toBe(722);
    expect(run.length).toBe(cases.length - 7 - 14);
  });

  test.each(cases.filter((vector) => !skipped(vector)).map((vector) => [vector.id, vector] as const))("%s", (_, vector) => {
    const { args, run } = xlaOps[vector.op]!;
    let value: unknown;
    let thrown: unknown;
    try {
      value = run(new Args(vector.args, args, vector.op));
    } catch (error) {
      thrown = error;
    }
    if (thrown !== undefined && !isStatusError(thrown)) throw thrown;
    if (vector.error !== undefined) {
      expect(isStatusError(thrown)).toBe(true);
      if (vector.error.kind !== "Fatal") expect((thrown as { readonly code: string }).code).toBe("INVALID_ARGUMENT");
    } else if (thrown !== undefined && isBeyondLimits(vector)) {
      expect(isStatusError(thrown, "INVALID_ARGUMENT") || isStatusError(thrown, "OUT_OF_RANGE")).toBe(true);
    } else {
      if (thrown !== undefined) throw thrown;
      expect(value).toEqual(expectation(vector));
    }
  });
});
