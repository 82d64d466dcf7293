/** Turns an error of the file system into a StatusError with the file system's error code in the message. */
import { DataLossError, InvalidArgumentError, NotFoundError, ResourceExhaustedError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";

/** The codes of errors for which there is no memory, no disk or no file descriptor. */
const kExhausted: ReadonlySet<unknown> = new Set(["ENOMEM", "ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EFBIG"]);

/** Runs `act`; an error of the file system or the engine becomes a StatusError. `verb` is what could not be done: "read", "written". */
export function attempt<T>(subject: string, act: () => T, verb: string = "read"): T {
  try {
    return act();
  } catch (cause) {
    throw fileError(subject, cause, verb);
  }
}

/** Returns the StatusError for what a function of `node:fs` threw. The message begins with `subject`. */
export function fileError(subject: string, cause: unknown, verb: string = "read"): StatusError {
  const code = (cause as { readonly code?: unknown }).code;
  if (code === "ENOENT") return new NotFoundError(`${subject}no such file`, { cause });
  // The RangeError of an ArrayBuffer that is too long has no code.
  if (code === undefined || code === "ENOMEM")
    return new ResourceExhaustedError(`${subject}no memory for the bytes of the file`, { cause });
  if (kExhausted.has(code)) return new ResourceExhaustedError(`${subject}cannot be ${verb} (${String(code)})`, { cause });
  if (code === "EIO") return new DataLossError(`${subject}cannot be ${verb} (EIO)`, { cause });
  return new InvalidArgumentError(`${subject}cannot be ${verb} (${String(code)})`, { cause });
}
