// The text of docs/contributing/nightly.md, made of what the steps of .ci/nightly left behind.

/** The longest line that is shown of a step, in characters. */
const kMostShown = 240;

/** Returns a line as the page may show it: without colors, without paths of the machine, and short. */
function shownLine(line) {
  const plain = line
    .replace(/\x1b\[[\d;]*m/g, "")
    .replace(/(?:[A-Za-z]:)?[\\/](?:work|root|home|tmp|Users|var|private)[\\/][^\s'"`)]*/g, "…")
    .replaceAll("`", "'")
    .trim();
  return plain.length > kMostShown ? `${plain.slice(0, kMostShown)}…` : plain;
}

/** Returns the last line of a log that says something, for a cell of a table. */
export function lastLine(log) {
  const line = log.split(/[\r\n]+/).findLast((each) => shownLine(each) !== "");
  return line === undefined ? "" : shownLine(line);
}

/** Returns the names of the steps of .ci/nightly, in their order. */
export const stepNames = (script) => [...script.matchAll(/^step "([^"]+)"/gm)].map(([, name]) => name);

/** Returns the steps in the text that .ci/nightly writes: lines of name, verdict, seconds and the number of the log, between tabs. */
export function stepsOf(text) {
  return text.split("\n").flatMap((line) => {
    if (line === "") return [];
    const [name, verdict, seconds, log] = line.split("\t");
    if (!["passed", "FAILED"].includes(verdict) || !/^\d+$/.test(seconds)) throw new Error(`"${line}" is no step`);
    return [{ name, verdict, seconds: Number(seconds), log }];
  });
}

/** Returns the rows of a page as it stands, by the names of their steps. */
export function rowsOf(page) {
  const rows = page.match(/^\| .+ \| (?:passed|FAILED|skipped|not run) \| .*\|$/gm) ?? [];
  return new Map(rows.map((row) => [row.slice(2, row.indexOf(" | ")), row]));
}

/** Returns the row of a step that ran: one whose last line says that it is skipped has neither passed nor failed. */
function rowOf({ name, verdict, seconds, line }, date, commit) {
  const isSkipped = verdict === "passed" && line.startsWith("skipped:");
  const shown = line === "" ? "" : `\`${line.replaceAll("|", "\\|")}\``;
  return `| ${name} | ${isSkipped ? "skipped" : verdict} | ${seconds} | ${date} | ${commit} | ${shown} |`;
}

/**
 * Returns the page, with a row for each of `names`. `steps` are those that ran, of `stepsOf`, each with its last `line`. The row of another
 * step is that of `earlier`, the page as it stands. `date` and `commit` are those of the run; `commit` is followed by "with changes" if the
 * tree differs from it. `machine` names processors and Node.
 */
export function pageText({ date, commit, machine, names, steps, earlier }) {
  const failed = steps.filter(({ verdict }) => verdict === "FAILED");
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  const rows = new Map([...rowsOf(earlier), ...steps.map((step) => [step.name, rowOf(step, date, commit)])]);
  return [
    "# The last night",
    "",
    "`.ci/nightly` runs what takes longer than `.ci/run` may, and writes this page: each step with its verdict, its time, and the last line that",
    "it printed. The steps are commands of the table in [CONTRIBUTING](../../CONTRIBUTING.md); [checks.md](checks.md) says what they check. A run of",
    "some steps, or one that was interrupted, leaves the rows of the others: each row has the date and the commit of the run that it is from.",
    "",
    `The last run: ${date}, commit ${commit}, on ${machine}.`,
    `${steps.length} of ${names.length} steps ran, ${failed.length} of them failed, in ${Math.round(seconds / 60)} minutes.`,
    "",
    "| step | verdict | seconds | date | commit | last line |",
    "|---|---|--:|---|---|---|",
    ...names.map((name) => rows.get(name) ?? `| ${name} | not run |  |  |  |  |`),
    "",
  ].join("\n");
}
