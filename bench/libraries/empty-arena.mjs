// Makes and disposes a tensor when there is no other, in a separate process: the baseline for a full or fragmented arena.
import { cases as ours } from "./ours.mjs";

export const cases = {
  "alloc at 100,000 live": ours.alloc,
  "alloc with 100,000 free fragments": ours.alloc,
};
