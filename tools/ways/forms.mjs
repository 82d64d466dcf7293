// Which classes of operations (class of opTable) are computed in which form: a step of a plan (StepWay), or the loops of a kernel (KernelForm).
// `kForms` lists those that there are; `npm run ways` notes those that tests take, prints the table, and fails if the two differ.
import { opTable } from "@onebuffer/expression";

/** By form, the classes of operations that are computed in it. */
export const kForms = {
  nothing: ["leaf", "random", "unary", "binary", "ternary", "movement", "scan", "ordering"],
  copy: ["leaf"],
  pieces: ["leaf", "generator", "movement"],
  join: ["movement", "reduction"],
  alone: ["leaf", "generator", "random", "unary", "binary", "movement", "reduction", "scan", "contraction", "custom"],
  stored: ["random", "unary", "binary", "ternary", "movement", "reduction", "scan", "contraction", "ordering"],
  rows: ["movement"],
  blend: ["binary"],
  contraction: ["binary", "movement", "contraction"],
  loops: ["random", "movement", "reduction", "scan", "ordering", "custom"],
  evaluator: ["ternary", "movement"],
  kernels: ["leaf", "generator", "unary", "binary", "ternary", "movement", "reduction", "contraction"],
  "map of a kernel": ["leaf", "generator", "unary", "binary", "ternary"],
  "tile of a kernel": ["leaf", "generator", "unary", "binary", "ternary"],
  "rows of a kernel": ["leaf", "generator", "unary", "binary", "ternary", "reduction"],
  "columns of a kernel": ["leaf", "generator", "unary", "binary", "ternary", "reduction"],
  "windows of a kernel": ["leaf", "generator", "unary", "binary", "ternary", "reduction"],
};

/** Adds up what was noted, by form and class. Operations that only kernels have are of no class. */
export function formCounts(noted) {
  const counts = {};
  for (const [key, times] of noted) {
    const [op, form] = key.split("|");
    const { class: name } = opTable[op] ?? {};
    if (name === undefined) continue;
    counts[form] ??= {};
    counts[form][name] = (counts[form][name] ?? 0) + times;
  }
  return counts;
}

/** Returns the lines of the table of forms, and those of its differences from `kForms`. */
export function formTable(counts) {
  const classes = [...new Set(Object.values(opTable).map((row) => row.class))];
  const forms = [...new Set([...Object.keys(kForms), ...Object.keys(counts)])];
  const width = Math.max(...forms.map((form) => form.length));
  const isListed = (form, name) => kForms[form]?.includes(name) ?? false;
  const cell = (form, name) => {
    const times = counts[form]?.[name] ?? 0;
    return (times > 0 ? String(times) : isListed(form, name) ? "MISSING" : "").padStart(12);
  };
  const lines = [
    " ".repeat(width) + classes.map((name) => name.padStart(12)).join(""),
    ...forms.map((form) => form.padEnd(width) + classes.map((name) => cell(form, name)).join("")),
  ];
  const differences = forms.flatMap((form) =>
    classes.flatMap((name) => {
      const isTaken = (counts[form]?.[name] ?? 0) > 0;
      if (isTaken === isListed(form, name)) return [];
      return [isTaken ? `not in tools/ways/forms.mjs: a ${name} in the form ${form}` : `not taken: a ${name} in the form ${form}`];
    }),
  );
  const all = Object.values(kForms).reduce((sum, names) => sum + names.length, 0);
  return { lines, differences, summary: `${all - differences.filter((line) => line.startsWith("not taken")).length} of ${all} forms` };
}
