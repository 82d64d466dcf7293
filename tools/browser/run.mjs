// Builds the packages and runs checks.mjs over them in Chromium and Firefox, each with and without cross-origin isolation, all
// under a strict Content-Security-Policy; and once more with a policy that does not let WebAssembly compile.
// A browser that is not installed is skipped with a message; under ONEBUFFER_REQUIRE_BROWSERS=1 that is a failure.
import "../build.mjs";
import { kBrowsers, installed, verdictsOf } from "./launch.mjs";
import { serve } from "./server.mjs";

const kPages = [
  { title: "isolated", isolated: true, wasm: true },
  { title: "not isolated", isolated: false, wasm: true },
  { title: "no WebAssembly compiled", isolated: false, wasm: false },
];

// Importing build.mjs has built the packages; its exit code is not 0 if they do not compile.
let failed = process.exitCode ? 1 : 0;
for (const { name, commands, args } of kBrowsers) {
  const command = installed(commands);
  if (command === undefined) {
    process.stdout.write(`${name}: not installed, skipped\n`);
    if (process.env.ONEBUFFER_REQUIRE_BROWSERS === "1") failed++;
    continue;
  }
  for (const page of kPages) {
    const verdicts = await verdictsOf({ command, args }, await serve(page));
    const wrong = verdicts.filter((verdict) => !verdict.ok);
    failed += wrong.length;
    process.stdout.write(`${name}, ${page.title}: ${verdicts.length - wrong.length} of ${verdicts.length} checks hold\n`);
    for (const { name: check, detail } of wrong) process.stdout.write(`  FAILED ${check}: ${detail}\n`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
