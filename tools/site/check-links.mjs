// Checks the links of the site: every link leads to a file and an anchor, nothing is requested from another host.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";

/** The attributes whose addresses a browser requests by itself. */
const kRequested = /<(?:link|script|img|iframe|source|video|audio)\b[^>]*?\b(?:href|src)="([^"]+)"/g;
const kLinks = /<a\b[^>]*?\bhref="([^"]*)"/g;

const decoded = (address) => decodeURIComponent(address.replaceAll("&amp;", "&"));

/** Returns the ids of a page. */
const idsOf = (html) => new Set([...html.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id]) => id));

/** Returns a line for each broken link, and each address of another host that a page requests. The reference's pages are TypeDoc's to check. */
export function brokenLinks(site) {
  const pages = readdirSync(site, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".html"));
  const ids = new Map();
  const faults = [];
  for (const page of pages) {
    const html = readFileSync(join(site, page), "utf8");
    const isReference = page.startsWith("reference/");
    for (const [, address] of html.matchAll(kRequested)) if (/^(?:https?:)?\/\//.test(address)) faults.push(`${page} requests ${address}`);
    if (isReference) continue;
    for (const [, address] of html.matchAll(kLinks)) {
      if (/^[a-z]+:/.test(address)) continue;
      const [path, anchor] = decoded(address).split("#");
      const target = path === "" ? page : posix.normalize(posix.join(posix.dirname(page), path.split("?")[0]));
      const file = join(site, target);
      if (target.startsWith("..") || !existsSync(file) || statSync(file).isDirectory()) faults.push(`${page}: ${address} leads nowhere`);
      else if (
        anchor !== undefined &&
        anchor !== "" &&
        !anchor.startsWith("/") &&
        target.endsWith(".html") &&
        !target.startsWith("reference/")
      ) {
        if (!ids.has(target)) ids.set(target, idsOf(readFileSync(file, "utf8")));
        if (!ids.get(target).has(anchor)) faults.push(`${page}: ${address} has no such anchor`);
      }
    }
  }
  return faults;
}
