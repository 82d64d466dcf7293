/** flags: options that are true or false. */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";

/** Returns options, all of which are booleans. Throws INVALID_ARGUMENT for one that is not. */
export function checkFlags<F extends Readonly<Record<string, boolean>>>(call: string, flags: F): F {
  for (const [name, value] of Object.entries(flags)) {
    if (typeof value !== "boolean") throw new InvalidArgumentError(`${call}: ${name} is a boolean, got ${shownValue(value)}`);
  }
  return flags;
}
