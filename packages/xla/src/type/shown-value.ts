/**
 * Values from outside as an error message may show them: text is cut, lists are cut, and an object is named by its kind
 * only, because asking it for its text could run foreign code or throw. XLA has no counterpart; its messages print all.
 */
import { isArray, typedArrayKind } from "@onebuffer/base";

const LONGEST_TEXT = 200;
const LONGEST_LIST = 32;

/** Text of at most some 200 characters. */
export function shownText(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** Any value as text. Throws nothing. */
export function shown(value: unknown): string {
  if (typeof value === "string") return shownText(value);
  if (value === null) return "null";
  if (typeof value === "object" || typeof value === "function") return `[${typeof value}]`;
  return String(value);
}

/** A list of values in braces, `{1,0}`, its tail cut. */
export function shownList(list: readonly unknown[]): string {
  if (!isArray(list) && typedArrayKind(list) === "") return shown(list);
  const head = list.slice(0, LONGEST_LIST).map(shown).join(",");
  return list.length > LONGEST_LIST ? `{${head},… ${list.length} in all}` : `{${head}}`;
}
