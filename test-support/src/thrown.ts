/** Runs `act` and returns what it throws; undefined when it does not throw. For asserting on code and message at once. */
export function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
