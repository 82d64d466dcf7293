// Makes allocations fail: those of this thread's arena, of the CPU allocator, and of the linear memory.
import { cpuAllocator, defaultAllocator } from "@onebuffer/allocator";
import { linearMemory } from "@onebuffer/wasm";

/** Which allocations fail: the one of that number alone, or it and all later ones. */
export interface Failing {
  readonly at: number;
  readonly andLater: boolean;
}

type Allocate = (...args: readonly unknown[]) => unknown;

/** The functions that all memory of tensors, kernels and files comes from. Each returns null when there is none. */
const places = (): readonly (readonly [object: Record<string, Allocate>, name: string])[] =>
  [
    [defaultAllocator(), "allocateRaw"],
    [cpuAllocator(), "allocateRaw"],
    [linearMemory(), "reserve"],
  ] as never;

/**
 * Calls a function while allocations fail, none of them if `failing` is null. Returns how many were asked for, and what the function threw, null
 * if nothing.
 */
export async function whileFailing(failing: Failing | null, act: () => unknown): Promise<{ asked: number; thrown: unknown }> {
  let asked = 0;
  const restore = places().map(([object, name]) => {
    const own = object[name]!;
    const isOwn = Object.hasOwn(object, name);
    object[name] = (...args): unknown => {
      const number = asked++;
      const fails = failing !== null && (failing.andLater ? number >= failing.at : number === failing.at);
      return fails ? null : Reflect.apply(own, object, args);
    };
    return () => {
      if (isOwn) object[name] = own;
      else delete object[name];
    };
  });
  try {
    await act();
    return { asked, thrown: null };
  } catch (thrown) {
    return { asked, thrown };
  } finally {
    for (const each of restore) each();
  }
}
