// The text of docs/contributing/engines.md.

const cell = (text) => String(text).replaceAll("|", "\\|");

const rowOf = ({ name, version, date, counts, elsewhere, seconds }) =>
  `| ${name} | ${version} | ${counts.passed} | ${counts.known} | ${counts.unexplained} | ${counts.skipped} | ${elsewhere} | ${seconds} | ${date} |`;

/**
 * Returns the page. `rows` are the last results of each engine: its `name` and `version`, the `date` and `machine` of the run, its `seconds`, the
 * number of `all` tests that it saw and their `counts`, and the `known` differences that were seen, each with the number of `tests` that it
 * explains. `missing` are `{ name, why }` of engines that could not be run.
 */
export function pageText(rows, missing) {
  const seen = rows.flatMap(({ name, known }) => known.map((each) => ({ name, ...each })));
  const most = Math.max(0, ...rows.map(({ all }) => all));
  const machines = [...new Set(rows.map(({ machine }) => machine))].join("; ");
  return [
    "# Engines",
    "",
    "`npm run test:engines` runs the built tests of the packages and the vectors of TensorFlow's behavior in other engines than the one that",
    "`npm test` runs in, and writes this page. In Node, Jest runs them. In Deno and Bun each test file runs in a process of its own under a small",
    "runner with Jest's `expect` and mocks (`tools/engines/harness`), and with the buffer ledger as in Jest. Chromium and Firefox run a bundle of",
    "the tests that need nothing of Node, one page for each test file, with and without cross-origin isolation; a page without it has no shared",
    "memory, so tests of shared memory are left out there. `npm run test:engines -- Deno Firefox` runs the engines with such a name,",
    "`--files PATTERN` only the test files with the pattern in their path (the page is then not written).",
    "",
    `Measured on ${machines}.`,
    "",
    "| engine | version | passed | known differences | unexplained | skipped | needs more | seconds | date |",
    "|---|---|--:|--:|--:|--:|--:|--:|---|",
    ...rows.map((row) => rowOf({ ...row, elsewhere: row.way === "browser" ? most - row.all : 0 })),
    ...(missing.length > 0 ? ["", ...missing.map(({ name, why }) => `${name} did not run: ${why}.`)] : []),
    "",
    "## Known differences",
    "",
    "Tests that fail in an engine for a reason that is known (`tools/engines/known.json`). Any other failure fails the command, and so does a",
    "known difference that is no longer seen.",
    "",
    "| engine | tests | of | reason |",
    "|---|--:|---|---|",
    ...seen.map(
      ({ name, tests, file, test, reason }) =>
        `| ${name} | ${tests} | ${cell(file)}${test === "" ? "" : `: ${cell(test)}…`} | ${cell(reason)} |`,
    ),
    "",
  ].join("\n");
}
