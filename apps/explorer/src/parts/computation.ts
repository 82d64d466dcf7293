/** A computation that a panel starts, one at a time: whether it runs, and why the last one failed. */
import { errorText } from "../panel.ts";

export class Computation {
  readonly #changed: () => void;
  #isDisposed = false;
  isRunning = false;
  /** Why the last one failed; "" if it did not. */
  error = "";

  /** `changed` is called when a computation begins, and when it has ended. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Runs `act`, whose errors become `error`. Does nothing while another one runs. A panel that was disposed meanwhile hears of nothing. */
  async run(act: () => Promise<void>): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.error = "";
    this.#changed();
    let error = "";
    try {
      await act();
    } catch (thrown) {
      error = errorText(thrown);
    }
    this.isRunning = false;
    if (this.#isDisposed) return;
    this.error = error;
    this.#changed();
  }

  /** The panel is closed: a computation that runs ends without a word. */
  dispose(): void {
    this.#isDisposed = true;
  }
}
