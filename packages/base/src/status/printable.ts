/** printable: a name that comes from a file, as the command and the explorer show it. */

/**
 * Returns a name that comes from a file as it is printed: control characters, which a terminal would obey, and those that
 * change the direction of text are escaped as in JSON. An empty name is shown as "".
 */
export function printable(name: string): string {
  if (name === "") return '""';
  return name.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
