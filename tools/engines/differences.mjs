// The differences between engines that are known, each with its reason (known.json), and which verdicts they explain.
import { readFileSync } from "node:fs";

const kList = new URL("./known.json", import.meta.url);

/**
 * Returns the known differences: `engine` is the beginning of the names of engines, `file` the end of a test file's path, `test` the beginning of
 * the names of its tests, all of them if it is "". Those with `sometimes` need not be seen in every run.
 */
export const knownDifferences = () => JSON.parse(readFileSync(kList, "utf8"));

const explains = ({ engine, file, test }, name, verdict) =>
  name.startsWith(engine) && verdict.file.endsWith(file) && verdict.name.startsWith(test);

/** The first known difference that explains a failure in the engine of that name, or undefined. */
export const reasonOf = (known, name, verdict) => known.find((each) => explains(each, name, verdict));

/** The known differences for an engine that explain none of its failures, though its whole suite has run. */
export const staleOf = (known, name, failures) =>
  known.filter(
    (each) => name.startsWith(each.engine) && each.sometimes !== true && !failures.some((verdict) => explains(each, name, verdict)),
  );
