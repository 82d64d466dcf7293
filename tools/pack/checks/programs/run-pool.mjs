import { poolReport } from "./pool.mjs";

console.log(JSON.stringify(await poolReport()));
