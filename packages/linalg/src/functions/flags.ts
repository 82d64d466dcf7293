/** flags: options that are true or false. */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";

/**
 * Returns the options that `defaults` names. An option that is absent or undefined has its default. Throws INVALID_ARGUMENT for another value
 * that is not a boolean.
 */
export function checkFlags<K extends string>(
  call: string,
  options: object,
  defaults: Readonly<Record<K, boolean>>,
): Readonly<Record<K, boolean>> {
  const flags: Record<K, boolean> = { ...defaults };
  for (const name of Object.keys(defaults) as K[]) {
    const value = (options as Partial<Record<K, unknown>>)[name];
    if (value === undefined) continue;
    if (typeof value !== "boolean") throw new InvalidArgumentError(`${call}: ${name} is a boolean, got ${shownValue(value)}`);
    flags[name] = value;
  }
  return flags;
}
