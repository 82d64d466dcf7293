/**
 * plan-cache: keeps the plans of transforms that were used last, as long as their tables have at most 16 MiB together.
 */
import type { PartDType } from "./fft-module.ts";
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
const counts = { made: 0, bytes: 0 };

/**
 * The plans of transforms in this thread.
 *
 * @example
 * const counts: FftPlanCounts = fftPlanCounts();
 * counts.bytes >= 0; // => true
 */
export interface FftPlanCounts {
  /** The number of plans that are kept. */
  readonly kept: number;
  /** The bytes of their tables. */
  readonly bytes: number;
  /** The number of plans made so far. */
  readonly made: number;
}

/**
 * Returns how many plans of Fourier transforms this thread keeps, the bytes of their tables, and how many it has made, as a new object.
 *
 * @example
 * const { kept, made } = fftPlanCounts();
 * kept <= made; // => true
 */
export function fftPlanCounts(): FftPlanCounts {
  return { kept: plans.size, bytes: counts.bytes, made: counts.made };
}

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
    if (counts.bytes <= kKeptBytes || old === key) break;
    counts.bytes -= tables.bytes;
    tables.release();
    plans.delete(old);
  }
  return plan;
}

function madePlan<P extends Plan>(dtype: PartDType, make: (tables: Tables) => P): P {
  const tables = new Tables(dtype);
  try {
    const plan = make(tables);
    counts.made++;
    counts.bytes += tables.bytes;
    return plan;
  } catch (error) {
    tables.release();
    throw error;
  } finally {
    tables.complete();
  }
}
