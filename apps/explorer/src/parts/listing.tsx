/** The code of a kernel or a shader, as it was written at this moment. */
import type { JSX } from "preact";

/** The most lines of a listing that are drawn. */
const kListingLines = 600;

/** A listing of code that scrolls. `label` names it for screen readers. */
export function Listing({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const lines = linesOf(text);
  return (
    <pre role="group" class="code listing" tabIndex={0} aria-label={label}>
      {lines.slice(0, kListingLines).join("\n")}
      {lines.length > kListingLines ? `\n… ${lines.length - kListingLines} more lines` : ""}
    </pre>
  );
}

/** Returns the lines of a listing, without empty ones at its end. */
export const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.trimEnd().split("\n"));
