/**
 * warnOldForm: a call in a form that the next version no longer takes, such as `sum(0, true)`, works and says once what to write instead.
 */
declare const console: { warn(message: string): void };

const warned = new Set<string>();

/** Prints a warning, once for each old form: `form` is the call as it was written, `remedy` the call that takes its place. */
export function warnOldForm(form: string, remedy: string): void {
  if (warned.has(form)) return;
  warned.add(form);
  console.warn(`onebuffer: the next version no longer takes ${form}, write ${remedy}`);
}
