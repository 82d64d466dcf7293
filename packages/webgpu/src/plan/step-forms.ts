/**
 * The forms in the order in which the planner asks them: the first that computes a node does.
 */
import { programForm } from "../form/program-form.ts";
import { productForm } from "../product/product-form.ts";
import type { StepForm } from "../step/step-form.ts";

/** All forms. */
export const kStepForms: readonly StepForm[] = [productForm, programForm];
