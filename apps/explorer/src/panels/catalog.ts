/** The panels in their order: the name in the address, the title, and how the panel's own code is loaded. */
import type { PanelDefinition } from "../panel.ts";

/** The name of a panel, as it is in the address of the page. */
export type PanelName =
  | "one-buffer"
  | "sixteen-bytes"
  | "flow"
  | "arena"
  | "layouts"
  | "slices"
  | "expressions"
  | "digits"
  | "plan"
  | "kernels"
  | "where"
  | "gpu"
  | "shards"
  | "files"
  | "threads";

/** An entry of the list of panels. */
export interface CatalogEntry {
  readonly name: PanelName;
  readonly title: string;
  load(): Promise<PanelDefinition>;
}

/** All panels. Each is a chunk of its own, loaded when it is first mounted. */
export const catalog: readonly CatalogEntry[] = [
  { name: "one-buffer", title: "One buffer, many shapes", load: async () => (await import("./one-buffer/panel.tsx")).default },
  { name: "sixteen-bytes", title: "Sixteen bytes", load: async () => (await import("./sixteen-bytes/panel.tsx")).default },
  { name: "flow", title: "Bytes on their way", load: async () => (await import("./flow/panel.tsx")).default },
  { name: "arena", title: "Ref counts and the arena", load: async () => (await import("./arena/panel.tsx")).default },
  { name: "layouts", title: "Layouts", load: async () => (await import("./layouts/panel.tsx")).default },
  { name: "slices", title: "Slices", load: async () => (await import("./slices/panel.tsx")).default },
  { name: "expressions", title: "Expressions", load: async () => (await import("./expressions/panel.tsx")).default },
  { name: "digits", title: "From a model to its bytes", load: async () => (await import("./digits/panel.tsx")).default },
  { name: "plan", title: "Plan and queue", load: async () => (await import("./plan/panel.tsx")).default },
  { name: "kernels", title: "One operation, many kernels", load: async () => (await import("./kernels/panel.tsx")).default },
  { name: "where", title: "Where it is computed", load: async () => (await import("./where/panel.tsx")).default },
  { name: "gpu", title: "On a GPU", load: async () => (await import("./gpu/panel.tsx")).default },
  { name: "shards", title: "Shards", load: async () => (await import("./shards/panel.tsx")).default },
  { name: "files", title: "Files", load: async () => (await import("./files/panel.tsx")).default },
  { name: "threads", title: "Threads", load: async () => (await import("./threads/panel.tsx")).default },
];

/** Returns the entry of a panel, or undefined if there is none of this name. */
export const entryOf = (name: string): CatalogEntry | undefined => catalog.find((entry) => entry.name === name);
