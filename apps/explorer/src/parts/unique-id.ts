/** Ids for labels and notes, unique in the page. */
import { useState } from "preact/hooks";

let made = 0;

/**
 * Returns an id that stays with the component. Preact's own `useId` counts anew at each call of `render`, and a panel is rendered after
 * each change.
 */
export const useUniqueId = (): string => useState(() => `onebuffer-${made++}`)[0];
