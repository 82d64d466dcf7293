// One library under test: a child process that receives { workload, milliseconds } and answers with samples in ns per operation.
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

  /** Ends the process; the next run starts a new one. */
  stop() {
    this.child?.kill();
    this.child = undefined;
  }
}
