// The checks in Deno, for the server whose address is the argument.
import process from "node:process";
import { checkFor } from "./client.mjs";

await checkFor(process.argv[2], navigator.gpu);
process.exit(0);
