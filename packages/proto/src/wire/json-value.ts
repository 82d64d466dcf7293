/**
 * The type of JSON values, and the names of special floats and enum values that to-json.ts and from-json.ts use.
 */
import type { Field } from "./message-type.ts";

/**
 * A value as `JSON.parse` returns it.
 *
 * @example
 * const json: JsonValue = { dtype: "DT_FLOAT", floatVal: [1, "NaN"] };
 * tensorProtoCodec.fromJson(json).dtype; // => 1
 */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** The texts that stand for floats without a JSON number. */
export const kFloatWords: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** Returns the name of an enum value, or null if the enum has none for the number. */
export function enumName(field: Field, value: number): string | null {
  for (const [name, number] of Object.entries(field.enumNumbers ?? {})) if (number === value) return name;
  return null;
}
