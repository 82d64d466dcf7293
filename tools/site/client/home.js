/** How the first page's picture becomes live: with the first change of a field. A field that is focused is marked in all views. */
export function prepareHome(root) {
  const section = document.querySelector(".home-live");
  if (section === null) return;
  let opened;
  const open = () => (opened ??= import(`${root}playground/live-buffer.js`).then(({ openLive }) => openLive(section)));
  section.addEventListener("change", async ({ target }) => (await open())(target));
  section.addEventListener("focusin", ({ target }) => {
    for (const field of section.querySelectorAll("[data-at]"))
      field.classList.toggle("is-same", target.dataset.at !== undefined && field.dataset.at === target.dataset.at);
  });
}
