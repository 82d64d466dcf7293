// The list of mutants that no test killed (survivors.json), and the score of a package.
//
// An entry is `{ package, file, line, code, mutator, original, replacement, reason }`: in the line `code`, `original` became `replacement`. It
// holds wherever the line has moved since; `line` is for readers. An entry with a reason is explained: the mutant computes the same, or
// what differs is no promise.

const kKeys = ["package", "file", "line", "code", "mutator", "original", "replacement", "reason"];

const keyOf = ({ file, code, mutator, original, replacement }) => JSON.stringify([file, code, mutator, original, replacement]);

/** Returns the entries of a list. Throws if an entry lacks something or occurs twice. */
export function parseSurvivors(text) {
  const entries = JSON.parse(text);
  if (!Array.isArray(entries)) throw new Error("the list of survivors is no array");
  const seen = new Set();
  for (const entry of entries) {
    const wrong = kKeys.filter((key) => typeof entry[key] !== (key === "line" ? "number" : "string"));
    if (wrong.length > 0) throw new Error(`the survivor ${JSON.stringify(entry)} has no valid ${wrong.join(", ")}`);
    if (seen.has(keyOf(entry))) throw new Error(`the survivor ${JSON.stringify(entry)} occurs twice`);
    seen.add(keyOf(entry));
  }
  return entries;
}

/** Returns the text of a list, in the order of files and lines, one entry a line. */
export function survivorsText(entries) {
  const ordered = [...entries].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const lines = ordered.map((entry) => JSON.stringify(Object.fromEntries(kKeys.map((key) => [key, entry[key]]))));
  return lines.length === 0 ? "[]\n" : `[\n${lines.map((line) => `  ${line}`).join(",\n")}\n]\n`;
}

/** Returns a function that tells whether a mutant is explained in a list. */
export function explainedBy(entries) {
  const keys = new Set(entries.filter(({ reason }) => reason !== "").map(keyOf));
  return (mutant) => keys.has(keyOf(mutant));
}

/**
 * Returns a list after a run: a mutant that was killed is gone, one that survived is there, with the reason it had. Entries of mutants that were
 * not tried stay, unless their line is gone: `linesOf` returns the lines of a file, or null if there is no such file.
 */
export function mergeSurvivors(entries, tried, linesOf) {
  const merged = new Map(entries.map((entry) => [keyOf(entry), entry]));
  for (const mutant of tried) {
    const reason = merged.get(keyOf(mutant))?.reason ?? "";
    if (mutant.isKilled) merged.delete(keyOf(mutant));
    else merged.set(keyOf(mutant), { ...mutant, reason });
  }
  return [...merged.values()].filter(({ file, code }) => linesOf(file)?.some((line) => line.trim() === code));
}

/**
 * Returns the counts and the score of what was tried: killed mutants among those killed or survived, in percent, rounded down. Explained
 * survivors are left out. Mutants that no test reaches have survived. The score of no mutants is 100.
 */
export function scoreOf(tried, isExplained) {
  const killed = tried.filter(({ isKilled }) => isKilled).length;
  const explained = tried.filter((mutant) => !mutant.isKilled && isExplained(mutant)).length;
  const survived = tried.length - killed - explained;
  return { killed, explained, survived, score: killed + survived === 0 ? 100 : Math.floor((100 * killed) / (killed + survived)) };
}
