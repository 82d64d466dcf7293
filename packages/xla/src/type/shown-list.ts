/**
 * Values from outside as an error message may show them: text is cut, lists are cut, and an object is named by its kind
 * only, because asking it for its text could run foreign code or throw. XLA has no counterpart; its messages print all.
 */
import { isArray, shownValue, typedArrayKind } from "@onebuffer/base";

const kLongestText = 200;
const kLongestList = 32;

/** Text of at most some 200 characters. */
export function shownText(text: string): string {
  return text.length > kLongestText ? `${text.slice(0, kLongestText)}…` : text;
}

/** An entry of a list; text has no quotes here, as in XLA's messages. */
function shownItem(value: unknown): string {
  return typeof value === "string" ? shownText(value) : shownValue(value);
}

/** A list of values in braces, `{1,0}`, its tail cut. */
export function shownList(list: readonly unknown[]): string {
  if (!isArray(list) && typedArrayKind(list) === "") return shownValue(list);
  const head = list.slice(0, kLongestList).map(shownItem).join(",");
  return list.length > kLongestList ? `{${head},… ${list.length} in all}` : `{${head}}`;
}
