/** The texts of `onebuffer --help` and of `--help` after a command. docs/command-line.md explains them. */

/** The commands with their options. */
const kCommands = {
  tour: ["onebuffer [tour]                a tour of one buffer and its many tensors, on real data"],
  inspect: [
    "onebuffer [inspect] FILE...     the tensors of a file: names, dtypes, shapes, bytes, checksums",
    "  --stats                         smallest, largest, mean, standard deviation, zeros, NaN",
    "  --tensor NAME [--slice TEXT]    the values of a tensor, or of a part such as 0,2:-",
    "  --json                          one line of JSON, with the sha256 of each tensor",
  ],
  convert: [
    "onebuffer convert IN OUT        to .npy, .npz, .safetensors or a checkpoint (.ckpt, or --to FORMAT)",
    "  --cast [FROM=]TO                other dtypes         --rename s/A/B/   other names",
    "  --filter REGEX                  only these tensors   --exclude REGEX   not these",
    "  --shard-size 500MB              several files        --compressed      deflated .npz",
  ],
  diff: ["onebuffer diff A B              which tensors differ, and by how much"],
  explore: ["onebuffer explore [--port N]    serves the explorer, the page that shows the bytes"],
} as const;

/** A command that has a help of its own. */
export type CommandName = keyof typeof kCommands;

/** What all commands have in common. */
const kCommon: readonly string[] = [
  "files: .npy, .npz, safetensors, checkpoints, SavedModels, TFRecord, TensorProto; - is standard input",
  "exit codes: 0 success, 1 a file failed, 2 wrong arguments, 3 differences or a wrong checksum, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP",
];

/** Returns lines of usage: the first one after "usage: ", the others below it. */
const indented = (lines: readonly string[]): string[] => lines.map((line, i) => `${i === 0 ? "usage: " : "       "}${line}`);

/** The lines of `onebuffer --help`. */
export const kUsage: readonly string[] = [...indented([...Object.values(kCommands).flat(), "onebuffer --help | --version"]), ...kCommon];

/** Returns true for a command that has a help of its own. */
export const isCommandName = (word: string): word is CommandName => Object.hasOwn(kCommands, word);

/** Returns the lines of `--help` after a command. */
export const usageOf = (command: CommandName): readonly string[] => [...indented(kCommands[command]), ...kCommon];
