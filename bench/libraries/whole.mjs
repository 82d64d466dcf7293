// onebuffer's transforms of complex numbers, beside those of as many real ones.
import { ready } from "onebuffer";
import { wholeOfOurs } from "./ours-signal.mjs";

await ready();
export const cases = wholeOfOurs;
