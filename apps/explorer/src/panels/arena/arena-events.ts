/** What an arena has done between two of its memory maps: chunks split, taken, freed, merged. */
import type { MemChunk } from "onebuffer/allocator";

/** One thing that happened. */
export interface ArenaEvent {
  readonly kind: "split" | "take" | "free" | "merge" | "forget" | "reclaim";
  readonly text: string;
}

const at = ({ address, size }: MemChunk): string => `${size} bytes at ${address}`;

/** Returns the events that turn one memory map into the other. */
export function eventsBetween(before: readonly MemChunk[], after: readonly MemChunk[]): ArenaEvent[] {
  const events: ArenaEvent[] = [];
  const old = new Map(before.map((chunk) => [chunk.address, chunk]));
  const now = new Map(after.map((chunk) => [chunk.address, chunk]));
  for (const chunk of after) {
    const was = old.get(chunk.address);
    if (chunk.inUse && was?.inUse !== true) {
      const whole = was ?? before.find(({ address, size }) => address < chunk.address && chunk.address < address + size);
      if (whole !== undefined && whole.size > chunk.size)
        events.push({
          kind: "split",
          text: `the free chunk of ${at(whole)} is split: ${chunk.size} in use, ${whole.size - chunk.size} free`,
        });
      else
        events.push({
          kind: "take",
          text: `the free chunk of ${at(chunk)} is taken whole${chunk.requestedSize < chunk.size ? `, for ${chunk.requestedSize}` : ""}`,
        });
    }
  }
  for (const chunk of before) {
    if (!chunk.inUse || now.get(chunk.address)?.inUse === true) continue;
    const home = after.find(({ address, size, inUse }) => !inUse && address <= chunk.address && chunk.address < address + size);
    const neighbors = before.filter(
      ({ address, inUse }) => !inUse && home !== undefined && home.address <= address && address < home.address + home.size,
    );
    if (home !== undefined && home.size > chunk.size && neighbors.length > 0)
      events.push({
        kind: "merge",
        text: `${at(chunk)} are freed and merged with ${neighbors.length === 1 ? "a free neighbor" : "free neighbors"}: ${at(home)}`,
      });
    else events.push({ kind: "free", text: `the chunk of ${at(chunk)} is free` });
  }
  return events;
}
