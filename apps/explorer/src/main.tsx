/** The page: the list of panels beside the one that is shown, and the address that names it. */
import { render } from "preact";
import type { JSX } from "preact";
import { mountPanel } from "./mount-panel.tsx";
import type { MountedPanel } from "./mount-panel.tsx";
import { catalog, entryOf } from "./panels/catalog.ts";
import { addressOf, placeOf } from "./address.ts";
import type { Place } from "./address.ts";
import { nextScheme, schemeText } from "./color-scheme.ts";
import { StoryBar } from "./story/story-bar.tsx";
import { kStoryTitle, steps } from "./story/steps.ts";

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
  /** The address when it was last read or written. */
  #hash: string = location.hash;
  #panel: MountedPanel | null = null;
  #stage: HTMLElement | null = null;
  #opening = 0;
  /** True once the task of the story's step is done. */
  #isDone = false;
  #addressTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(app: Element) {
    this.#app = app;
    this.#place = placeOf(location.hash);
    app.replaceChildren();
    window.onebufferExplorer = this;
    window.addEventListener("hashchange", () => {
      this.#hash = location.hash;
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
    this.#isDone = false;
    this.#draw();
    this.#panel?.unmount();
    this.#panel = null;
    const entry = entryOf(place.panel);
    if (entry === undefined) {
      document.title = "No such panel · onebuffer explorer";
      this.#app.setAttribute("data-ready", "missing");
      return;
    }
    document.title = `${place.step >= 0 ? steps[place.step]!.title : entry.title} · onebuffer explorer`;
    const panel = await mountPanel(entry.name, this.#stage!, {
      params: place.params,
      heading: place.step >= 0 ? 2 : 1,
      onChange: (changed) => this.#follow(changed),
    });
    if (serial !== this.#opening) return panel.unmount();
    this.#panel = panel;
    this.#app.setAttribute("data-ready", place.step >= 0 ? "story" : place.panel);
    this.#app.querySelector(".contents [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    if (moveFocus) this.#stage!.closest<HTMLElement>(".stage")!.focus({ preventScroll: true });
    this.#follow(panel);
  }

  /** Writes the panel's parameters into the address once the panel has been left alone for a moment: browsers limit how often that is done. */
  #follow(panel: MountedPanel): void {
    if (this.#panel !== panel) return;
    if (this.#place.step >= 0) {
      const isDone = steps[this.#place.step]!.isDone(panel.state());
      if (isDone && !this.#isDone) {
        this.#isDone = true;
        this.#draw();
      }
      return;
    }
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => {
      // A new address that this page has not heard of yet must not be replaced by that of the panel that is about to be left.
      if (this.#panel !== panel || location.hash !== this.#hash) return;
      this.#place = { ...this.#place, params: panel.params() };
      history.replaceState(null, "", addressOf(this.#place));
      this.#hash = location.hash;
    }, kAddressMs);
  }

  #draw(): void {
    render(
      <Shell place={this.#place} isDone={this.#isDone} onScheme={() => this.#nextScheme()} stage={(element) => (this.#stage = element)} />,
      this.#app,
    );
  }

  #nextScheme(): void {
    nextScheme();
    this.#draw();
  }
}

interface ShellProps {
  readonly place: Place;
  readonly isDone: boolean;
  readonly onScheme: () => void;
  readonly stage: (element: HTMLElement | null) => void;
}

/** Moves the focus to the panel. */
const skip = (): void => document.getElementById("stage")?.focus();

/** The header, the list of panels, the text of the story and the stage. */
function Shell({ place, isDone, onScheme, stage }: ShellProps): JSX.Element {
  return (
    <>
      <button type="button" class="skip button" onClick={skip}>
        Skip to the panel
      </button>
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
          <li class="is-story">
            <a href="#/story/1" aria-current={place.step >= 0 ? "page" : undefined}>
              {kStoryTitle}
            </a>
          </li>
          {catalog.map(({ name, title }) => (
            <li key={name}>
              <a
                href={addressOf({ panel: name, params: {}, step: -1 })}
                aria-current={place.step < 0 && name === place.panel ? "page" : undefined}
              >
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <main class="stage" id="stage" tabIndex={-1}>
        {place.step >= 0 && <StoryBar step={place.step} isDone={isDone} />}
        {entryOf(place.panel) === undefined && <Missing name={place.panel} />}
        <div ref={stage} />
      </main>
    </>
  );
}

/** What the page shows for an address of no panel. */
function Missing({ name }: { readonly name: string }): JSX.Element {
  return (
    <section class="missing" role="status">
      <h1>There is no panel “{name.slice(0, 60)}”</h1>
      <p>The address names none of the panels. They are:</p>
      <ul>
        {catalog.map((entry) => (
          <li key={entry.name}>
            <a href={addressOf({ panel: entry.name, params: {}, step: -1 })}>{entry.title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

await new Page(document.getElementById("app")!).start();
