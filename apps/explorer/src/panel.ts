/** The contract of a panel: a model over real objects of the runtime, and a view of it. */
import type { ComponentType } from "preact";

/** The parameters of a panel, as they are in the address of the page: names and texts. */
export type Params = Readonly<Record<string, string>>;

/** A report of what the runtime's objects behind a panel hold at this moment: plain data, read from the objects themselves. */
export type PanelState = Readonly<Record<string, unknown>>;

/** The objects of the runtime behind one mounted panel, and what a visitor can do with them. */
export interface PanelModel {
  /** Returns the parameters that make this panel again, for the address of the page. */
  params(): Params;
  /** Returns what the runtime's objects hold now. */
  state(): PanelState;
  /** True while what is drawn is older than what was typed, because that has an error. */
  readonly isStale?: boolean;
  /** Releases tensors, workers and listeners. */
  dispose(): void;
}

/** A class or function that a panel shows, and where it is here and in TensorFlow, XLA or Eigen. */
export interface Shown {
  readonly name: string;
  /** The file in this repository. */
  readonly here: string;
  /** The file of the original, "" if there is none. */
  readonly there: string;
}

/** One panel. */
export interface PanelDefinition<M extends PanelModel = PanelModel> {
  readonly title: string;
  /** One or two sentences that say what there is to see. */
  readonly lead: string;
  readonly shows: readonly Shown[];
  /** Makes the model. It calls `changed` after each change of what is to be seen. */
  open(params: Params, changed: () => void): M;
  readonly View: ComponentType<{ readonly model: M }>;
}

/** Returns a definition with the type of its model hidden, so that panels of all kinds are in one list. */
export function definePanel<M extends PanelModel>(definition: PanelDefinition<M>): PanelDefinition {
  return definition as unknown as PanelDefinition;
}

/** Returns the text of an error as a visitor reads it: the code of a StatusError and its message. */
export function errorText(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === "string" ? `${code}: ${String(message)}` : String(message ?? error);
}
