/** The address of a panel, `#/layouts?shape=2,3`, or of a step of the story, `#/story/3`. */
import type { Params } from "./panel.ts";
import { catalog } from "./panels/catalog.ts";
import { steps } from "./story/steps.ts";

/** What an address names. */
export interface Place {
  /** The name of the panel. There may be none of this name. */
  readonly panel: string;
  readonly params: Params;
  /** The step of the story, counted from 0; -1 outside of the story. */
  readonly step: number;
}

/** Reads the part of an address after `#`. Without a name it is that of the first panel; a name that no panel has is kept. */
export function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const number = /^story(?:\/(\d+))?$/.exec(path);
  if (number !== null) {
    const step = Math.min(steps.length, Math.max(1, Number(number[1] ?? 1))) - 1;
    const { panel, params } = steps[step]!;
    return { panel, params, step };
  }
  return { panel: path === "" ? catalog[0]!.name : decoded(path), params: Object.fromEntries(new URLSearchParams(query)), step: -1 };
}

/** Returns a part of an address as text. What is no valid encoding stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the address of a place. Commas, colons and brackets stay readable. */
export function addressOf({ panel, params, step }: Place): string {
  if (step >= 0) return `#/story/${step + 1}`;
  const query = new URLSearchParams(params).toString().replace(/%2C|%3A|%5B|%5D|%28|%29|%2F|%3F/g, decodeURIComponent);
  return `#/${panel}${query === "" ? "" : `?${query}`}`;
}
