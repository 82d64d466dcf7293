// Making and disposing a tensor when there is no other, in a process of its own: what a full or torn arena is held against.
import { cases as ours } from "./ours.mjs";

export const cases = {
  "alloc at 100,000 live": ours.alloc,
  "alloc with 100,000 free fragments": ours.alloc,
};
