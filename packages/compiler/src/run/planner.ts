/**
 * Planner: what is known of an assignment while it is described and its plan is looked up (in XLA: the state of one compilation).
 *
 *     out.assign(tree)     fastPath    elementwise, dense maps of one size: a kernel by its structure
 *                          recall      otherwise: the plan kept for such an expression, by a description in numbers
 *
 * A planner serves one assignment at a time. Both ways write their numbers into one list, because only one of them describes at a time.
 */
import { PlanNumbers } from "../plan/plan-numbers.ts";
import { FastPath } from "./elementwise-fast-path.ts";
import { Recall } from "./recall-plan.ts";

/** The state of planning. */
export class Planner {
  readonly fastPath: FastPath;
  readonly recall: Recall;
  /**
   * True while an assignment is described, planned and run. A leaf may be an object of the program's own, whose `rawPlaces` is a function
   * that assigns something else: that is computed by the evaluator, which has no state.
   */
  isBusy = false;

  constructor() {
    const numbers = new PlanNumbers();
    this.fastPath = new FastPath(numbers);
    this.recall = new Recall(numbers);
  }
}

/** The planner of this thread. */
export const planner: Planner = new Planner();
