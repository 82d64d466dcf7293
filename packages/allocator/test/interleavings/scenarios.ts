// All scenarios, each as small as shows what can go wrong.
import type { Report } from "./actor.ts";
import { dyingThreads } from "./dying-threads.ts";
import type { Exploration } from "./explorer.ts";
import { livingThreads } from "./living-threads.ts";
import { tables } from "./tables.ts";

/** Every scenario. */
export const scenarios: readonly Exploration<Report>[] = [...livingThreads, ...dyingThreads, ...tables];
