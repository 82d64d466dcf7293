/**
 * JSON values as JSON.parse gives them, and the words both directions of proto3 JSON share.
 */
import type { Field } from "./message-type.ts";

/**
 * What JSON.parse gives.
 *
 * @example
 * const json: JsonValue = { dtype: "DT_FLOAT", floatVal: [1, "NaN"] };
 * tensorProtoCodec.fromJson(json).dtype; // => 1
 */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** The floats that JSON has no digits for. */
export const kFloatWords: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** The name of an enum's number, or null. */
export function enumName(field: Field, value: number): string | null {
  for (const [name, number] of Object.entries(field.enumNumbers ?? {})) if (number === value) return name;
  return null;
}
