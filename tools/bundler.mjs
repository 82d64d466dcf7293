// esbuild, for tools that bundle once and end.
//
// esbuild is a Go program that runs beside Node, and its collector takes a third of the processor time of the tests' bundles: it does not
// run below the limit, which they do not reach.
import { build } from "esbuild";

const kCollector = { GOGC: "off", GOMEMLIMIT: "1GiB" };

/** esbuild's `build`. */
export function bundle(options) {
  const before = { ...process.env };
  Object.assign(process.env, { ...kCollector, ...before });
  // esbuild starts, with the environment as it is, before the call returns.
  const bundled = build(options);
  for (const name of Object.keys(kCollector)) {
    if (before[name] === undefined) delete process.env[name];
  }
  return bundled;
}
