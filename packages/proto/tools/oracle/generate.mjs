// Writes packages/proto/test/generated: protobuf-es code for all of packages/proto/protos, against which the tests hold the
// codecs. Run it after a change of a .proto file:
//
//   python3 -m venv .venv && .venv/bin/pip install grpcio-tools      (protoc; or set PROTOC to another one's command)
//   npm install && npm run generate
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const protos = join(here, "../../protos");
const generated = join(here, "../../test/generated");
const venv = join(here, ".venv/bin/python-grpc-tools-protoc");
const protoc = process.env.PROTOC ?? (existsSync(venv) ? venv : "protoc");

rmSync(generated, { recursive: true, force: true });
mkdirSync(generated, { recursive: true });
const files = readdirSync(protos, { recursive: true }).filter((file) => file.endsWith(".proto"));
// Today's XLA and that of 2017 share names, so each file of theirs is compiled in a run of its own.
const xla = files.filter((file) => file.endsWith("xla_data.proto"));
for (const run of [files.filter((file) => !xla.includes(file)), ...xla.map((file) => [file])]) {
  execFileSync(protoc, [
    `--plugin=protoc-gen-es=${join(here, "node_modules/.bin/protoc-gen-es")}`,
    `--proto_path=${protos}`,
    `--es_out=${generated}`,
    "--es_opt=target=ts,import_extension=ts",
    ...run,
  ]);
}
process.stdout.write(`${files.length} files compiled\n`);
