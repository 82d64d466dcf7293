// The other end of actor.ts: starts an actor on a thread and asks it things.
import { setEnvironmentData, Worker } from "node:worker_threads";
import { revokeThread } from "@onebuffer/allocator";
import { kArenaMagic } from "@onebuffer/allocator/internal";
import type { commands } from "./actor.ts";

type Commands = typeof commands;

const kOfferName = `onebuffer.arena.${kArenaMagic}`;

export class ThreadHandle {
  readonly worker: Worker;
  /** What the arena knows the thread by; 0 until `start` has asked. */
  key = 0;

  private constructor(worker: Worker) {
    this.worker = worker;
    worker.on("error", () => {}); // said by `ask`
  }

  /** An actor that has joined this thread's arena as it loaded. */
  static async start(): Promise<ThreadHandle> {
    const handle = new ThreadHandle(new Worker(new URL("./actor.js", import.meta.url)));
    handle.key = await handle.ask("key");
    return handle;
  }

  /** One that was offered no arena. */
  static uninvited(): ThreadHandle {
    const { getEnvironmentData } = process.getBuiltinModule("node:worker_threads");
    const offer = getEnvironmentData(kOfferName);
    setEnvironmentData(kOfferName, undefined as never);
    try {
      return new ThreadHandle(new Worker(new URL("./actor.js", import.meta.url)));
    } finally {
      setEnvironmentData(kOfferName, offer);
    }
  }

  /** Has a command carried out; rejects with `CODE: message` as the actor's error said. */
  async ask<C extends keyof Commands>(command: C, ...args: Parameters<Commands[C]>): Promise<Awaited<ReturnType<Commands[C]>>> {
    const answer = new Promise<unknown>((resolve, reject) => {
      const onEnd = (why: unknown): void => reject(new Error(`the actor ended: ${String(why)}`));
      this.worker.once("exit", onEnd);
      this.worker.once("message", ({ result, error }: { result?: unknown; error?: { code: string; message: string } }) => {
        this.worker.off("exit", onEnd);
        if (error === undefined) resolve(result);
        else reject(new Error(`${error.code}: ${error.message}`));
      });
    });
    this.worker.postMessage({ command, args });
    return (await answer) as Awaited<ReturnType<Commands[C]>>;
  }

  /**
   * Ends the thread and takes over from it: how many threads that were. By hand, for a test runner's `process` is a copy that no
   * worker's end is told to; what Node does by itself is tested in a process of its own (soak.ts).
   */
  async end(): Promise<number> {
    await this.worker.terminate();
    return revokeThread(this.key);
  }
}
