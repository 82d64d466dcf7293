/** The controls of the panels: text fields, numbers, choices, buttons, each with a label and its error beside it. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useUniqueId } from "./unique-id.ts";

/** A row of controls that wraps on narrow screens, with its name above it if it has one. */
export function Controls({ children, label }: { children: ComponentChildren; label?: string }): JSX.Element {
  if (label === undefined) return <div class="controls">{children}</div>;
  return (
    <fieldset class="controls-group">
      <legend>{label}</legend>
      <div class="controls">{children}</div>
    </fieldset>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  /** Takes the text at each change. */
  readonly onText: (text: string) => void;
  /** Takes the text when Enter is pressed or the field is left after a change. */
  readonly onDone?: (text: string) => void;
  /** The error that the text has; "" for none. */
  readonly error?: string;
  readonly hint?: string;
  readonly width?: number;
  readonly name?: string;
}

/** A text field. What is typed stays as it is while the model has another spelling of it, until the field is left. */
export function TextField({ label, value, onText, onDone, error = "", hint = "", width = 14, name }: TextFieldProps): JSX.Element {
  const id = useUniqueId();
  const [typed, setTyped] = useState<string | null>(null);
  const note = error === "" ? hint : error;
  return (
    <div class={`field ${error === "" ? "" : "is-wrong"}`}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        name={name ?? label}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        size={width}
        value={typed ?? value}
        aria-invalid={error !== ""}
        {...(note === "" ? {} : { "aria-describedby": `${id}-note` })}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          onText(event.currentTarget.value);
        }}
        onChange={(event) => {
          onDone?.(event.currentTarget.value);
          if (error === "") setTyped(null);
        }}
        onKeyDown={(event) => event.key === "Enter" && onDone?.(event.currentTarget.value)}
        onBlur={() => error === "" && setTyped(null)}
      />
      {note !== "" && (
        <p class="field-note" id={`${id}-note`} role={error === "" ? undefined : "status"}>
          {note}
        </p>
      )}
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
  readonly onNumber: (value: number) => void;
  readonly name?: string;
}

/** A whole number that arrow keys change. */
export function NumberField({ label, value, min = 0, max, onNumber, name }: NumberFieldProps): JSX.Element {
  const id = useUniqueId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        name={name ?? label}
        value={value}
        min={min}
        {...(max === undefined ? {} : { max })}
        step={1}
        onInput={(event) => {
          const number = event.currentTarget.valueAsNumber;
          if (Number.isInteger(number)) onNumber(number);
        }}
      />
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly onChoice: (value: T) => void;
}

/** One of a few, as a row of radio buttons. */
export function Choice<T extends string>({ label, value, options, onChoice }: ChoiceProps<T>): JSX.Element {
  const id = useUniqueId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="choice-row">
        {options.map(([each, text]) => (
          <label key={each} class={each === value ? "is-chosen" : ""}>
            <input type="radio" name={id} value={each} checked={each === value} onChange={() => onChoice(each)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** One of many, as a list that opens. */
export function Select<T extends string>({ label, value, options, onChoice }: ChoiceProps<T>): JSX.Element {
  const id = useUniqueId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={label} value={value} onChange={(event) => onChoice(event.currentTarget.value as T)}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onPress: () => void;
  readonly disabled?: boolean;
  readonly label?: string;
  readonly kind?: "plain" | "main" | "quiet";
  readonly pressed?: boolean;
}

/** A button. */
export function Button({ children, onPress, disabled = false, label, kind = "plain", pressed }: ButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={`button button-${kind}`}
      disabled={disabled}
      onClick={onPress}
      {...(label === undefined ? {} : { "aria-label": label })}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
    >
      {children}
    </button>
  );
}

/** Numbers with their names. */
export function Facts({
  facts,
  label,
}: {
  facts: readonly (readonly [name: string, value: ComponentChildren])[];
  label?: string;
}): JSX.Element {
  return (
    <dl class="facts" {...(label === undefined ? {} : { "aria-label": label })}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A drawing with its caption. */
export function Figure({
  title,
  note,
  children,
}: {
  title: ComponentChildren;
  note?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <figure class="figure">
      <figcaption>
        <span class="figure-title">{title}</span>
        {note !== undefined && <span class="figure-note">{note}</span>}
      </figcaption>
      {children}
    </figure>
  );
}

/** An error that an operation ended with, read aloud when it appears. */
export function ErrorNote({ text }: { text: string }): JSX.Element {
  return (
    <p class="error-note" role="status" hidden={text === ""}>
      {text}
    </p>
  );
}

/** A text that is read aloud when it changes. */
export function Spoken({ text }: { text: string }): JSX.Element {
  const [shown, setShown] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setShown(text), 150);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class="spoken" aria-live="polite">
      {shown}
    </p>
  );
}
