// The search of the site, loaded when its field is focused: an index that the build wrote, searched in the page.
import MiniSearch from "minisearch";
import { searchOptions } from "./search-options.js";

/** The number of results that are shown. */
const kShown = 12;

/** An exact name or title is worth more than a page that has the word in many places. */
const exactness = (query, { title }) => {
  const [a, b] = [query.toLowerCase().trim(), title.toLowerCase()];
  return a === b ? 20 : b.endsWith(`.${a}`) ? 4 : b.startsWith(a) ? 1.5 : 1;
};

/** Members of classes are many, so a page of their name comes first. */
const kMember = 0.45;

/** Returns the best results for a query. */
export function resultsOf(index, query) {
  const find = (combineWith) => index.search(query, { combineWith });
  const all = find("AND");
  const found = all.length > 0 ? all : find("OR");
  const scored = found.map((result) => ({
    ...result,
    score: result.score * exactness(query, result) * (result.kind === "member" ? kMember : 1),
  }));
  return scored.sort((a, b) => b.score - a.score).slice(0, kShown);
}

function entryOf({ title, page, url, kind, shown }, root) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = root + url;
  const parts = [
    ["strong", title],
    ["em", page === title ? kind : `${kind} · ${page}`],
    ["span", shown],
  ];
  for (const [tag, text] of parts) {
    const part = document.createElement(tag);
    part.textContent = text;
    link.append(part);
  }
  item.append(link);
  return item;
}

/** Loads the index, and shows results below the field while one types. Arrow keys move through them. */
export async function openSearch(box, root) {
  const input = box.querySelector("input");
  const panel = box.querySelector(".site-results");
  const status = document.createElement("p");
  const list = document.createElement("ul");
  status.setAttribute("role", "status");
  panel.append(status, list);
  status.textContent = "Loading the index…";
  let index;
  const draw = () => {
    const query = input.value.trim();
    panel.hidden = query === "";
    if (query === "" || index === undefined) return;
    const results = resultsOf(index, query);
    list.replaceChildren(...results.map((result) => entryOf(result, root)));
    status.textContent = results.length === 0 ? `Nothing has “${query}”.` : `${results.length} results`;
    box.dataset.query = query;
  };
  input.addEventListener("input", draw);
  input.addEventListener("focus", draw);
  box.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "Escape") {
      panel.hidden = true;
      input.focus();
    } else if (event.key === "Enter" && at < 0 && links.length > 0) links[0].click();
    else if (event.key === "ArrowDown") (links[at + 1] ?? links.at(-1))?.focus();
    else if (event.key === "ArrowUp") (at <= 0 ? input : links[at - 1]).focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", ({ target }) => {
    if (!box.contains(target)) panel.hidden = true;
  });
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget !== null && !box.contains(relatedTarget)) panel.hidden = true;
  });
  draw();
  const text = await (await fetch(`${root}search-index.json`)).text();
  index = MiniSearch.loadJSON(text, searchOptions);
  draw();
}
