// The checks in Node, for the server whose address is the argument.
import { create } from "webgpu";
import { checkFor } from "./client.mjs";

// The entry stays reachable: Node's WebGPU stops answering once it is collected.
const gpu = create([]);
await checkFor(process.argv[2], gpu);
// Node's WebGPU keeps the process running as long as the entry is there.
process.exit(gpu === null ? 1 : 0);
