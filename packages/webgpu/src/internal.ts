/**
 * Exports for other packages and the tools of onebuffer. Users do not import this file, and its names may change in any version.
 */
export { explainExpression } from "./plan/explain-expression.ts";
