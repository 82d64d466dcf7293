/** The arguments of the command, parsed and checked. */
import { parseArgs } from "node:util";
import { InvalidArgumentError, isDType, isStatusError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { TensorSlice } from "@onebuffer/slice";
import { kOutputFormats } from "./convert.ts";
import type { Cast, ConvertOptions, OutputFormat, Rename } from "./convert.ts";
import type { InspectOptions } from "./inspect.ts";
import { kStandardInput } from "./standard-input.ts";

const kText = { type: "string" } as const;
const kTexts = { type: "string", multiple: true } as const;
const kFlag = { type: "boolean" } as const;

type Specs = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

/** Parses arguments. Throws INVALID_ARGUMENT for an unknown option, one without its value, and an empty path. */
function parse<const S extends Specs>(
  args: readonly string[],
  options: S,
): ReturnType<typeof parseArgs<{ options: S; allowPositionals: true }>> {
  const joined = withValuesJoined(args, options);
  let parsed: ReturnType<typeof parseArgs<{ options: S; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args: joined, options, allowPositionals: true });
  } catch (cause) {
    throw new InvalidArgumentError((cause as Error).message, { cause });
  }
  if (parsed.positionals.includes("")) throw new InvalidArgumentError("a path is empty");
  return parsed;
}

/**
 * Returns `--slice=-:0,2` for `--slice -:0,2`: the parser would take a value that begins with a dash for an option. What follows `--` are
 * paths. Throws INVALID_ARGUMENT for an unknown option.
 */
function withValuesJoined(args: readonly string[], options: Specs): string[] {
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === "--") return [...joined, ...args.slice(i)];
    if (arg.startsWith("-") && arg !== "-" && !isOption(arg, options)) throw unknownOption(arg);
    const takesValue = options[arg.slice(2)]?.type === "string" && arg.startsWith("--");
    joined.push(takesValue && i + 1 < args.length ? `${arg}=${args[++i]}` : arg);
  }
  return joined;
}

/** Returns true for `--name` and `--name=value`. */
function isOption(arg: string, options: Specs): boolean {
  const [name = ""] = arg.slice(2).split("=");
  return arg.startsWith("--") && Object.hasOwn(options, name);
}

/** Returns the error for an option that there is not. The argument may be meant as the name of a file. */
export function unknownOption(arg: string): InvalidArgumentError {
  return new InvalidArgumentError(`unknown option ${arg}; a file whose name begins with a dash is written ./${arg}, or after --`);
}

const kInspectOptions = { json: kFlag, stats: kFlag, tensor: kText, slice: kText } as const;

/** Returns true for an option of `inspect`, which is the command where none is named. */
export const isInspectOption = (arg: string): boolean => isOption(arg, kInspectOptions);

/** Returns the files and options of `inspect`. */
export function inspectArguments(args: readonly string[]): { readonly files: readonly string[]; readonly options: InspectOptions } {
  const { values, positionals: files } = parse(args, kInspectOptions);
  if (files.length === 0) throw new InvalidArgumentError("inspect needs a file");
  const { json = false, stats = false, tensor, slice } = values;
  return { files, options: { json, stats, tensor, slice: slice === undefined ? undefined : sliceOf(slice) } };
}

/** Parses a slice in TensorFlow's notation. */
function sliceOf(text: string): TensorSlice {
  try {
    return TensorSlice.parse(text);
  } catch (cause) {
    if (!isStatusError(cause)) throw cause;
    throw new InvalidArgumentError(`--slice takes a text such as 0,2:-, got ${shownValue(text)}: ${cause.message}`, { cause });
  }
}

/** Returns the files and options of `convert`. */
export function convertArguments(args: readonly string[]): {
  readonly from: string;
  readonly out: string;
  readonly options: ConvertOptions;
} {
  const { values, positionals } = parse(args, {
    to: kText,
    cast: kTexts,
    rename: kTexts,
    filter: kTexts,
    exclude: kTexts,
    "shard-size": kText,
    compressed: kFlag,
  });
  const [from, out] = positionals;
  if (from === undefined || out === undefined || positionals.length > 2)
    throw new InvalidArgumentError(`convert needs IN and OUT, got ${positionals.length} paths`);
  if (out === kStandardInput) throw new InvalidArgumentError("convert writes files, not standard output: OUT is -, which ./- can name");
  const { to, cast = [], rename = [], filter = [], exclude = [], compressed = false } = values;
  const shardSize = values["shard-size"];
  const options = {
    to: outputFormat(to, out),
    casts: cast.map(castOf),
    renames: rename.map(renameOf),
    filters: filter.map((text) => expressionOf(text)),
    excludes: exclude.map((text) => expressionOf(text)),
    shardBytes: shardSize === undefined ? null : bytesOf(shardSize),
    compressed,
  };
  if (compressed && options.to !== "npz") throw new InvalidArgumentError("--compressed is an option of .npz files");
  if (options.shardBytes !== null && !["safetensors", "checkpoint"].includes(options.to))
    throw new InvalidArgumentError("--shard-size is an option of safetensors files and checkpoints");
  return { from, out, options };
}

