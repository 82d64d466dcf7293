/**
 * The forms in the order in which the planner asks them: the first that computes a node does.
 */
import { gatherForm } from "../array/gather-form.ts";
import { randomForm } from "../array/random-form.ts";
import { scanForm } from "../array/scan-form.ts";
import { scanOfThreeForm } from "../array/scan-of-three-form.ts";
import { scatterForm } from "../array/scatter-form.ts";
import { sortForm } from "../array/sort-form.ts";
import { joinForm } from "../form/join-form.ts";
import { programForm } from "../form/program-form.ts";
import { productForm } from "../product/product-form.ts";
import type { StepForm } from "../step/step-form.ts";

/** All forms. */
export const kStepForms: readonly StepForm[] = [
  joinForm,
  gatherForm,
  scatterForm,
  scanOfThreeForm,
  scanForm,
  randomForm,
  sortForm,
  productForm,
  programForm,
];
