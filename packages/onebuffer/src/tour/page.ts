/**
 * How the tour's pages look: headings, code beside what it gives, indented blocks. Text only, at most 96 columns.
 */

/** Takes one line of output, without its line end. */
export type Print = (line: string) => void;

/** Widest line the tour prints. */
export const PAGE_WIDTH = 96;

/** Prints a chapter's heading; bold where colours are shown. */
export function heading(print: Print, chapter: number, title: string, color: boolean): void {
  const text = `── ${chapter}  ${title} `;
  const line = text.padEnd(PAGE_WIDTH, "─");
  print("");
  print(color ? `\u001b[1m${line}\u001b[0m` : line);
  print("");
}

/** Prints a line of code and, in a column of its own, what it gave. */
export function showCode(print: Print, code: string, result: unknown = ""): void {
  const given = String(result);
  print(given === "" ? `  ${code}` : `  ${code.padEnd(58)} ${given}`);
}

/** Prints each line of `text` indented. */
export function showBlock(print: Print, text: string, indent: string = "    "): void {
  for (const line of text.split("\n")) print(indent + line);
}

/** Prints a paragraph, two columns in. */
export function say(print: Print, ...lines: readonly string[]): void {
  for (const line of lines) print(line === "" ? "" : `  ${line}`);
}
