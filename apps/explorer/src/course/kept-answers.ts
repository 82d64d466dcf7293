/** The answers of the course that this browser keeps. Without storage they last as long as the page. */

const kKey = "onebuffer-course";

/** An answer: what was written or made, and whether it was right at least once. */
export interface KeptAnswer {
  readonly answer: string;
  readonly right: boolean;
}

let kept: Record<string, KeptAnswer> = read();

function read(): Record<string, KeptAnswer> {
  try {
    const parsed = JSON.parse(localStorage.getItem(kKey) ?? "{}") as unknown;
    if (typeof parsed !== "object" || parsed === null) return {};
    const entries = Object.entries(parsed).filter(([, each]) => {
      const { answer, right } = (each ?? {}) as Partial<KeptAnswer>;
      return typeof answer === "string" && typeof right === "boolean";
    });
    return Object.fromEntries(entries) as Record<string, KeptAnswer>;
  } catch {
    // Storage is off in this browser, or something else wrote there.
    return {};
  }
}

function write(): void {
  try {
    localStorage.setItem(kKey, JSON.stringify(kept));
  } catch {
    // Storage is off or full: the answers last as long as the page.
  }
}

/** Returns the kept answer of an exercise, or null. */
export const keptAnswer = (name: string): KeptAnswer | null => (Object.hasOwn(kept, name) ? kept[name]! : null);

/** Keeps an answer. What was right once stays done. */
export function keepAnswer(name: string, answer: string, isRight: boolean): void {
  kept[name] = { answer, right: isRight || keptAnswer(name)?.right === true };
  write();
}

/** Forgets the answers of these exercises. */
export function forgetAnswers(names: readonly string[]): void {
  kept = Object.fromEntries(Object.entries(kept).filter(([name]) => !names.includes(name)));
  write();
}
