/**
 * Planner: what is known of an assignment while it is described and its plan is looked up (in XLA: the state of one compilation).
 *
 *     out.assign(tree)     fastPath    elementwise, dense maps of one size: a kernel by its structure
 *                          recall      otherwise: the plan kept for such an expression, by a description in numbers
 *
 * A planner serves one assignment at a time. Both ways write their numbers into one list, and copy small arrays from outside the linear memory
 * into one region, because only one of them is on its way at a time.
 */
import { Staging } from "../places/staging.ts";
import { PlanNumbers } from "../plan/plan-numbers.ts";
import { FastPath } from "./elementwise-fast-path.ts";
import { Recall } from "./recall-plan.ts";

/** The state of planning. */
export class Planner {
  readonly fastPath: FastPath;
  readonly recall: Recall;
  readonly staging: Staging;
  /**
   * True while an assignment is described, planned and run. A leaf may be an object of the program's own, whose `rawPlaces` is a function
   * that assigns something else: that is computed by the evaluator, which has no state.
   */
  isBusy = false;

  constructor() {
    const numbers = new PlanNumbers();
    this.staging = new Staging();
    this.fastPath = new FastPath(numbers, this.staging);
    this.recall = new Recall(numbers, this.staging);
  }
}

/** The planner of this thread. */
export const planner: Planner = new Planner();
