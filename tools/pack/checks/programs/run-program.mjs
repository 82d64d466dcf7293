import { report } from "./program.mjs";

console.log(report());
