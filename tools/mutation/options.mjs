// The options of `npm run mutation`.

/** Returns a number given as an option, which must be an integer of at least `least`. */
function integerOf(name, text, least) {
  const value = Number(text);
  if (text === undefined || !Number.isInteger(value) || value < least)
    throw new Error(`--${name} is ${text}, not an integer from ${least} on`);
  return value;
}

/**
 * Returns the options in a list of arguments: `--packages a,b` (all), `--mutants N` a package (30), `--seed N` (1), `--seconds N` in all
 * (no limit), `--jobs N` processes at a time, `--changed BASE`, `--write`. Throws for an unknown one or a wrong value.
 */
export function optionsOf(args, packages, processors) {
  const options = { packages, mutants: 30, seed: 1, seconds: Infinity, jobs: processors, changed: null, write: false };
  for (let k = 0; k < args.length; k++) {
    const name = args[k].replace(/^--/, "");
    if (!args[k].startsWith("--") || !Object.hasOwn(options, name)) throw new Error(`unknown option ${args[k]}`);
    if (name === "write") options.write = true;
    else if (name === "changed") options.changed = args[++k] ?? "";
    else if (name === "packages") options.packages = (args[++k] ?? "").split(",");
    else options[name] = integerOf(name, args[++k], name === "seed" ? 0 : 1);
  }
  const unknown = options.packages.filter((name) => !packages.includes(name));
  if (unknown.length > 0) throw new Error(`unknown package ${unknown.join(", ")}; there are ${packages.join(", ")}`);
  return options;
}
