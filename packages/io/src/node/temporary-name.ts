/**
 * The names of temporary files and folders. They name the process that made them, so that a later one can recognize what a killed process
 * left behind.
 *
 *     .onebuffer-MACHINE-PID-START-RANDOM.tmp      MACHINE   the boot of the machine and the process's namespaces
 *                                                  START     when the process was started, in ticks since the boot
 *     .onebuffer-RANDOM.tmp                        where these are not known: outside Linux, without /proc
 *
 * The name of the file that is replaced is not part of it: a name may have 255 bytes on most file systems, and fewer on some.
 */
import { readFileSync, readlinkSync } from "node:fs";

/** A process that made a temporary file. */
export interface TemporaryOwner {
  readonly machine: string;
  readonly pid: number;
  readonly start: string;
}

const kName = /^\.onebuffer-([0-9a-f]{32}\.\d+\.\d+)-(\d+)-(\d+)-[0-9a-z]{8}\.tmp$/;

/**
 * Returns a new name for a temporary file or folder, of at most 140 ASCII characters.
 *
 * @example
 * temporaryName() === temporaryName(); // => false
 */
export function temporaryName(): string {
  const random = Math.random().toString(36).slice(2, 10).padEnd(8, "0");
  const owner = thisProcess();
  return owner === null ? `.onebuffer-${random}.tmp` : `.onebuffer-${owner.machine}-${owner.pid}-${owner.start}-${random}.tmp`;
}

/** Returns the process that made a temporary file of this name, or null if the name is another one or does not tell. */
export function ownerOf(name: string): TemporaryOwner | null {
  const [, machine, pid, start] = kName.exec(name) ?? [];
  return machine === undefined || start === undefined ? null : { machine, pid: Number(pid), start };
}

/** Returns this process, or null if the system does not describe it. */
export function thisProcess(): TemporaryOwner | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").replaceAll(/[-\s]/g, "");
    const [pid, start] = readStat("self");
    // Namespaces have numbers: "pid:[4026531836]".
    const [processes, times] = ["pid", "time"].map((space) => /\d+/.exec(readlinkSync(`/proc/self/ns/${space}`))?.[0]);
    const machine = `${boot}.${processes}.${times}`;
    // Another number stands there if /proc describes the processes of another namespace.
    if (pid !== process.pid || start === "") return null;
    return kName.test(`.onebuffer-${machine}-${pid}-${start}-00000000.tmp`) ? { machine, pid, start } : null;
  } catch {
    return null;
  }
}

/**
 * Returns true if a process has certainly ended: it ran on this machine since its last start, in the namespaces of this process, and there
 * is no process of its number now, or one that was started at another time. Returns false for a process of another machine or container.
 */
export function hasEnded(owner: TemporaryOwner): boolean {
  if (thisProcess()?.machine !== owner.machine) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as { readonly code?: unknown }).code === "ESRCH";
  }
  try {
    return readStat(String(owner.pid))[1] !== owner.start;
  } catch {
    return false;
  }
}

/** Returns the number of a process and the time of its start. */
function readStat(pid: string): readonly [number, string] {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The second field is the program's name in parentheses, which may contain spaces and parentheses; the time is field 22.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return [Number.parseInt(text, 10), fields[19] ?? ""];
}
