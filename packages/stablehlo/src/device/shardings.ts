/** Shardings in one form: an entry per dimension, null, one name, or a list of at least two. */
import type { Mesh, Sharding } from "../text/sharding.ts";
import { shardingText } from "../text/sharding.ts";

/**
 * Returns a sharding with an entry for every dimension. Throws INVALID_ARGUMENT as `shardingText` does: for axes that the mesh lacks, and for
 * sizes that cannot be divided evenly.
 */
export function fullSharding(what: string, sharding: Sharding, dims: readonly number[], mesh: Mesh): Sharding {
  shardingText(what, sharding, dims, mesh);
  return dims.map((_, d) => {
    const entry = sharding[d] ?? null;
    if (entry === null || typeof entry === "string") return entry;
    return entry.length === 0 ? null : entry.length === 1 ? (entry[0] as string) : [...entry];
  });
}

/** Returns true if each device has all elements. */
export function isReplicated(sharding: Sharding): boolean {
  return sharding.every((entry) => entry === null);
}
