import { report } from "./later.mjs";

console.log(JSON.stringify(await report()));
