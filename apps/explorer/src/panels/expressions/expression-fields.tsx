/** The fields of an expression and its tensors, and examples to begin with. */
import type { JSX } from "preact";
import { Button, Controls, TextField } from "../../parts/controls.tsx";
import type { TypedExpression } from "./typed-expression.ts";

/** An example: its label, the expression and the tensors. */
export type Example = readonly [label: string, text: string, tensors: string];

interface ExpressionFieldsProps {
  readonly typed: TypedExpression;
  readonly examples: readonly Example[];
  /** Called after each change. */
  readonly onChange: () => void;
}

/** Draws the fields. */
export function ExpressionFields({ typed, examples, onChange }: ExpressionFieldsProps): JSX.Element {
  const choose = ([, text, tensors]: Example): void => {
    typed.setTensors(tensors);
    typed.setText(text);
    onChange();
  };
  return (
    <>
      <Controls label="Expressions to try">
        {examples.map((example) => (
          <Button key={example[0]} kind="quiet" onPress={() => choose(example)}>
            {example[0]}
          </Button>
        ))}
      </Controls>
      <Controls>
        <TextField
          label="Expression"
          value={typed.text}
          error={typed.error}
          width={44}
          onText={(text) => {
            typed.setText(text);
            onChange();
          }}
        />
        <TextField
          label="Tensors"
          value={typed.tensorsText}
          error={typed.tensorsError}
          hint="name: shape; …"
          width={28}
          onText={(text) => {
            typed.setTensors(text);
            onChange();
          }}
        />
      </Controls>
    </>
  );
}
