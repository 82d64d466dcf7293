// The editor of the playground: CodeMirror with TypeScript's colors, and completion of onebuffer's names and members.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The classes of the site's own colors for code. */
const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.typeName], class: "hljs-keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "hljs-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "hljs-number" },
  { tag: tags.comment, class: "hljs-comment" },
  { tag: [tags.propertyName, tags.function(tags.variableName)], class: "hljs-title" },
]);

/** Completes members after a dot, and names elsewhere. A name that is chosen is imported if it is not. */
function completions({ names, members }) {
  const nameOptions = names.map(({ label, path, type }) => ({
    label,
    type,
    detail: path,
    apply: (view, _, from, to) => {
      const code = view.state.doc.toString();
      const line = new RegExp(`^import \\{[^}]*\\b${label}\\b[^}]*\\}`, "m").test(code) ? "" : `import { ${label} } from "${path}";\n`;
      view.dispatch({
        changes: [
          { from: 0, insert: line },
          { from, to, insert: label },
        ],
        selection: { anchor: line.length + from + label.length },
      });
    },
  }));
  const memberOptions = members.map(({ label, info }) => ({ label, type: "method", info }));
  return (context) => {
    const member = context.matchBefore(/\.\w*/);
    if (member !== null) return { from: member.from + 1, options: memberOptions, validFor: /^\w*$/ };
    const word = context.matchBefore(/\w+/);
    return word === null && !context.explicit ? null : { from: word?.from ?? context.pos, options: nameOptions, validFor: /^\w*$/ };
  };
}

/** Returns a command of a key that no other command sees. */
const handled = (act) => () => {
  act();
  return true;
};

/** Puts an editor in the place of a text area. `known` has the names for completion, `run` is called for Control-Enter. */
export function openEditor(area, known, run) {
  const view = new EditorView({
    state: EditorState.create({
      doc: area.value,
      extensions: [
        keymap.of([{ key: "Mod-Enter", run: handled(run) }]),
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        autocompletion({ override: [completions(known)] }),
        javascript({ typescript: true }),
        syntaxHighlighting(colors),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
        EditorView.contentAttributes.of({ "aria-label": "Program", spellcheck: "false", tabindex: "0" }),
      ],
    }),
  });
  area.hidden = true;
  area.after(view.dom);
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    goTo: (line) => {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
  };
}
