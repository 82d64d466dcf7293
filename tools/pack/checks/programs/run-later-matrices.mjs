import { report } from "./later-matrices.mjs";

console.log(JSON.stringify(await report()));
