/** The pieces of a file as a list that opens, and the bytes of the chosen piece. */
import { printable } from "@onebuffer/base/internal";
import type { JSX } from "preact";
import { hexByte } from "../../parts/number-text.ts";
import type { Region } from "./messages.ts";

const kPerRow = 16;

interface RegionListProps {
  readonly regions: readonly Region[];
  readonly chosen: Region | null;
  readonly onChoose: (region: Region) => void;
}

/** Draws the pieces in order of the file. A piece that is wrong is marked, and those around it are open. */
export function RegionList({ regions, chosen, onChoose }: RegionListProps): JSX.Element {
  return (
    <ul class="regions">
      {regions.map((region) => {
        const { name, offset, length, value, isWrong, children } = region;
        const line = (
          <button
            type="button"
            class={`region ${isWrong ? "is-wrong-region" : ""}`}
            aria-pressed={region === chosen}
            onClick={() => onChoose(region)}
          >
            <code>{offset}</code> <span>{printable(name)}</span> <small>{value === "" ? `${length} bytes` : printable(value)}</small>
          </button>
        );
        if (children.length === 0) return <li key={`${offset} ${name}`}>{line}</li>;
        return (
          <li key={`${offset} ${name}`}>
            {line}
            <details open={isWrong || hasWrong(children)}>
              <summary>
                {children.length} {children.length === 1 ? "piece" : "pieces"} in {printable(name)}
              </summary>
              <RegionList regions={children} chosen={chosen} onChoose={onChoose} />
            </details>
          </li>
        );
      })}
    </ul>
  );
}

const hasWrong = (regions: readonly Region[]): boolean => regions.some(({ isWrong, children }) => isWrong || hasWrong(children));

/** Draws bytes as a hex dump. */
export function HexDump({ bytes, offset, length }: { bytes: Uint8Array; offset: number; length: number }): JSX.Element {
  const rows = [];
  for (let at = 0; at < bytes.length; at += kPerRow) {
    const row = [...bytes.subarray(at, at + kPerRow)];
    const text = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
    rows.push(
      `${String(offset + at).padStart(10)}  ${row
        .map(hexByte)
        .join(" ")
        .padEnd(kPerRow * 3 - 1)}  ${text}`,
    );
  }
  if (length > bytes.length) rows.push(`${String(offset + bytes.length).padStart(10)}  … ${length - bytes.length} more bytes`);
  return (
    <pre role="group" class="code hex" tabIndex={0} aria-label="Bytes of the chosen piece">
      {rows.join("\n")}
    </pre>
  );
}
