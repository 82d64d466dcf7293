/**
 * The command line of the conformance runner: `npm run -s conformance -- [DIR or FILES]` runs vector files, by default the committed ones.
 *
 * A vector file holds cases: what TensorFlow's or XLA's own tests and sources assert about one operation each (vector.ts). The runner
 * prints `SKIP <id>: reason` for each skipped case, `FAIL <id>: got … want …` for each failure, and at the end
 * `N passed, N failed, N skipped`. The exit code is 1 if a case failed or a file could not be read.
 */
import { runCommandLine } from "./command-line.ts";

process.exitCode = runCommandLine(process.argv.slice(2), console);
