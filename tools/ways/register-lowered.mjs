// Lower thresholds for programs: `node --import ./tools/ways/register-lowered.mjs program.js`.
import { register } from "node:module";

register("./lowered-hooks.mjs", import.meta.url);
