/** The text of `onebuffer --help`. docs/command-line.md explains it. */
export const kUsage: readonly string[] = [
  "usage: onebuffer [tour]                a tour of one buffer and its many tensors, on real data",
  "       onebuffer [inspect] FILE...     the tensors of a file: names, dtypes, shapes, bytes, checksums",
  "         --stats                         smallest, largest, mean, standard deviation, zeros, NaN",
  "         --tensor NAME [--slice TEXT]    the values of a tensor, or of a part such as 0,2:-",
  "         --json                          one line of JSON, with the sha256 of each tensor",
  "       onebuffer convert IN OUT        to .npy, .npz, .safetensors or a checkpoint (.ckpt, or --to FORMAT)",
  "         --cast [FROM=]TO                other dtypes         --rename s/A/B/   other names",
  "         --filter REGEX                  only these tensors   --exclude REGEX   not these",
  "         --shard-size 500MB              several files        --compressed      deflated .npz",
  "       onebuffer diff A B              which tensors differ, and by how much",
  "       onebuffer explore [--port N]    serves the explorer, the page that shows the bytes",
  "       onebuffer --help | --version",
  "files: .npy, .npz, safetensors, checkpoints, SavedModels, TFRecord, TensorProto",
  "exit codes: 0 success, 1 a file failed, 2 wrong arguments, 3 differences or a wrong checksum, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP",
];
