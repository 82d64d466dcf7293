/** Light, dark, or as the system has it; kept in the browser where that is allowed. */
type Scheme = "auto" | "light" | "dark";

const kKey = "onebuffer-scheme";
const kOrder: readonly Scheme[] = ["auto", "light", "dark"];
const kTexts: Readonly<Record<Scheme, string>> = { auto: "Colors: system", light: "Colors: light", dark: "Colors: dark" };

let scheme: Scheme = "auto";
try {
  scheme = kOrder.find((each) => each === localStorage.getItem(kKey)) ?? "auto";
} catch {
  // Storage is off in this browser; the choice lasts as long as the page.
}
applyScheme();

function applyScheme(): void {
  document.documentElement.style.colorScheme = scheme === "auto" ? "light dark" : scheme;
}

/** Returns the choice in words. */
export const schemeText = (): string => kTexts[scheme];

/** Takes the next of the three. */
export function nextScheme(): void {
  scheme = kOrder[(kOrder.indexOf(scheme) + 1) % kOrder.length]!;
  applyScheme();
  try {
    localStorage.setItem(kKey, scheme);
  } catch {
    // As above.
  }
}
