// The editor of the playground: CodeMirror with TypeScript's colors. It completes onebuffer's names and members, and shows the signature of
// the one under the pointer.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The classes of the site's own colors for code. */
const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.typeName], class: "hljs-keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "hljs-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "hljs-number" },
  { tag: tags.comment, class: "hljs-comment" },
  { tag: [tags.propertyName, tags.function(tags.variableName)], class: "hljs-title" },
]);

/** Returns an element with the signature and the summary of a name. */
function explanation({ signature, info }) {
  const dom = document.createElement("div");
  dom.className = "play-type";
  dom.append(Object.assign(document.createElement("code"), { textContent: signature }), document.createTextNode(info));
  return dom;
}

/** Shows what is known about the name under the pointer: a member if it is behind a dot. */
const typeTooltip = (known) =>
  hoverTooltip(async (view, at) => {
    const { names, members } = await known();
    const line = view.state.doc.lineAt(at);
    for (const { 0: word, index } of line.text.matchAll(/\w+/g)) {
      const from = line.from + index;
      if (at < from || at > from + word.length) continue;
      const found = (line.text[index - 1] === "." ? members : names).find(({ label }) => label === word);
      if (found === undefined || found.signature === "") return null;
      return { pos: from, end: from + word.length, above: true, create: () => ({ dom: explanation(found) }) };
    }
    return null;
  });

/** The completion of a name, which is imported if it is not. */
const nameOption = ({ label, path, type, ...known }) => ({
  label,
  type,
  detail: path,
  info: () => explanation(known),
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
});

const memberOption = ({ label, ...known }) => ({ label, type: "method", info: () => explanation(known) });

/** Completes members after a dot, and names elsewhere. */
const completions = (known) => async (context) => {
  const member = context.matchBefore(/\.\w*/);
  const word = context.matchBefore(/\w+/);
  if (member === null && word === null && !context.explicit) return null;
  const { names, members } = await known();
  return member === null
    ? { from: word?.from ?? context.pos, options: names.map(nameOption), validFor: /^\w*$/ }
    : { from: member.from + 1, options: members.map(memberOption), validFor: /^\w*$/ };
};

/** Returns a command of a key that no other command sees. */
const handled = (act) => () => {
  act();
  return true;
};

/** Puts an editor in the place of a text area. `known` loads names and members, `run` is called for Control-Enter. */
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
        typeTooltip(known),
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
