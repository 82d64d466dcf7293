/** Runs `act` and returns what it throws, to assert on code and message at once; undefined if it does not throw. */
export function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
