/**
 * plan-cache: keeps the plans of transforms that were used last, as long as their tables have at most 16 MiB together.
 */
import type { PartDType } from "./fft-module.ts";
import { planCounts } from "./plan-counts.ts";
import { Tables } from "./tables.ts";

/** The most bytes of tables that are kept. The plan that was used last is always kept. */
const kKeptBytes = 1 << 24;

/** A plan: what a transform needs besides its operands. */
interface Plan {
  readonly tables: Tables;
}

/** The plans by key, in the order of their last use. */
const plans: Map<string, Plan> = new Map();
/** The plan that was used last. */
const latest: { key: string; plan: Plan | null } = { key: "", plan: null };

/**
 * Returns the plan with a key, made by `make` if it is not kept. Its tables are valid until the next call. Throws RESOURCE_EXHAUSTED if there is
 * no memory for them.
 */
export function keptPlan<P extends Plan>(key: string, dtype: PartDType, make: (tables: Tables) => P): P {
  if (latest.key === key) return latest.plan as unknown as P;
  let plan = plans.get(key) as P | undefined;
  if (plan === undefined) plan = madePlan(dtype, make);
  else plans.delete(key);
  plans.set(key, plan);
  latest.key = key;
  latest.plan = plan;
  for (const [old, { tables }] of plans) {
    if (planCounts.bytes <= kKeptBytes || old === key) break;
    planCounts.bytes -= tables.bytes;
    tables.release();
    plans.delete(old);
  }
  planCounts.kept = plans.size;
  return plan;
}

function madePlan<P extends Plan>(dtype: PartDType, make: (tables: Tables) => P): P {
  const tables = new Tables(dtype);
  try {
    const plan = make(tables);
    planCounts.made++;
    planCounts.bytes += tables.bytes;
    return plan;
  } catch (error) {
    tables.release();
    throw error;
  } finally {
    tables.complete();
  }
}
