// ThreadHandle: starts an actor (actor.ts) on a worker thread and sends it commands.
import { setEnvironmentData, Worker } from "node:worker_threads";
import { revokeThread } from "@onebuffer/allocator";
import { kArenaMagic } from "@onebuffer/allocator/internal";
import { builtProgram } from "@onebuffer/test-support";
import type { commands } from "./actor.ts";

type Commands = typeof commands;

/** The program of an actor. */
const kActor = builtProgram(new URL("./actor.js", import.meta.url));

const kOfferName = `onebuffer.arena.${kArenaMagic}`;

/** A worker thread that runs an actor. */
export class ThreadHandle {
  readonly worker: Worker;
  /** The thread's key in the arena; 0 until `start` has asked for it. */
  key = 0;

  private constructor(worker: Worker) {
    this.worker = worker;
    worker.on("error", () => {}); // `ask` rejects
  }

  /** Starts an actor, which joins this thread's arena as it loads. */
  static async start(): Promise<ThreadHandle> {
    const handle = new ThreadHandle(new Worker(kActor));
    handle.key = await handle.ask("key");
    return handle;
  }

  /** Starts an actor that is not offered an arena. */
  static uninvited(): ThreadHandle {
    const { getEnvironmentData } = process.getBuiltinModule("node:worker_threads");
    const offer = getEnvironmentData(kOfferName);
    setEnvironmentData(kOfferName, undefined as never);
    try {
      return new ThreadHandle(new Worker(kActor));
    } finally {
      setEnvironmentData(kOfferName, offer);
    }
  }

  /** Executes a command on the actor. Rejects with `CODE: message` of the error that the actor reports. */
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
   * Terminates the thread and takes over from it. Returns the number of threads taken over. It calls `revokeThread`, because in the test
   * runner `process` is a copy without `worker` events; the automatic takeover in Node is tested in a separate process (soak.ts).
   */
  async end(): Promise<number> {
    await this.worker.terminate();
    return revokeThread(this.key);
  }
}
