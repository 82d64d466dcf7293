/**
 * What other packages of onebuffer need of this one and users do not. No name here is promised to anybody outside of the house.
 */
export type { ExactInt64 } from "./types/int64-field.ts";
export { readDecimalInt64, readInt64Field } from "./types/int64-field.ts";
export { messageFields } from "./status/message-fields.ts";
