// The functions that choose the form in which operations are computed (forms.mjs): what instrument.mjs puts into them.

/** Where a form is chosen: by module, the beginning of the function, and the call of `__form(operation, form)` that is put behind it. */
export const kFormSites = {
  "compiler/run/stage-plan": {
    begins: "function stepBy(way, tree, dtype, needs = kNoNeeds, lowered = null, parts = kNoParts) {",
    note: "__form(tree.op, way);",
  },
  "compiler/run/kernel-cache": {
    begins: " get(spec) {",
    note: 'for (const node of spec.nodes) __form(node.op, spec.form + " of a kernel");',
  },
};

/** Returns where a module's text has to call `__form`, and the call; null for a module that chooses no form. Throws if the place is gone. */
export function formSiteOf(name, text) {
  if (!Object.hasOwn(kFormSites, name)) return null;
  const { begins, note } = kFormSites[name];
  const at = text.indexOf(begins);
  if (at < 0) throw new Error(`${name} has no "${begins}": tools/ways/form-sites.mjs names a function that has changed`);
  return { at: at + begins.length, note };
}
