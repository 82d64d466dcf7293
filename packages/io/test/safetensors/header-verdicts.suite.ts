// Compares the header's checks with the safetensors library 0.8.0 on about 1,000 headers (data/header-verdicts.json).
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { SafetensorsFile } from "@onebuffer/io";
import { readFileSync } from "node:fs";
import { safetensorsFile } from "./safetensors-bytes.ts";

type Listing = readonly (readonly [name: string, type: string, shape: readonly number[], bytes: number])[];
type Case = readonly [header: string, data: number, verdict: Listing | null];

const cases = JSON.parse(
  readFileSync(new URL("../../../test/safetensors/data/header-verdicts.json", import.meta.url), "utf8"),
) as readonly Case[];

/** The cases of "Stricter than the reference" in docs/formats.md, each with a pattern of our message. */
const kStricter: readonly (readonly [string, RegExp])[] = [
  ["a type as an object", /^INVALID_ARGUMENT: .*expected a string at character \d+, got "\{/],
  ["2^53", /^INVALID_ARGUMENT: .*more than the 9007199254740991 that can be counted here/],
];

function verdict([header, data]: Case): { readonly read: Listing } | { readonly refused: string } {
  try {
    const { entries } = SafetensorsFile.fromBytes(safetensorsFile(header, data), { duplicates: "last" });
    const read = [...entries.values()].map(({ name, type, shape, byteLength }) => [name, type, shape, byteLength] as const);
    return { read: read.sort(([a], [b]) => (a < b ? -1 : 1)) };
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return { refused: String(error) };
  }
}

describe(`${cases.length} headers with the verdicts of safetensors 0.8.0`, () => {
  test("headers that it refuses are refused", () => {
    const refused = cases.filter(([, , says]) => says === null);
    const isRefused = (each: ReturnType<typeof verdict>): boolean =>
      "refused" in each && /^(INVALID_ARGUMENT|DATA_LOSS): safetensors/.test(each.refused);
    const others = refused.map((each) => [each[0], verdict(each)] as const).filter(([, each]) => !isRefused(each));
    expect(others).toEqual([]);
    expect(refused.length).toBeGreaterThan(800);
  });

  test("headers that it reads are read the same, or refused for a reason in docs/formats.md", () => {
    const used = new Set<string>();
    const wrong: unknown[] = [];
    for (const each of cases) {
      const [header, , says] = each;
      if (says === null) continue;
      const ours = verdict(each);
      if ("read" in ours) {
        if (JSON.stringify(ours.read) !== JSON.stringify(says)) wrong.push([header, says, ours.read]);
        continue;
      }
      const reason = kStricter.find(([, pattern]) => pattern.test(ours.refused));
      if (reason === undefined) wrong.push([header, says, ours.refused]);
      else used.add(reason[0]);
    }
    expect(wrong).toEqual([]);
    expect([...used].sort()).toEqual(kStricter.map(([name]) => name).sort());
  });
});
