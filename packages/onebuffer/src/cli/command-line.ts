/**
 * The `onebuffer` command: parses its arguments and runs the tour or `inspect`.
 *
 *     onebuffer                 the tour        onebuffer inspect FILE...    describes .npy files
 *     onebuffer tour            the tour        onebuffer FILE...            the same
 *
 * The exit code is 0 on success, 1 if a file could not be read, 2 if the arguments are invalid.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isStatusError, NotFoundError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { readRegularFile } from "@onebuffer/io/node";
import { kModelFiles } from "../tour/digit-classifier.ts";
import type { ModelFiles } from "../tour/digit-classifier.ts";
import { runTour } from "../tour/tour.ts";
import type { Surroundings } from "./console.ts";
import { inspectNpy } from "./inspect.ts";
import { version } from "./version.ts";

const kUsage: readonly string[] = [
  "usage: onebuffer [tour]                a tour of one buffer and its many tensors, on real data",
  "       onebuffer [inspect] FILE...     describes .npy files: dtype, shape, first values, sha256",
  "       onebuffer --help | --version",
];

/** The folders that may hold the tour's data: in the installed package (this module is in `node/`), and in the repository (in `dist/src/cli`). */
const kDataFolders: readonly string[] = ["../examples/data/", "../../../../../examples/data/"];

/** The alignment of the end of a TensorProto file, in bytes. A message's elements are its last bytes, so they are aligned, too. */
const kMessageEnd = 64;

/** Runs the command with these arguments and returns the exit code. */
export function runCommandLine(args: readonly string[], around: Surroundings): 0 | 1 | 2 {
  const [command, ...rest] = args;
  switch (command) {
    case undefined:
    case "tour":
      return rest.length === 0 ? tour(around) : misunderstood(`tour takes no arguments, got ${rest.join(" ")}`, around);
    case "inspect":
      return rest.length > 0 ? inspect(rest, around) : misunderstood("inspect needs a file", around);
    case "--help":
    case "-h":
    case "help":
      kUsage.forEach(around.print);
      return 0;
    case "--version":
      around.print(version);
      return 0;
    default:
      if (!command.startsWith("-") && isPath(command, around.folder)) return inspect(args, around);
      return misunderstood(`unknown command ${command}`, around);
  }
}

/** Returns true if `word` is a path: it contains a dot or a slash, or names an existing file. */
function isPath(word: string, folder: string): boolean {
  return /[./\\]/.test(word) || existsSync(resolve(folder, word));
}

function misunderstood(what: string, { printError }: Surroundings): 2 {
  printError(`onebuffer: ${what}`);
  kUsage.forEach(printError);
  return 2;
}

function tour({ print, printError, color }: Surroundings): 0 | 1 {
  return reportErrors("tour", printError, () => {
    const model = Object.fromEntries(kModelFiles.map((name) => [name, dataFile(`digits-model/${name}.pb`, kMessageEnd)])) as ModelFiles;
    runTour(print, { digits: dataFile("digits.npy"), labels: dataFile("digits-labels.npy"), model, color });
  });
}

/** Reads a file of the tour's data. Throws NOT_FOUND if no folder has it. */
function dataFile(name: string, endAlignment: number = 1): Uint8Array<ArrayBuffer> {
  const paths = kDataFolders.map((folder) => fileURLToPath(new URL(folder + name, import.meta.url)));
  const path = paths.find((each) => existsSync(each));
  if (path === undefined) throw new NotFoundError(`the tour's data is missing: ${paths.join(" and ")} do not exist`);
  return readRegularFile(path, endAlignment);
}

function inspect(paths: readonly string[], { print, printError, folder }: Surroundings): 0 | 1 {
  let exit: 0 | 1 = 0;
  for (const [i, path] of paths.entries()) {
    if (i > 0) print("");
    const failed = reportErrors(path, printError, () => inspectNpy(path, readRegularFile(resolve(folder, path), 1), print));
    if (failed === 1) exit = 1;
  }
  return exit;
}

/**
 * Runs `act` and returns the exit code. A StatusError becomes one line on standard error. Another error is a bug and is thrown with its
 * stack.
 */
function reportErrors(subject: string, printError: Surroundings["printError"], act: () => void): 0 | 1 {
  try {
    act();
    return 0;
  } catch (error) {
    if (!isStatusError(error)) throw error;
    printError(`onebuffer: ${subject}: ${oneLine(error)}`);
    return 1;
  }
}

function oneLine({ code, message }: StatusError): string {
  return `${code}: ${message.replaceAll(/\s*\n\s*/g, " ")}`;
}
