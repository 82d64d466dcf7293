// Loads the modules of the packages with lower thresholds (lowered.mjs), for tools/ways/register-lowered.mjs.
import { fileURLToPath } from "node:url";
import { moduleName } from "./instrument.mjs";
import { kLowered, lowered } from "./lowered.mjs";

/** Node's hook that loads a module: with lower thresholds, if it is in their table. */
export async function load(url, context, nextLoad) {
  const name = url.startsWith("file:") ? moduleName(fileURLToPath(url)) : "";
  if (!Object.hasOwn(kLowered, name)) return await nextLoad(url, context);
  const loaded = await nextLoad(url, context);
  return { ...loaded, source: lowered(new TextDecoder().decode(loaded.source), name) };
}
