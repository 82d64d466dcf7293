// `node tools/explorer/run.mjs [WORDS]`: builds the explorer and drives every panel in Chromium and Firefox, with real key presses and
// pointer movements. WORDS choose the checks whose names contain one of them. Screenshots are written to out/explorer-shots.
//
// A browser that is not installed is skipped with a message; under ONEBUFFER_REQUIRE_BROWSERS=1 that is a failure.
import "./build.mjs";
import { app } from "./install.mjs";

if (!process.exitCode) {
  const { driveAll } = await import(new URL("test/drive-all.mjs", `file://${app}`).href);
  if (!(await driveAll(process.argv.slice(2)))) process.exitCode = 1;
}
