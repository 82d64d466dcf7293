/**
 * adviceRows: a table of advice as text, which is small in a page. A row is names, and behind the colon what they have in common, in which `#`
 * stands for the name. Names in camel case stand for those in snake case, too.
 *
 *     isNan isInf: map.#()       isNan, is_nan: map.isNan()       isInf, is_inf: map.isInf()
 */

/** Returns the advice for each name of a table. */
export function adviceRows(rows: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const row of rows.trim().split("\n")) {
    const [names, text] = row.split(/: (.*)/) as [string, string];
    for (const name of names.split(" ")) {
      const advice = text.replaceAll("#", name);
      found.set(name, advice);
      found.set(
        name.replace(/[A-Z](?=[a-z])/g, (letter) => `_${letter.toLowerCase()}`),
        advice,
      );
    }
  }
  return found;
}
