/**
 * Prints the parts of the tour's pages: headings, code beside its result, indented blocks. Text only, at most 96 columns.
 */

/** Takes one line of output, without its line end. */
export type Print = (line: string) => void;

/** The widest line that the tour prints, in columns. */
export const kPageWidth = 96;

/** Prints a chapter's heading, in bold if `color` is true. */
export function heading(print: Print, chapter: number, title: string, color: boolean): void {
  const text = `── ${chapter}  ${title} `;
  const line = text.padEnd(kPageWidth, "─");
  print("");
  print(color ? `\u001b[1m${line}\u001b[0m` : line);
  print("");
}

/** Prints a line of code and, at `column`, its result; the result is on the next line if the line would be too long. */
export function showCode(print: Print, code: string, result: unknown = "", column: number = 58): void {
  const given = String(result);
  const line = `  ${code.padEnd(column)} ${given}`.trimEnd();
  if (line.length <= kPageWidth) {
    print(line);
    return;
  }
  print(`  ${code}`);
  print(`      ${given}`);
}

/** Prints each line of `text` after `indent`. */
export function showBlock(print: Print, text: string, indent: string = "    "): void {
  for (const line of text.split("\n")) print((indent + line).trimEnd());
}

/** Prints a paragraph, indented by two columns, and an empty line. */
export function say(print: Print, text: string): void {
  for (const line of wrapped(text, kPageWidth - 2)) print(`  ${line}`);
  print("");
}

/** Wraps `text` at spaces into lines of at most `width` characters. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
