/** The page: the list of panels beside the one that is shown, and the address that names it. */
import { render } from "preact";
import type { JSX } from "preact";
import { mountPanel } from "./mount-panel.tsx";
import type { MountedPanel } from "./mount-panel.tsx";
import { catalog, entryOf } from "./panels/catalog.ts";
import { addressOf, placeOf } from "./address.ts";
import type { Place } from "./address.ts";
import { nextScheme, schemeText } from "./color-scheme.ts";
import { isolationNote } from "./isolation.ts";

declare global {
  interface Window {
    /** The panel that the page shows now: for tests, and for a visitor's console. */
    onebufferExplorer?: { readonly panel: MountedPanel | null };
  }
}

/** How long a panel is left alone before its address is written, in milliseconds. */
const kAddressMs = 250;

/** The page's parts that stay; the panel is mounted in the stage. */
class Page {
  readonly #app: Element;
  #place: Place;
  #panel: MountedPanel | null = null;
  #stage: HTMLElement | null = null;
  #opening = 0;
  #addressTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(app: Element) {
    this.#app = app;
    this.#place = placeOf(location.hash);
    app.replaceChildren();
    window.onebufferExplorer = this;
    window.addEventListener("hashchange", () => {
      if (location.hash !== addressOf(this.#place)) void this.#open(placeOf(location.hash), true);
    });
  }

  get panel(): MountedPanel | null {
    return this.#panel;
  }

  start(): Promise<void> {
    return this.#open(this.#place, false);
  }

  async #open(place: Place, moveFocus: boolean): Promise<void> {
    const serial = ++this.#opening;
    this.#place = place;
    this.#draw();
    this.#panel?.unmount();
    this.#panel = null;
    const entry = entryOf(place.panel) ?? catalog[0]!;
    document.title = `${entry.title} · onebuffer explorer`;
    const panel = await mountPanel(entry.name, this.#stage!, {
      params: place.params,
      heading: 1,
      onChange: (changed) => this.#follow(changed),
    });
    if (serial !== this.#opening) return panel.unmount();
    this.#panel = panel;
    this.#app.setAttribute("data-ready", place.panel);
    this.#app.querySelector(".contents [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    if (moveFocus) this.#stage!.closest<HTMLElement>(".stage")!.focus({ preventScroll: true });
    this.#follow(panel);
  }

  /** Writes the panel's parameters into the address once the panel has been left alone for a moment: browsers limit how often that is done. */
  #follow(panel: MountedPanel): void {
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => {
      if (this.#panel !== panel) return;
      this.#place = { ...this.#place, params: panel.params() };
      history.replaceState(null, "", addressOf(this.#place));
    }, kAddressMs);
  }

  #draw(): void {
    render(<Shell place={this.#place} onScheme={() => this.#nextScheme()} stage={(element) => (this.#stage = element)} />, this.#app);
  }

  #nextScheme(): void {
    nextScheme();
    this.#draw();
  }
}

interface ShellProps {
  readonly place: Place;
  readonly onScheme: () => void;
  readonly stage: (element: HTMLElement | null) => void;
}

/** The header, the list of panels and the stage. */
function Shell({ place, onScheme, stage }: ShellProps): JSX.Element {
  const note = isolationNote();
  return (
    <>
      <a class="skip" href="#stage" onClick={(event) => (event.preventDefault(), document.getElementById("stage")?.focus())}>
        Skip to the panel
      </a>
      <header class="masthead">
        <p class="brand">
          onebuffer <span>explorer</span>
        </p>
        <button type="button" class="button button-quiet scheme" onClick={onScheme}>
          {schemeText()}
        </button>
      </header>
      <nav class="contents" aria-label="Panels">
        <ol>
          {catalog.map(({ name, title }) => (
            <li key={name}>
              <a href={addressOf({ panel: name, params: {} })} aria-current={name === place.panel ? "page" : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <main class="stage" id="stage" tabIndex={-1}>
        {note !== "" && <p class="isolation">{note}</p>}
        <div ref={stage} />
      </main>
    </>
  );
}

await new Page(document.getElementById("app")!).start();
