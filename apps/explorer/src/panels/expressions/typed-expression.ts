/** An expression that was typed, and the tensors of another text that it is over. */
import { errorText } from "../../panel.ts";
import { buildExpression } from "./build-expression.ts";
import type { AnyOperand } from "./build-expression.ts";
import { NamedTensors } from "./named-tensors.ts";
import { parseExpression } from "./parse-expression.ts";

/** The expression. After an error the last one that was right is kept. */
export class TypedExpression {
  readonly #tensors = new NamedTensors();
  text = "";
  tensorsText = "";
  error = "";
  tensorsError = "";
  operand: AnyOperand | null = null;

  constructor(text: string, tensorsText: string) {
    this.setTensors(tensorsText);
    this.setText(text);
  }

  get isStale(): boolean {
    return this.error !== "" || this.tensorsError !== "";
  }

  /** The tensors by their names. */
  get tensors(): ReadonlyMap<string, AnyOperand> {
    return this.#tensors.operands;
  }

  setText(text: string): void {
    this.text = text;
    try {
      this.operand = buildExpression(parseExpression(text), this.tensors, (result) => result);
      this.error = "";
    } catch (error) {
      this.error = errorText(error);
    }
  }

  /** Makes other tensors. The expression is made again over them. */
  setTensors(text: string): void {
    this.tensorsText = text;
    try {
      this.#tensors.set(text, "float32");
      this.operand = null;
      this.tensorsError = "";
    } catch (error) {
      this.tensorsError = errorText(error);
    }
    if (this.text !== "") this.setText(this.text);
  }

  /** Returns the expression with some of its tensors replaced by other operands of the same types. */
  over(others: ReadonlyMap<string, AnyOperand>): AnyOperand {
    return buildExpression(parseExpression(this.text), new Map([...this.tensors, ...others]), (result) => result);
  }

  dispose(): void {
    this.operand = null;
    this.#tensors.dispose();
  }
}
