// The index of the search: an entry for each part of a page, and for each name of the reference.
import MiniSearch from "minisearch";
import { searchOptions } from "./client/search-options.js";

/** The number of characters of a text that a result shows. */
const kShownCharacters = 110;

const textOf = (html) =>
  html
    .replace(/<a class="site-anchor"[\s\S]*?<\/a>/g, "")
    .replace(/<svg[\s\S]*?<\/svg>/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();

/** Returns the entries of a page: one for its beginning, and one for each part below a heading. */
export function pageEntries({ page, title, kind, html }) {
  const parts = html.split(/(?=<h[234] id=")/);
  return parts.flatMap((part, i) => {
    const [, id, heading] = /^<h[234] id="([^"]+)"[^>]*>([\s\S]*?)<\/h[234]>/.exec(part) ?? [];
    if (i > 0 && id === undefined) return [];
    const url = i === 0 ? page : `${page}#${id}`;
    const text = textOf(part.replace(/<h[1234][^>]*>[\s\S]*?<\/h[1234]>/, ""));
    return [{ id: url, url, title: i === 0 ? title : textOf(heading), page: title, kind, text }];
  });
}

/** Returns the index as JSON. */
export function searchIndex(entries) {
  const index = new MiniSearch(searchOptions);
  index.addAll(entries.map((entry) => ({ ...entry, shown: entry.text.slice(0, kShownCharacters) })));
  return JSON.stringify(index);
}
