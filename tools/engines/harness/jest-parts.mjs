// The few functions of Jest's helper packages that its `expect` and mocks use, without the modules of Node that those packages load.

export const isPromise = (value) => typeof value?.then === "function";

export const pluralize = (word, count, ending = "s") => `${count} ${word}${count === 1 ? "" : ending}`;

/** An error whose stack begins at the caller of a function. */
export class ErrorWithStack extends Error {
  constructor(message, callsite) {
    super(message);
    Error.captureStackTrace?.(this, callsite);
  }
}

/** Divides an error's text into its message and its stack. */
export function separateMessageFromStack(content) {
  const at = content.search(/\n\s+at /);
  return at < 0 ? { message: content, stack: "" } : { message: content.slice(0, at), stack: content.slice(at) };
}

export const formatStackTrace = (stack) => stack;
export const formatExecError = (error) => String(error?.stack ?? error);