/** Returns the two files of `diff`. */
export function diffArguments(args: readonly string[]): readonly [string, string] {
  const { positionals } = parse(args, {});
  const [a, b] = positionals;
  if (a === undefined || b === undefined || positionals.length > 2)
    throw new InvalidArgumentError(`diff needs two files, got ${positionals.length}`);
  return [a, b];
}

/** Returns the port of `explore`; 0 stands for a free one. */
export function exploreArguments(args: readonly string[]): number {
  const { values, positionals } = parse(args, { port: kText });
  const { port = "0" } = values;
  if (positionals.length > 0) throw new InvalidArgumentError(`explore takes no paths, got ${positionals.join(" ")}`);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new InvalidArgumentError(`--port is a number up to 65535, got ${shownValue(port)}`);
  return Number(port);
}

/** Returns the format of the output: the one that is named, or the one that the path's ending means. */
function outputFormat(to: string | undefined, out: string): OutputFormat {
  if (to !== undefined) {
    const format = kOutputFormats.find((each) => each === to);
    if (format === undefined) throw new InvalidArgumentError(`--to is one of ${kOutputFormats.join(", ")}, got ${shownValue(to)}`);
    return format;
  }
  const ending = /\.(npy|npz|safetensors|ckpt|index)$/.exec(out.replace(/\.safetensors\.index\.json$/, ".safetensors"))?.[1];
  if (ending === undefined)
    throw new InvalidArgumentError(
      `the format of ${shownValue(out)}: --to is one of ${kOutputFormats.join(", ")}, or the path ends in .npy, .npz, .safetensors or .ckpt`,
    );
  return ending === "ckpt" || ending === "index" ? "checkpoint" : (ending as OutputFormat);
}

function castOf(text: string): Cast {
  const [first = "", ...rest] = text.split("=");
  const second = rest.length > 0 ? rest.join("=") : undefined;
  const dtype = (name: string): DType => {
    if (!isDType(name))
      throw new InvalidArgumentError(`--cast takes TO or FROM=TO, got ${shownValue(text)}: ${shownValue(name)} is no dtype`);
    return name;
  };
  return second === undefined ? { from: null, to: dtype(first) } : { from: dtype(first), to: dtype(second) };
}

/** Parses `s/PATTERN/REPLACEMENT/`, with any punctuation mark in place of the slash. */
function renameOf(text: string): Rename {
  const mark = text[1] ?? "";
  const [, pattern, replacement, flags, more] = text.split(mark);
  if (
    text[0] !== "s" ||
    !/^[^\w\s\\]$/.test(mark) ||
    pattern === undefined ||
    replacement === undefined ||
    !/^g?$/.test(flags ?? "x") ||
    more !== undefined
  )
    throw new InvalidArgumentError(`--rename takes s/PATTERN/REPLACEMENT/ or s/PATTERN/REPLACEMENT/g, got ${shownValue(text)}`);
  return { pattern: expressionOf(pattern, flags), replacement };
}

function expressionOf(text: string, flags: string = ""): RegExp {
  try {
    return new RegExp(text, `${flags}u`);
  } catch (cause) {
    throw new InvalidArgumentError(`${shownValue(text)} is not a regular expression`, { cause });
  }
}

/** Parses `500MB`, `2GB`, `65536`. */
function bytesOf(text: string): number {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kMGT]?)B?$/i.exec(text) ?? [];
  const bytes = Math.floor(Number(digits) * 1000 ** ["", "K", "M", "G", "T"].indexOf(unit.toUpperCase()));
  if (digits === undefined || bytes < 1 || !Number.isSafeInteger(bytes))
    throw new InvalidArgumentError(`--shard-size takes a number of bytes such as 500MB, got ${shownValue(text)}`);
  return bytes;
}
