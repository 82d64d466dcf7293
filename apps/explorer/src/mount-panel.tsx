/** mountPanel: puts one panel into an element of any page, and reports its state. */
import { render } from "preact";
import type { Params, PanelDefinition, PanelModel, PanelState } from "./panel.ts";
import { entryOf } from "./panels/catalog.ts";
import { Frame } from "./parts/frame.tsx";
import "./style.css";

/** Options of `mountPanel`. */
export interface MountOptions {
  /** The parameters of the panel, as in its address. A parameter that is missing has its default. */
  readonly params?: Params;
  /** The level of the panel's heading, 1 to 6; 0 for a panel without title, lead and list of files. Default 2. */
  readonly heading?: number;
  /** Called after each change of the panel. */
  readonly onChange?: (panel: MountedPanel) => void;
}

/** A panel in a page. */
export interface MountedPanel {
  readonly name: string;
  /** Returns what the runtime's objects behind the panel hold: an exercise checks this. */
  state(): PanelState;
  /** Returns the parameters that make the panel as it is now. */
  params(): Params;
  /** Sets the panel to other parameters. */
  update(params: Params): void;
  /** Removes the panel and releases its tensors and workers. */
  unmount(): void;
}

/**
 * Mounts the panel called `name` in `element`. Resolves once it is drawn. Rejects if there is no such panel.
 *
 * A page that calls it needs the module and style sheet of the explorer only; each panel loads its own code.
 */
export async function mountPanel(name: string, element: Element, options: MountOptions = {}): Promise<MountedPanel> {
  const entry = entryOf(name);
  if (entry === undefined) throw new RangeError(`there is no panel called ${JSON.stringify(name)}`);
  return new Mounted(name, await entry.load(), element, options);
}

/** The panel in the page: draws the view of its model after every change. */
class Mounted implements MountedPanel {
  readonly name: string;
  readonly #definition: PanelDefinition;
  readonly #element: Element;
  readonly #options: MountOptions;
  /** Null while it is being opened: changes that it reports then are drawn once it is there. */
  #opened: PanelModel | null = null;
  #isDrawing = false;

  constructor(name: string, definition: PanelDefinition, element: Element, options: MountOptions) {
    this.name = name;
    this.#definition = definition;
    this.#element = element;
    this.#options = options;
    // The style sheet has rules for what is inside of such elements, and leaves the page around them as it is.
    element.classList.add("onebuffer-panel");
    this.#opened = definition.open(options.params ?? {}, this.#changed);
    this.#draw();
  }

  get #model(): PanelModel {
    return this.#opened!;
  }

  readonly #changed = (): void => {
    if (this.#isDrawing || this.#opened === null) return;
    this.#draw();
    this.#options.onChange?.(this);
  };

  #draw(): void {
    this.#isDrawing = true;
    try {
      render(<Frame definition={this.#definition} model={this.#model} heading={this.#options.heading ?? 2} />, this.#element);
    } finally {
      this.#isDrawing = false;
    }
  }

  state(): PanelState {
    return this.#model.state();
  }

  params(): Params {
    return this.#model.params();
  }

  update(params: Params): void {
    this.#model.dispose();
    this.#opened = null;
    this.#opened = this.#definition.open(params, this.#changed);
    this.#changed();
  }

  unmount(): void {
    render(null, this.#element);
    this.#model.dispose();
    this.#opened = null;
  }
}
