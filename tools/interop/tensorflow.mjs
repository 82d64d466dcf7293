// The JavaScript end of tensorflow_side.py: one Python process, one JSON object a line each way, answers in order.
//
// `ask` sends a question and resolves to TensorFlow's answer, or throws its refusal; `tryAsk` resolves to `{ ok }` or
// `{ error }`. A process that dies (TensorFlow aborts on some bytes) has answered that question with `{ aborted }`; the
// questions behind it are asked again of a new one.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("tensorflow_side.py", import.meta.url));

export class TensorFlow {
  constructor(python) {
    this.python = python;
    this.child = undefined;
    this.open = [];
    this.errors = "";
  }

  #start() {
    const child = spawn(this.python, [script], { stdio: ["pipe", "pipe", "pipe"] });
    this.child = child;
    child.stderr.on("data", (chunk) => {
      this.errors = (this.errors + chunk).slice(-4000);
    });
    child.stdin.on("error", () => undefined);
    createInterface({ input: child.stdout }).on("line", (line) => this.open.shift()?.resolve(JSON.parse(line)));
    const ended = (why) => {
      if (this.child !== child) return;
      this.child = undefined;
      // Answers come in order, so the oldest open question is the one it died of; the others are asked again.
      const [culprit, ...others] = this.open.splice(0);
      culprit?.resolve({ aborted: why });
      for (const { question, resolve } of others) this.tryAsk(question).then(resolve);
    };
    child.once("error", (error) => ended(error.message));
    child.once("close", (code, signal) => ended(`the process ended with ${signal ?? code}: ${this.errors.trim().split("\n").at(-1)}`));
  }

  /** `{ ok }`, `{ error }` or `{ aborted }`. */
  tryAsk(question) {
    if (this.child === undefined) this.#start();
    return new Promise((resolve) => {
      this.open.push({ question, resolve });
      this.child.stdin.write(`${JSON.stringify(question)}\n`);
    });
  }

  /** The answer; throws when TensorFlow refuses. */
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
