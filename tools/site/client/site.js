// The script of every page: copy buttons, the links to the playground, the search, and what loads when it comes into view.
import { addCodeButtons } from "./code-buttons.js";
import { followHeadings } from "./follow-headings.js";
import { prepareHome } from "./home.js";

/** The address of the site's root, with a slash at its end. */
const root = new URL(document.querySelector("script[data-root]").dataset.root || "./", location.href).href;

/** How far below the window a live part may be when it begins to load. */
const kNear = "100px";

/** Calls `load` once one of the elements is near the window. */
function whenNear(elements, load) {
  if (elements.length === 0) return;
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      load();
    },
    { rootMargin: kNear },
  );
  for (const element of elements) observer.observe(element);
}

/** Prepares the search: its code and index load when the field is focused. */
function prepareSearch() {
  const box = document.querySelector(".site-search");
  if (box === null) return;
  const input = box.querySelector("input");
  box.hidden = false;
  let opened;
  const open = () => (opened ??= import("./search.js").then(({ openSearch }) => openSearch(box, root)));
  input.addEventListener("focus", open);
  input.addEventListener("input", open);
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.key !== "/" || event.ctrlKey || event.metaKey || target.closest("input, textarea, select, [contenteditable]") !== null)
      return;
    event.preventDefault();
    input.focus();
  });
}

prepareSearch();
addCodeButtons(root);
followHeadings();
prepareHome(root);

// The panels of the course run the library, which is larger than the page.
whenNear([...document.querySelectorAll("[data-panel], [data-exercise]")], () => {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = `${root}explorer/explorer.css`;
  document.head.append(style);
  void import(`${root}explorer/course.js`);
});
