/**
 * nearestName: the known name that a misspelled one stands for, for messages such as `did you mean "dtype"?`
 */

/** The most characters of an unknown name that are compared with the known names. */
const kMaxCompared = 40;

/** The shortest part of a name that counts as that name. */
const kMinPart = 3;

/** Returns the known name that is a part of `key`, or has it as a part, or has the fewest changed letters. */
export function nearestName(key: string, known: readonly string[]): string {
  const wanted = key.slice(0, kMaxCompared).toLowerCase();
  const distances = known.map((each) => distance(wanted, each.toLowerCase()));
  return known[distances.indexOf(Math.min(...distances))] ?? "";
}

/** Returns 0.5 if one word is a part of the other, otherwise their edit distance. */
function distance(a: string, b: string): number {
  const isPart = Math.min(a.length, b.length) >= kMinPart && (a.includes(b) || b.includes(a));
  return isPart && a !== b ? 0.5 : editDistance(a, b);
}

/** Returns how many letters must be inserted, removed or replaced to make one word of the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
