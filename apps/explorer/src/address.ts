/** The address of a panel: `#/layouts?shape=2,3`. */
import type { Params } from "./panel.ts";
import { catalog } from "./panels/catalog.ts";

/** What an address names. */
export interface Place {
  /** The name of the panel. */
  readonly panel: string;
  readonly params: Params;
}

/** Reads the part of an address after `#`. An unknown panel is the first one. */
export function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const panel = catalog.find(({ name }) => name === path)?.name ?? catalog[0]!.name;
  return { panel, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** Returns the address of a place. Commas, colons and brackets stay readable. */
export function addressOf({ panel, params }: Place): string {
  const query = new URLSearchParams(params).toString().replace(/%2C|%3A|%5B|%5D|%28|%29|%2F|%3F/g, decodeURIComponent);
  return `#/${panel}${query === "" ? "" : `?${query}`}`;
}
