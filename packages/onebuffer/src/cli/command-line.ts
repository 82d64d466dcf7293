/**
 * The `onebuffer` command: finds the command that its first argument names and runs it.
 *
 *     onebuffer                 the tour           onebuffer convert IN OUT    another format
 *     onebuffer inspect FILE    what is in it      onebuffer diff A B          what differs
 *     onebuffer FILE            the same           onebuffer explore           the page that shows the bytes
 *     onebuffer COMMAND --help  its usage          -                           standard input
 *
 * exit-code.ts lists the exit codes.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isStatusError, NotFoundError } from "@onebuffer/base";
import { printable } from "@onebuffer/base/internal";
import type { StatusError } from "@onebuffer/base";
import { readRegularFile } from "@onebuffer/io/node";
import { kModelFiles } from "../tour/digit-classifier.ts";
import type { ModelFiles } from "../tour/digit-classifier.ts";
import { runTour } from "../tour/tour.ts";
import { convertArguments, diffArguments, exploreArguments, inspectArguments, isInspectOption, unknownOption } from "./arguments.ts";
import type { Surroundings } from "./console.ts";
import { convert } from "./convert.ts";
import { diff } from "./diff.ts";
import { cancelCode } from "./exit-code.ts";
import type { ExitCode } from "./exit-code.ts";
import { explore, explorerFolder } from "./explore.ts";
import { inspectFile } from "./inspect.ts";
import { kStandardInput, withStandardInput } from "./standard-input.ts";
import { isCommandName, kUsage, usageOf } from "./usage.ts";
import { version } from "./version.ts";

/** The folders that may hold the tour's data: in the installed package (this module is in `node/`), and in the repository (in `dist/src/cli`). */
const kDataFolders: readonly string[] = ["../examples/data/", "../../../../../examples/data/"];

/** The alignment of the end of a TensorProto file, in bytes. A message's elements are its last bytes, so they are aligned, too. */
const kMessageEnd = 64;

/** Runs the command with these arguments and returns the exit code. */
export async function runCommandLine(args: readonly string[], around: Surroundings): Promise<ExitCode> {
  const [command, ...rest] = args;
  if (command !== undefined && isCommandName(command) && asksForHelp(rest)) {
    usageOf(command).forEach(around.print);
    return 0;
  }
  switch (command) {
    case undefined:
    case "tour":
      if (rest.length > 0) return misunderstood(`tour takes no arguments, got ${rest.join(" ")}`, around);
      return await reportErrors("tour", around, async () => tour(around));
    case "inspect":
      return await withArguments(inspectArguments, rest, around, ({ files, options }) =>
        // The lines of JSON of several files follow each other.
        eachFile(files, options.json ? null : "", around, (file) =>
          withStandardInput([file], around, async ([path = file]) => await inspectFile({ path, shown: file }, options, around)),
        ),
      );
    case "convert":
      return await withArguments(convertArguments, rest, around, ({ from, out, options }) =>
        reportErrors(from, around, () =>
          withStandardInput([from], around, async ([path = from]) => await convert(path, out, options, around)),
        ),
      );
    case "diff":
      return await withArguments(diffArguments, rest, around, ([a, b]) =>
        reportErrors(`${a}, ${b}`, around, () =>
          withStandardInput([a, b], around, async ([first = a, second = b]) => await diff(first, second, around)),
        ),
      );
    case "explore":
      return await withArguments(exploreArguments, rest, around, (port) =>
        reportErrors("explore", around, () => explore(explorerFolder(), port, around)),
      );
    case "--help":
    case "-h":
    case "help":
      kUsage.forEach(around.print);
      return 0;
    case "--version":
      around.print(version);
      return 0;
    case "--":
      return await runCommandLine(["inspect", ...args], around);
    case kStandardInput:
      return await runCommandLine(["inspect", ...args], around);
    default:
      // Options may stand before the file: `onebuffer --stats FILE`.
      if (isInspectOption(command) && rest.length > 0) return await runCommandLine(["inspect", ...args], around);
      if (command.startsWith("-")) return misunderstood(unknownOption(command).message, around);
      if (isPath(command, around.folder)) return await runCommandLine(["inspect", ...args], around);
      return misunderstood(`unknown command ${command}`, around);
  }
}

/** Returns true if arguments have `--help` before a `--`, after which all are paths. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === "--help" || arg === "-h");
}

/** Returns true if `word` is a path: it contains a dot or a slash, or names an existing file. */
function isPath(word: string, folder: string): boolean {
  return /[./\\]/.test(word) || existsSync(resolve(folder, word));
}

function misunderstood(what: string, { printError }: Surroundings): 2 {
  printError(`onebuffer: ${printable(what)} (onebuffer --help shows the usage)`);
  return 2;
}

/** Parses the arguments of a command and runs it. Wrong arguments are one line, and the exit code 2. */
async function withArguments<T>(
  parse: (args: readonly string[]) => T,
  args: readonly string[],
  around: Surroundings,
  act: (parsed: T) => Promise<ExitCode>,
): Promise<ExitCode> {
  let parsed: T;
  try {
    parsed = parse(args);
  } catch (error) {
    if (!isStatusError(error, "INVALID_ARGUMENT")) throw error;
    return misunderstood(error.message, around);
  }
  return await act(parsed);
}

/** Runs `act` for each file, with the line `between` between their outputs if it is not null. Returns the first exit code that is not 0. */
async function eachFile(
  files: readonly string[],
  between: string | null,
  around: Surroundings,
  act: (file: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  let exit: ExitCode = 0;
  for (const [i, file] of files.entries()) {
    if (i > 0 && between !== null) around.print(between);
    const code = await reportErrors(file, around, () => act(file));
    if (around.signal.aborted) return code;
    if (exit === 0) exit = code;
  }
  return exit;
}

function tour({ print, color }: Surroundings): void {
  const model = Object.fromEntries(kModelFiles.map((name) => [name, dataFile(`digits-model/${name}.pb`, kMessageEnd)])) as ModelFiles;
  runTour(print, { digits: dataFile("digits.npy"), labels: dataFile("digits-labels.npy"), model, color });
}

/** Reads a file of the tour's data. Throws NOT_FOUND if no folder has it. */
function dataFile(name: string, endAlignment: number = 1): Uint8Array<ArrayBuffer> {
  const paths = kDataFolders.map((folder) => fileURLToPath(new URL(folder + name, import.meta.url)));
  const path = paths.find((each) => existsSync(each));
  if (path === undefined) throw new NotFoundError(`the tour's data is missing: ${paths.join(" and ")} do not exist`);
  return readRegularFile(path, endAlignment);
}

/**
 * Runs `act` and returns the exit code. A StatusError becomes one line on standard error. Another error is a bug and is thrown with its
 * stack, unless the command was cancelled.
 */
async function reportErrors(subject: string, { printError, signal }: Surroundings, act: () => Promise<ExitCode | void>): Promise<ExitCode> {
  try {
    return (await act()) ?? 0;
  } catch (error) {
    if (signal.aborted) {
      printError(`onebuffer: ${printable(subject)}: cancelled`);
      return cancelCode(signal.reason);
    }
    if (!isStatusError(error)) throw error;
    printError(`onebuffer: ${printable(subject)}: ${oneLine(error)}`);
    return 1;
  }
}

function oneLine({ code, message }: StatusError): string {
  return printable(`${code}: ${message.replaceAll(/\s*\n\s*/g, " ")}`);
}
