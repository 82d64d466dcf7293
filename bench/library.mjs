// One library under test: a child process that receives { workload, milliseconds } and answers with samples in ns per operation. Without
// `milliseconds` it says at once whether it has the workload.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));

export class Library {
  /** `flags` are options for Node: --expose-gc except for workloads that must be measured without it. */
  constructor(name, flags = ["--expose-gc"]) {
    this.name = name;
    this.flags = flags;
    this.child = undefined;
  }

  /** Runs one round. The process lives until `stop`, so its type feedback is that of a program that has run all earlier workloads. */
  run(workload, milliseconds, withChecksum) {
    this.child ??= fork(worker, [this.name], { execArgv: [...this.flags, "--no-warnings"], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    return new Promise((resolve) => {
      const done = (answer) => {
        this.child.off("exit", died);
        resolve(answer);
      };
      const died = (code) => done({ absent: `its process ended with ${code}` });
      this.child.once("message", done);
      this.child.once("exit", died);
      this.child.send({ workload, milliseconds, withChecksum });
    });
  }

  /** Returns { none: true } if the library lacks the workload, { absent } if it is not installed, else an empty object. */
  has(workload) {
    return this.run(workload);
  }

  /** Ends the process; the next run starts a new one. */
  stop() {
    this.child?.kill();
    this.child = undefined;
  }
}
