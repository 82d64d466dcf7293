/**
 * What other packages of onebuffer need of this one and users do not. No name here is promised to anybody outside of the house.
 */
export { messageFields } from "./status/message-fields.ts";
