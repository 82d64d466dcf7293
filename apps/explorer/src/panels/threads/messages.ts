/** What the page and the workers of the panel "Threads" send each other. */
import type { ArenaInvitation, TensorBytes, TensorHandle } from "onebuffer";

/** Sizes of the painted tensor. */
export const kRows = 192;
export const kColumns = 288;
/** The rows of one piece of work. */
export const kBlockRows = 8;

/** From the page to a worker. */
export type Order =
  | { readonly kind: "join"; readonly invitation: ArenaInvitation | null }
  | { readonly kind: "hold"; readonly handle: TensorHandle }
  | { readonly kind: "drop" }
  /** Paints rows of the tensor that the worker holds. */
  | { readonly kind: "paint"; readonly from: number; readonly steps: number }
  /** Paints rows of a copy, and sends it back. */
  | { readonly kind: "paint copy"; readonly from: number; readonly steps: number; readonly rows: TensorBytes };

/** From a worker to the page. */
export type Report =
  | { readonly kind: "joined" }
  | { readonly kind: "holds"; readonly holds: boolean }
  | { readonly kind: "painted"; readonly from: number; readonly milliseconds: number; readonly rows: TensorBytes | null }
  | { readonly kind: "failed"; readonly error: string };
