// A library of Python, timed in a process of its own. It is not a JavaScript library, and its absence is not a problem.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Returns the cases of a script: without an argument it prints their names and its version, else the times and the checksum of one. */
export function casesOfPython(title, python, script, variables) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const ask = (...args) => {
    const { status, stdout } = spawnSync(python, [path, ...args], { encoding: "utf8", env: { ...process.env, ...variables } });
    return status === 0 ? JSON.parse(stdout) : undefined;
  };
  const known = ask();
  const caseOf = (name) => {
    let answer;
    return {
      note: `${title} ${known.version}`,
      value() {
        answer = ask(name);
        return answer.nanoseconds;
      },
      checksum: () => answer.checksum,
    };
  };
  return known === undefined ? {} : Object.fromEntries(known.cases.map((name) => [name, () => caseOf(name)]));
}
