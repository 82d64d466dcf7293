/**
 * Formats untrusted values for error messages. Long text and long lists are truncated. An object is described only by its
 * kind, because converting it to text could run foreign code or throw. (XLA has no counterpart: its messages print
 * everything.)
 */
import { isArray, shownValue, typedArrayKind } from "@onebuffer/base/internal";

const kMaxTextLength = 200;
const kMaxListLength = 32;

/** Returns the text; if it is longer than 200 characters, its first 200 and an ellipsis. */
export function shownText(text: string): string {
  return text.length > kMaxTextLength ? `${text.slice(0, kMaxTextLength)}…` : text;
}

/** Returns one entry of a list as text. Strings are not quoted, as in XLA's messages. */
function shownItem(value: unknown): string {
  return typeof value === "string" ? shownText(value) : shownValue(value);
}

/** Returns a list of values in braces, `{1,0}`, truncated after 32 entries. Any other value is described by its kind. */
export function shownList(list: readonly unknown[]): string {
  if (!isArray(list) && typedArrayKind(list) === "") return shownValue(list);
  const head = list.slice(0, kMaxListLength).map(shownItem).join(",");
  return list.length > kMaxListLength ? `{${head},… ${list.length} in all}` : `{${head}}`;
}
