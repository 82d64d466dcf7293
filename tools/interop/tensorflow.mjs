// The JavaScript client of tensorflow_side.py: one Python process, one JSON object per line in each direction, answers in order.
//
// `ask` sends a question and resolves to TensorFlow's answer, or rejects with its refusal; `tryAsk` resolves to `{ ok }` or `{
// error }`. If the process dies (TensorFlow aborts on some bytes), that question's answer is `{ aborted }`, and the questions after
// it are sent again to a new process.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The path of a script of this folder. */
export const scriptAt = (name) => fileURLToPath(new URL(name, import.meta.url));

export class TensorFlow {
  constructor(python, script = "tensorflow_side.py") {
    this.python = python;
    this.script = scriptAt(script);
    this.child = undefined;
    this.open = [];
    this.errors = "";
  }

  #start() {
    const child = spawn(this.python, [this.script], { stdio: ["pipe", "pipe", "pipe"] });
    this.child = child;
    child.stderr.on("data", (chunk) => {
      this.errors = (this.errors + chunk).slice(-4000);
    });
    child.stdin.on("error", () => undefined);
    createInterface({ input: child.stdout }).on("line", (line) => this.open.shift()?.resolve(JSON.parse(line)));
    const ended = (why) => {
      if (this.child !== child) return;
      this.child = undefined;
      // Answers come in order, so the oldest open question killed the process; the others are sent again.
      const [culprit, ...others] = this.open.splice(0);
      culprit?.resolve({ aborted: why });
      for (const { question, resolve } of others) this.tryAsk(question).then(resolve);
    };
    child.once("error", (error) => ended(error.message));
    child.once("close", (code, signal) => ended(`the process ended with ${signal ?? code}: ${this.errors.trim().split("\n").at(-1)}`));
  }

  /** Resolves to `{ ok }`, `{ error }` or `{ aborted }`. */
  tryAsk(question) {
    if (this.child === undefined) this.#start();
    return new Promise((resolve) => {
      this.open.push({ question, resolve });
      this.child.stdin.write(`${JSON.stringify(question)}\n`);
    });
  }

  /** Resolves to the answer; rejects if TensorFlow refuses. */
  async ask(question) {
    const answer = await this.tryAsk(question);
    if (answer.ok === undefined) throw new Error(`TensorFlow, asked to ${question.op}: ${answer.error ?? answer.aborted}`);
    return answer.ok;
  }

  /** Ends the process. */
  stop() {
    const { child } = this;
    this.child = undefined;
    child?.stdin.end();
    child?.kill();
  }
}
