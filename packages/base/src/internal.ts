/**
 * The names that other onebuffer packages use and users do not. They may change at any time.
 */
export type { ExactInt64 } from "./types/int64-field.ts";
export { readDecimalInt64, readInt64Field } from "./types/int64-field.ts";
export { defineInspection } from "./status/inspect-hook.ts";
export { messageFields } from "./status/message-fields.ts";
export { checkOptions } from "./status/options-check.ts";
