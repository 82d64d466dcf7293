/**
 * kernel-form: how the loops of a kernel go.
 */

/**
 * The form of a kernel's loops. map: elements to elements. tile: the same in square blocks. rows: reductions over the innermost loops.
 * columns: reductions over other loops; windows: the same of a few elements.
 */
export type KernelForm = "map" | "tile" | "rows" | "columns" | "windows";

/** Returns true if the innermost loop of a form is the last one of its result. The loops behind it are reduced. */
export const runsAcrossRows = (form: KernelForm): boolean => form === "columns" || form === "windows";
