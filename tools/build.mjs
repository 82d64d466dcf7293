// Builds the workspace: generates source, deletes files in the `dist` folders whose source no longer exists, runs `tsc -b`, copies the
// files that modules find beside themselves.
import { compile } from "./compile.mjs";
import { prepareBuild } from "./prepare-build.mjs";

await prepareBuild();
process.exitCode = await compile();
