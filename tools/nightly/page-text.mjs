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

/** Returns the steps in the text that .ci/nightly writes: lines of name, verdict, seconds and the number of the log, between tabs. */
export function stepsOf(text) {
  return text.split("\n").flatMap((line) => {
    if (line === "") return [];
    const [name, verdict, seconds, log] = line.split("\t");
    if (!["passed", "FAILED", "not run"].includes(verdict) || !/^\d+$/.test(seconds)) throw new Error(`"${line}" is no step`);
    return [{ name, verdict, seconds: Number(seconds), log }];
  });
}

/** Returns a step's row: a step whose last line says that it is skipped has neither passed nor failed. */
function rowOf({ name, verdict, seconds, line }) {
  const isSkipped = verdict === "passed" && line.startsWith("skipped:");
  const shown = line === "" ? "" : `\`${line.replaceAll("|", "\\|")}\``;
  return `| ${name} | ${isSkipped ? "skipped" : verdict} | ${verdict === "not run" ? "" : seconds} | ${shown} |`;
}

/**
 * Returns the page. `steps` are those of `stepsOf`, each with its last `line`; `machine` names processors and Node, `commit` is followed by
 * "with changes" if the tree differs from it.
 */
export function pageText({ date, commit, machine, steps }) {
  const ran = steps.filter(({ verdict }) => verdict !== "not run");
  const failed = ran.filter(({ verdict }) => verdict === "FAILED");
  const seconds = ran.reduce((sum, step) => sum + step.seconds, 0);
  return [
    "# The last night",
    "",
    "`.ci/nightly` runs what takes longer than `.ci/run` may, and writes this page: each step with its verdict, its time, and the last line that",
    "it printed. The steps are commands of the table in [CONTRIBUTING](../../CONTRIBUTING.md); [checks.md](checks.md) says what they check.",
    "",
    `${date}, commit ${commit}, on ${machine}.`,
    `${ran.length} of ${steps.length} steps ran, ${failed.length} of them failed, in ${Math.round(seconds / 60)} minutes.`,
    "",
    "| step | verdict | seconds | last line |",
    "|---|---|--:|---|",
    ...steps.map(rowOf),
    "",
  ].join("\n");
}
