/** Marks the entry of the contents whose part of the page is read now. */
export function followHeadings() {
  const links = new Map([...document.querySelectorAll(".site-contents a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter((element) => element !== null);
  if (headings.length === 0) return;
  let marked;
  let waits = false;
  const mark = () => {
    waits = false;
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const link = links.get((passed.at(-1) ?? headings[0]).id);
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "location");
    marked = link;
  };
  document.addEventListener(
    "scroll",
    () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(mark);
    },
    { passive: true },
  );
  mark();
  // On narrow screens the contents cover the text, so a chosen entry closes them.
  document.querySelector(".site-contents")?.addEventListener("click", ({ target }) => {
    if (target.closest("a") !== null) document.querySelector(".site-contents").hidePopover();
  });
}
