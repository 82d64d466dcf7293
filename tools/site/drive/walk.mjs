// Visits pages of the site as a reader does: from each page home by a click, and back by clicks through the sidebar.

/** The limit of what a page loads before anything is touched, in bytes of gzip; the explorer's page runs the library at once. */
const kFirstLoad = 60_000;
const kExplorerLoad = 260_000;

/** Returns what happens to a page at one width and in one scheme of colors: the lines of its faults. */
export async function walkPage(visit, server, path, { width, scheme }, { leastPlots = 0, withAxe = true, withWays = true } = {}) {
  const { page } = visit;
  const faults = [];
  const add = (fault) => faults.push(`${path} at ${width}, ${scheme}: ${fault}`);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  const response = await page.goto(server.url + path);
  if (!response.ok()) return [`${path}: ${response.status()}`];
  await settled(visit, path);
  const loaded = await firstLoad(page);
  if (loaded > (path.startsWith("explorer/") ? kExplorerLoad : kFirstLoad)) add(`loads ${loaded} bytes at first`);
  const wide = await tooWide(page);
  if (wide.length > 0) add(`sticks out at the right: ${wide.join(", ")}`);
  const plots = await page.$$eval(".plot rect", (bars) => new Set(bars.map((bar) => bar.closest(".plot"))).size);
  if (plots < leastPlots) add(`${plots} plots with bars, not ${leastPlots}`);
  if (withAxe) {
    await thinOut(page);
    for (const fault of await visit.faults()) add(fault);
  }
  if (withWays && path !== "index.html") {
    try {
      await homeAndBack(page, server.url, path, add);
    } catch (error) {
      add(error.message);
    }
  }
  visit.problems().forEach(add);
  return faults;
}

/**
 * Clicks, and waits for the page of another address. Waiting for a navigation is not enough: a page that notes what it shows in its own
 * address, as the explorer does, navigates too, and what is asked next would be asked of a page without elements.
 */
async function leave(page, click) {
  const from = page.url().split("#")[0];
  await click();
  await page.waitForFunction((left) => location.href.split("#")[0] !== left && document.readyState === "complete", {}, from);
}

/** Clicks the way home and back. */
async function homeAndBack(page, base, path, add) {
  await leave(page, () => page.click(".site-home"));
  if (page.url() !== `${base}index.html`) add(`home leads to ${page.url()}`);
  await wayBack(page, path);
  if (page.url().split("#")[0] !== base + path) add(`the way back ends at ${page.url()}`);
}

/** Waits until a page has done what it does by itself. */
async function settled(visit, path) {
  if (path.startsWith("playground/")) await visit.page.waitForSelector('html[data-playground="ready"]');
  if (path.startsWith("explorer/")) await visit.page.waitForSelector("#app[data-ready]", { timeout: 20_000 });
}

/**
 * Returns the bytes of the page's text and of what it has loaded by itself, without what is live: the panels of the course load when they
 * come into view, which may be at once, and the editor of the playground replaces a text area.
 */
const firstLoad = (page) =>
  page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter(({ name }) => location.pathname.includes("/explorer/") || !/\/explorer\/|\/playground\/(?:chunks|\w+\.json)/.test(name))
      .map(({ encodedBodySize }) => encodedBodySize)
      .reduce((sum, bytes) => sum + bytes, 0),
  );

/** Elements that a page may have in great numbers, and how many of them in a row axe-core looks at: it takes seconds for thousands. */
const kRepeated = {
  ".site-main pre": 3,
  ".site-main tr": 6,
  ".tsd-member": 4,
  ".tsd-index-link": 20,
  "dt.tsd-member-summary": 20,
  "figure.plot": 2,
  ".site-contents li": 20,
  ".site-main > p": 12,
  ".site-main li": 20,
};

/** Removes what is repeated often. */
const thinOut = (page) =>
  page.evaluate((repeated) => {
    for (const [selector, most] of Object.entries(repeated))
      for (const element of [...document.querySelectorAll(selector)].slice(most)) element.remove();
  }, kRepeated);

/** Returns the elements that stick out of the page at the right. */
const tooWide = (page) =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const out = [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > clientWidth + 1);
    return out.slice(0, 5).map(({ tagName, className }) => `${tagName}.${className}`);
  });

/** Clicks a link of the sidebar, whose section is opened first. */
async function clickInSidebar(page, path) {
  const menu = await page.$(".site-menu");
  if (await menu.evaluate((button) => button.checkVisibility())) await menu.click();
  const link = await page.evaluateHandle(
    (end) => [...document.querySelectorAll(".site-sections a")].find(({ href }) => new URL(href).pathname.endsWith(`/${end}`)) ?? null,
    path,
  );
  if (link.asElement() === null) throw new Error(`the sidebar does not lead to ${path}`);
  const summary = await link
    .asElement()
    .evaluateHandle((element) => element.closest("details:not([open])")?.querySelector("summary") ?? null);
  if (summary.asElement() !== null) await summary.asElement().click();
  await leave(page, () => link.asElement().click());
}

/** Leads from the first page to another by clicks. */
async function wayBack(page, path) {
  const [, name] = /^reference\/(?:classes|functions|interfaces|types|variables)\/(.*)\.[^.]*\.html$/.exec(path) ?? [];
  if (name === undefined && !path.startsWith("reference/modules/")) {
    await clickInSidebar(page, path);
    return;
  }
  await clickInSidebar(page, "reference/index.html");
  await clickInSidebar(page, name === undefined ? path : `reference/modules/${name}.html`);
  if (name === undefined) return;
  const link = await page.$(`.site-main a[href$="${path.replace("reference/", "")}"]`);
  await leave(page, () => link.evaluate((element) => element.click()));
}
